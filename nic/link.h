#pragma once

#include "base/random.h"
#include "nic/experiment_config.h"
#include "pipeline/payload_pool.h"
#include "pipeline/stage_recorder.h"
#include "pipeline/stream_port.h"

namespace netzip {

/// One direction of a point-to-point link.
///
/// Models:          serialisation at `rate`, one frame at a time, then `propagation`; lost and damaged frames (seeded).
///                  A frame starts late enough that its bytes never run dry on the wire. The next one waits at the
///                  wire, so that frames follow each other without a gap of the sender's clock.
/// Approximates:    preamble, headers, CRC and gap as one constant, `frame_overhead`. Priority flow control is ideal:
///                  the sender pauses at once when the receiver is full, what is in flight waits at its door.
/// Does not model:  lane training, FEC, pause frames.
class Link : public sc_core::sc_module, public Watched, private StreamSink, private StreamSource {
public:
    StreamInput in;
    StreamOutput out;

    /// `index` tells links with the same seed apart.
    Link(sc_core::sc_module_name name, LinkConfig const& config, std::uint64_t index, Bytes reth, Bytes ack_frame);

    StageStats stats() const;
    void watch(Trace& trace, std::string const& track) override;
    std::uint64_t lost() const { return lost_; }
    std::uint64_t damaged() const { return damaged_; }
    Bytes wire_bytes() const { return wire_bytes_; }
    /// When the last frame was off the wire.
    Duration last_bit() const { return free_; }

    /// Bytes on the wire of this frame, gap included.
    Bytes frame_bytes(PacketTag const& tag) const;

private:
    struct Flight {
        Duration head;
        Duration tail;
        std::uint64_t bytes;
        Duration head_in;
    };
    /// A frame that counts as in flight until `gone`; `known` once the receiver said when it takes it.
    struct Held {
        std::uint64_t bytes = 0;
        Duration gone;
        bool known = false;
    };
    void arrived(StreamInput& port, Payload& payload, Duration head) override;
    Departure depart(StreamOutput& port, Payload& payload, Duration sink_ready) override;
    bool happens(std::uint64_t threshold, std::uint64_t salt);
    void damage(Payload& payload);
    void capture(Payload& payload, Duration start);
    void grant();

    LinkConfig config_;
    std::uint64_t index_;
    CounterRandom random_;
    Bytes reth_;
    Bytes ack_frame_;
    std::uint64_t loss_threshold_;
    Bytes most_in_flight_;
    Ring<Flight> flight_;
    Ring<Held> held_;
    std::size_t first_unknown_ = 0;  ///< in held_
    Bytes in_flight_;                ///< of held_
    Duration free_;
    Duration slot_;
    std::uint64_t frames_ = 0;
    std::uint64_t lost_ = 0;
    std::uint64_t damaged_ = 0;
    Bytes wire_bytes_;
    Duration busy_;
    StageRecorder recorder_;
    Trace* trace_ = nullptr;
    ByteBuffer captured_;
};

/// The probability that at least one of `bits` is wrong, as a threshold of 64 random bits; in fixed point, since
/// libraries differ in the last place of pow().
std::uint64_t frame_error_threshold(double bit_error_rate, std::uint64_t bits);

}  // namespace netzip
