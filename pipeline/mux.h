#pragma once

#include <array>

#include "models/timing/stage_timing.h"
#include "pipeline/calendar.h"
#include "pipeline/held_packet.h"
#include "pipeline/queue_pair_order.h"
#include "pipeline/slot_ring.h"
#include "pipeline/stage_recorder.h"

namespace netzip {

/// Joins the packets of the accelerator with those that bypassed it, in order within each queue pair.
///
/// Models:          one packet at a time; the one that was ready first goes first, the accelerator's when both were
///                  ready together; a packet waits for the older ones of its queue pair.
/// Approximates:    a packet is chosen when its head is there, at the first edge the mux is free.
/// Does not model:  weights or priorities between the paths.
class Mux : public sc_core::sc_module, public Watched, private StreamSink, private StreamSource {
public:
    StreamInput accelerated;
    StreamInput bypass;
    StreamOutput out;

    /// The clocks of the stages before it; 0 Hz is the NIC's.
    struct UpstreamClocks {
        Frequency accelerated;
        Frequency bypass;
    };
    Mux(sc_core::sc_module_name name, Station station, StageConfig const& config, Frequency nic_clock,
        UpstreamClocks const& upstream, QueuePairOrder& order);

    StageStats stats() const;
    void watch(Trace& trace, std::string const& track) override { recorder_.watch(trace, track); }

private:
    struct Candidate {
        Payload* payload = nullptr;
        Duration head;
        Duration tail;
    };
    void arrived(StreamInput& port, Payload& payload, Duration head) override;
    Departure depart(StreamOutput& port, Payload& payload, Duration sink_ready) override;
    void schedule();
    void arbitrate();
    void admit(std::size_t port);
    void count_pause();

    Station station_;
    StageConfig config_;
    StageTimer timer_;
    ClockDomain clock_;
    std::array<Cycles, 2> crossing_;
    QueuePairOrder& order_;
    std::array<Candidate, 2> candidates_;
    Ring<HeldPacket> leaving_;
    SlotRing slots_;
    Duration free_;
    Wakeup wake_;
    bool settling_ = false;
    bool pause_counted_ = true;  ///< of the packet that came in last
    StageRecorder recorder_;
};

}  // namespace netzip
