#pragma once

#include <array>
#include <utility>
#include <vector>

#include "base/config/range.h"
#include "models/timing/divider.h"
#include "models/timing/edge_cursor.h"

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

/// What happens to one packet in one stage. Intervals are half-open: a tail is the end of the cycle of the last beat.
struct StageTimes {
    Duration start{0};     ///< begins to take it
    Duration taken{0};     ///< has taken its last byte
    Duration head_out{0};  ///< its first byte is at the output
    Duration tail_out{0};  ///< its last byte has left
    Duration released{0};  ///< its slot is free for another packet

    // The same in edges of the stage's clock.
    std::uint64_t taken_edge = 0;
    std::uint64_t head_edge = 0;
    std::uint64_t tail_edge = 0;
};

/// The recurrence of a stage, packet by packet, in exact edges of the stage's clock.
///
///     start    = first edge at or after max(head_in, free)     cut-through         (free: `taken` of the previous one)
///                first edge at or after max(tail_in, free)     store-and-forward
///     taken    = max(start + beats(bytes_in), tail_in)
///     head_out = max(max(start + latency + extra, tail_out of the previous one) + gather, sink ready)
///     tail_out = max(taken + latency, head_out + beats(bytes_out))
///     released = max(taken, head_out + 1)                              cut-through: refilled while it drains
///                max(taken, head_out + 1, tail_out - release_early)     store-and-forward: a half is written or read
///
/// `admit` assumes that the sink is ready; a caller whose sink may refuse then calls `depart`, in the same order.
/// The caller offers a packet only when a slot is free, see `next_slot`.
class StageTimer {
public:
    /// `nic_clock` is used when the configuration has no clock of its own; `upstream_clock` 0 Hz means the NIC's, too.
    StageTimer(StageConfig const& config, Frequency nic_clock, Frequency upstream_clock = Frequency{0});

    /// The next packet in order. `extra` are cycles that this packet costs in latency beyond the stage's; `gather` are
    /// cycles in which the output register fills up to its first beat, after the previous packet has left it.
    StageTimes admit(Duration head_in, Duration tail_in, std::uint64_t bytes_in, std::uint64_t bytes_out,
                     Cycles extra = Cycles{0}, Cycles gather = Cycles{0});

    /// The same for a packet that comes as it left `before`, a stage of the same clock.
    StageTimes admit_after(StageTimes const& before, std::uint64_t bytes_in, std::uint64_t bytes_out,
                           Cycles extra = Cycles{0});

    /// The oldest packet that has not departed leaves now that the sink takes it from `sink_ready` on.
    /// `times` is what `admit` returned for it.
    StageTimes depart(StageTimes const& times, std::uint64_t bytes_out, Duration sink_ready, Cycles gather = Cycles{0});

    /// When a slot is free for the packet after the last one admitted. Definite once that slot's packet, the one
    /// `slots - 1` before the last, has departed; until then it is as if the sink were ready.
    Duration next_slot() const { return releases_[admit_at_]; }

    Frequency clock() const { return cursor_.clock().frequency(); }
    /// Cycles in which the stage took bytes, over all packets.
    Cycles busy() const { return Cycles{busy_}; }

    /// Bytes per second of packets of `mean_bytes` that the stage carries when nothing else limits it.
    double capacity(double mean_bytes) const;

private:
    std::size_t after(std::size_t place) const { return place + 1 == releases_.size() ? 0 : place + 1; }
    StageTimes admit_edges(std::uint64_t head, std::uint64_t tail, std::uint64_t bytes_in, std::uint64_t bytes_out,
                           Cycles extra, Cycles gather);
    std::uint64_t released(std::uint64_t taken, std::uint64_t head_out, std::uint64_t tail_out) const;

    StageConfig config_;
    EdgeCursor cursor_;
    Divider width_;
    std::uint64_t latency_;
    std::uint64_t crossing_;
    bool store_;
    std::uint64_t free_ = 0;           ///< edge
    std::uint64_t output_free_ = 0;    ///< edge, by what was admitted
    std::uint64_t departed_tail_ = 0;  ///< edge, by what departed
    std::uint64_t busy_ = 0;
    std::size_t admit_at_ = 0;  ///< place of the next packet admitted, and of the next that departs, in the ring
    std::size_t depart_at_ = 0;
    std::vector<Duration> releases_;  ///< ring of `slots` packets
};

}  // namespace netzip
