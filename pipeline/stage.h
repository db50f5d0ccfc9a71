#pragma once

#include <optional>

#include "models/timing/stage_timing.h"
#include "pipeline/ring.h"
#include "pipeline/stage_recorder.h"
#include "pipeline/stream_port.h"

namespace netzip {

/// One pipeline stage: packets go in order through `in`, are worked on, and leave through `out`.
///
/// Models:          occupancy, latency, whole-packet slots and back-pressure as in StageTimer, exactly.
/// Approximates:    the bytes change when the packet is admitted; only their time is modelled per packet.
/// Does not model:  stalls inside a packet.
class Stage : public sc_core::sc_module, public Watched, private StreamSink, private StreamSource {
public:
    StreamInput in;
    StreamOutput out;

    /// `station` is stamped with each packet's tail; `upstream_clock` 0 Hz means the NIC's.
    Stage(sc_core::sc_module_name name, Station station, StageConfig const& config, Frequency nic_clock,
          Frequency upstream_clock = Frequency{0});

    StageStats stats() const;
    void watch(Trace& trace, std::string const& track) override { recorder_.watch(trace, track); }

protected:
    /// What the stage does to the bytes; may change the payload's size. Returns cycles that this packet costs beyond
    /// the stage's latency.
    virtual Cycles work(Payload& payload, PacketTag& tag);

private:
    struct Inside {
        StageTimes times;
        Duration head_in;
    };
    void arrived(StreamInput& port, Payload& payload, Duration head) override;
    Departure depart(StreamOutput& port, Payload& payload, Duration sink_ready) override;
    void grant();

    Station station_;
    StageConfig config_;
    StageTimer timer_;
    Ring<Inside> inside_;
    Duration head_;
    Duration taken_;
    StageRecorder recorder_;
};

}  // namespace netzip
