#pragma once

#include <algorithm>

#include "models/timing/stage_timing.h"
#include "pipeline/stream_port.h"

namespace netzip {

/// A packet that is ready to leave from `head` on and whose last byte is there at `tail`.
struct HeldPacket {
    Duration head;
    Duration tail;
    Duration head_in;  ///< when it came, for the occupancy
    Duration taken{};  ///< when its last byte had come in

    /// It goes at the first edge at which the receiver has a slot, and streams at `width` bytes per cycle.
    Departure leave(ClockDomain const& clock, std::uint64_t bytes, Bytes width, Duration sink_ready) const {
        if (sink_ready <= head) return {head, tail};
        std::uint64_t const edge = clock.index_at_or_after(sink_ready);
        return {clock.edge(edge), std::max(tail, clock.edge(edge + beats(bytes, width.count()).count()))};
    }

    /// When its slot is free again, as `released` of a stage.
    Duration frees_slot(StageConfig const& config, ClockDomain const& clock, Departure const& departure) const {
        Duration const leaving = std::max(taken, clock.after(departure.head, Cycles{1}));
        if (config.admission == Admission::cut_through) return leaving;
        std::uint64_t const last = clock.index_at_or_after(departure.tail);
        return std::max(leaving, clock.edge(last - std::min(last, config.release_early.count())));
    }
};

/// A packet of `bytes` that goes through a stage unchanged and is held at its output.
inline HeldPacket admit(StageTimer& timer, Duration head_in, Duration tail_in, std::uint64_t bytes) {
    std::uint64_t const head = timer.head_edge(head_in);  // first: it moves the conversion's anchor
    StageEdges const edges = timer.admit(head, timer.tail_edge(tail_in), bytes, bytes, Cycles{0});
    return {timer.time(edges.head), timer.time(edges.tail), head_in, timer.time(edges.taken)};
}

}  // namespace netzip
