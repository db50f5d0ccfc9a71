#pragma once

#include "models/timing/stage_timing.h"
#include "pipeline/held_packet.h"
#include "pipeline/payload_work.h"
#include "pipeline/queue_pair_order.h"
#include "pipeline/slot_ring.h"
#include "pipeline/stage_recorder.h"

namespace netzip {

/// Separates the packets for the accelerator from those that bypass it.
///
/// Models:          header parse and one packet at a time; a full buffer on either side holds up both.
/// Approximates:    each output has `slots` whole-packet slots of its own.
/// Does not model:  look-ahead past a packet that waits.
class Demux : public sc_core::sc_module, public Watched, private StreamSink, private StreamSource {
public:
    StreamInput in;
    StreamOutput accelerated;
    StreamOutput bypass;

    enum class Direction { transmit, receive };

    Demux(sc_core::sc_module_name name, Direction direction, StageConfig const& config, Frequency nic_clock,
          PayloadWork& payload_work, QueuePairOrder& order);

    StageStats stats() const;
    void watch(Trace& trace, std::string const& track) override { recorder_.watch(trace, track); }

private:
    void arrived(StreamInput& port, Payload& payload, Duration head) override;
    Departure depart(StreamOutput& port, Payload& payload, Duration sink_ready) override;
    bool goes_to_accelerator(Payload& payload, PacketTag const& tag);
    void grant();

    Direction direction_;
    Station station_;
    StageConfig config_;
    StageTimer timer_;
    ClockDomain clock_;
    PayloadWork& payload_work_;
    QueuePairOrder& order_;
    Ring<HeldPacket> to_accelerator_;
    Ring<HeldPacket> to_bypass_;
    Duration taken_;
    SlotRing accelerated_slots_;
    SlotRing bypass_slots_;
    StageRecorder recorder_;
};

}  // namespace netzip
