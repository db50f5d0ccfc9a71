#pragma once

#include "nic/experiment_config.h"
#include "pipeline/stage_recorder.h"
#include "pipeline/stream_port.h"

namespace netzip {

/// One switch hop in one direction, in front of its egress Link.
///
/// Models:          cut-through or store-and-forward, and a queue in front of the egress port.
/// Approximates:    the queue is as long as the links in front of it make it; nothing is dropped.
/// Does not model:  other ports, ECN, priorities.
class Switch : public sc_core::sc_module, public Watched, private StreamSink, private StreamSource {
public:
    StreamInput in;
    StreamOutput out;

    Switch(sc_core::sc_module_name name, SwitchConfig const& config);

    StageStats stats() const;
    void watch(Trace& trace, std::string const& track) override { recorder_.watch(trace, track); }

private:
    void arrived(StreamInput& port, Payload& payload, Duration head) override;
    Departure depart(StreamOutput& port, Payload& payload, Duration sink_ready) override;

    struct Queued {
        Duration head;
        Duration tail;
        Duration head_in;
    };
    SwitchConfig config_;
    Ring<Queued> queue_;
    StageRecorder recorder_;
};

}  // namespace netzip
