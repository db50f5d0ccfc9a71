#pragma once

#include <algorithm>
#include <ostream>

#include "models/timing/engine.h"
#include "stream_bench.h"

namespace netzip::rtl {

/// Blocks whose stamps an engine's model and the RTL do not share.
struct EngineDifference {
    std::size_t start = 0, taken = 0, first_out = 0, done = 0;

    bool operator==(EngineDifference const&) const = default;
    std::size_t most() const { return std::max({start, taken, first_out, done}); }
    void add(EngineStamps const& model, EngineStamps const& rtl) {
        start += model.start != rtl.start;
        taken += model.taken != rtl.taken;
        first_out += model.first_out != rtl.first_out;
        done += model.done != rtl.done;
    }
};

inline std::ostream& operator<<(std::ostream& os, EngineDifference const& d) {
    return os << "{start " << d.start << ", taken " << d.taken << ", first_out " << d.first_out << ", done " << d.done
              << "}";
}

/// Of an engine that takes packets at 64 B per cycle; `works[n]` is what the codec did to packet n.
inline EngineDifference compare(Engine&& engine, std::vector<StreamPacket> const& packets,
                                std::vector<BlockWork> const& works, std::vector<StreamResult> const& rtl) {
    EngineDifference difference;
    for (std::size_t n = 0; n < packets.size(); ++n) {
        Stamps const& r = rtl[n].stamps;
        difference.add(engine.admit(packets[n].offer, packets[n].offer, works[n]),
                       {r.head_in, r.tail_in, r.head_out, r.tail_out});
    }
    return difference;
}

}  // namespace netzip::rtl
