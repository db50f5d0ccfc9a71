#pragma once

#include <algorithm>
#include <vector>

#include "models/timing/divider.h"
#include "models/timing/edge_cursor.h"
#include "models/timing/stage_config.h"

namespace netzip {

/// What happens to one packet in one stage, in edges of the stage's clock. Intervals are half-open: a tail is the end
/// of the cycle of the last beat.
struct StageEdges {
    std::uint64_t start = 0;  ///< begins to take it
    std::uint64_t taken = 0;  ///< has taken its last byte
    std::uint64_t head = 0;   ///< its first byte is at the output
    std::uint64_t tail = 0;   ///< its last byte has left
};

/// The same as times.
struct StageTimes {
    Duration start{0};
    Duration taken{0};
    Duration head_out{0};
    Duration tail_out{0};
    Duration released{0};  ///< its slot is free for another packet
    StageEdges edges;
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

    /// The oldest packet that has not departed leaves now that the sink takes it from `sink_ready` on.
    /// `times` is what `admit` returned for it.
    StageTimes depart(StageTimes const& times, std::uint64_t bytes_out, Duration sink_ready, Cycles gather = Cycles{0});

    // The same in edges, for a chain of stages: from one stage to the next of the same clock none is converted.
    StageEdges admit(std::uint64_t head_in, std::uint64_t tail_in, std::uint64_t bytes_in, std::uint64_t bytes_out,
                     Cycles extra, Cycles gather = Cycles{0});
    StageEdges depart(StageEdges const& edges, std::uint64_t bytes_out, Duration sink_ready, Cycles gather = Cycles{0});
    /// First edges at or after the times of a packet that comes in; times must not go back.
    std::uint64_t head_edge(Duration head_in) { return cursor_.advance(head_in); }
    std::uint64_t tail_edge(Duration tail_in) const { return cursor_.index(tail_in); }
    Duration time(std::uint64_t edge) const { return cursor_.edge(edge); }

    /// When a slot is free for the packet after the last one admitted. Definite once that slot's packet, the one
    /// `slots - 1` before the last, has departed; until then it is as if the sink were ready.
    Duration next_slot() const { return cursor_.edge(releases_[admit_at_]); }

    Frequency clock() const { return cursor_.clock().frequency(); }
    /// Cycles in which the stage took bytes, over all packets.
    Cycles busy() const { return Cycles{busy_}; }

    /// Bytes per second of packets of `mean_bytes` that the stage carries when nothing else limits it.
    double capacity(double mean_bytes) const;

private:
    std::size_t after(std::size_t place) const { return place + 1 == releases_.size() ? 0 : place + 1; }
    std::uint64_t released(StageEdges const& edges) const {
        std::uint64_t const leaving = std::max(edges.taken, edges.head + 1);
        return store_ ? std::max(leaving, edges.tail - std::min(edges.tail, release_early_)) : leaving;
    }
    StageTimes times(StageEdges const& edges) const;

    EdgeCursor cursor_;
    Divider width_;
    std::uint64_t latency_;
    std::uint64_t crossing_;
    std::uint64_t release_early_;
    bool store_;
    std::uint64_t free_ = 0;           ///< edge
    std::uint64_t output_free_ = 0;    ///< edge, by what was admitted
    std::uint64_t departed_tail_ = 0;  ///< edge, by what departed
    std::uint64_t busy_ = 0;
    std::size_t admit_at_ = 0;  ///< place of the next packet admitted, and of the next that departs, in the ring
    std::size_t depart_at_ = 0;
    std::vector<std::uint64_t> releases_;  ///< edges; ring of `slots` packets
};

inline StageEdges StageTimer::admit(std::uint64_t head_in, std::uint64_t tail_in, std::uint64_t bytes_in,
                                    std::uint64_t bytes_out, Cycles extra, Cycles gather) {
    std::uint64_t const head = head_in + crossing_;
    std::uint64_t const tail = tail_in + crossing_;
    std::uint64_t const beats_in = width_.up(bytes_in);
    StageEdges edges;
    edges.start = std::max(store_ ? tail : head, free_);
    edges.taken = std::max(edges.start + beats_in, tail);
    edges.head = std::max(edges.start + latency_ + extra.count(), output_free_) + gather.count();
    edges.tail = std::max(edges.taken + latency_, edges.head + width_.up(bytes_out));
    busy_ += beats_in;
    free_ = edges.taken;
    output_free_ = edges.tail;
    releases_[admit_at_] = released(edges);
    admit_at_ = after(admit_at_);
    return edges;
}

inline StageEdges StageTimer::depart(StageEdges const& admitted, std::uint64_t bytes_out, Duration sink_ready,
                                     Cycles gather) {
    StageEdges edges = admitted;
    std::uint64_t const output_free = departed_tail_ + gather.count();
    if (output_free > edges.head || sink_ready > cursor_.edge(edges.head)) {
        edges.head = std::max({edges.head, output_free, cursor_.index(sink_ready)});
        edges.tail = std::max(edges.tail, edges.head + width_.up(bytes_out));
        output_free_ = std::max(output_free_, edges.tail);
    }
    departed_tail_ = edges.tail;
    releases_[depart_at_] = released(edges);
    depart_at_ = after(depart_at_);
    return edges;
}

}  // namespace netzip
