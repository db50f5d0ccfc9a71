#pragma once

#include <array>
#include <utility>

#include "base/config/range.h"

namespace netzip {

class UnusedParameters;

/// When a stage begins with a packet.
enum class Admission {
    cut_through,        ///< as soon as its first byte is there
    store_and_forward,  ///< when its last byte is there: staging buffers, size decisions
};

template <>
struct EnumNames<Admission> {
    static constexpr std::array values{std::pair{Admission::cut_through, "cut_through"},
                                       std::pair{Admission::store_and_forward, "store_and_forward"}};
};

/// One pipeline stage of fixed latency.
struct StageConfig {
    Bytes width{64};
    Cycles latency{4};
    std::uint64_t slots = 2;
    Admission admission = Admission::cut_through;
    Frequency clock{0};
    Cycles crossing{3};
    Cycles release_early{6};

    template <class V>
    void fields(V& v) {
        v("width", width, between(Bytes{1}, Bytes{4096}), "Bytes taken and sent per cycle.",
          "512-bit streams, as in the NetZIP prototype and Corundum");
        v("latency", latency, any(), "Cycles from the start of a packet to its head at the output.",
          "assumption: split of the 170 stages");
        v("slots", slots, between(1, 1024), "Whole packets it may hold; two make a double buffer.", "assumption");
        v("admission", admission, any(), "Begin with the first byte of a packet or with the last.", "assumption");
        v("clock", clock, any(), "Clock of the stage; 0 Hz is the clock of the NIC.", "assumption");
        v("crossing", crossing, any(), "Synchroniser cycles, paid when the clock before the stage is another one.",
          "assumption: two-flop synchroniser of gray pointers and a FIFO read");
        v("release_early", release_early, any(),
          "Store-and-forward: a slot is free this long before its last byte has left, but not before it was read.",
          "own RTL of the grouper: 4, of which 2 are skid at the input; 6 covers the read latency of the buffer");
    }

    void unused(std::string const& place, UnusedParameters& unused) const;
};

/// Cycles that a packet pays at the input of a stage when the clock before it is another one; 0 Hz is the NIC's.
Cycles crossing_cycles(StageConfig const& config, Frequency nic_clock, Frequency upstream_clock);

}  // namespace netzip
