#pragma once

#include "models/timing/stage_timing.h"
#include "pipeline/ring.h"
#include "pipeline/stage_recorder.h"
#include "pipeline/stream_port.h"

namespace netzip {

/// One pipeline stage, in a StageChain: packets come in order, are worked on, and leave.
///
/// Models:          occupancy, latency, whole-packet slots and back-pressure as in StageTimer, exactly.
/// Approximates:    the bytes change when the packet is admitted; only their time is modelled per packet.
/// Does not model:  stalls inside a packet.
class Stage {
public:
    /// `station` is stamped with each packet's tail; `upstream_clock` 0 Hz means the NIC's.
    Stage(std::string name, Station station, StageConfig const& config, Frequency nic_clock,
          Frequency upstream_clock = Frequency{0});
    virtual ~Stage() = default;

    std::string const& name() const { return name_; }
    Frequency clock() const { return timer_.clock(); }
    /// Without whom it waits for.
    StageStats stats() const;
    void watch(Trace& trace, std::string const& track) { recorder_.watch(trace, track); }

    /// A packet comes in whose first byte is there at `head`. `before` is how it left a stage of the same clock; null
    /// after any other.
    void enter(Payload& payload, Duration head, StageEdges const* before);
    /// The oldest packet inside; only when there is one.
    Payload& oldest() const { return *inside_.front().payload; }
    bool empty() const { return inside_.empty(); }
    /// The oldest packet leaves now that the next stage has a slot from `sink_ready` on.
    struct Exit {
        Departure departure;
        StageEdges edges;
    };
    Exit leave(Duration sink_ready);
    /// Whether it is known when a slot is free for another packet: all but `slots - 1` have left.
    bool slot_known() const { return inside_.size() < slots_; }
    /// When that is; what it waited for the next stage counts as blocked.
    Duration take_slot();

protected:
    /// What the stage does to the bytes; may change the payload's size. Returns cycles that this packet costs beyond
    /// the stage's latency.
    virtual Cycles work(Payload& payload, PacketTag& tag);

private:
    struct Inside {
        Payload* payload;
        StageEdges edges;
        Duration head_in;
    };

    std::string name_;
    Station station_;
    std::uint64_t slots_;
    Duration head_;
    std::uint64_t taken_ = 0;  ///< edge
    Ring<Inside> inside_;
    StageTimer timer_;
    StageRecorder recorder_;
};

}  // namespace netzip
