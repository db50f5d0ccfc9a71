#pragma once

#include <memory>
#include <vector>

#include "models/timing/compressor_bank.h"
#include "pipeline/calendar.h"
#include "pipeline/held_packet.h"
#include "pipeline/payload_work.h"
#include "pipeline/queue_pair_order.h"
#include "pipeline/stage_recorder.h"

namespace netzip {

/// A bank of engines between two streams: packets go to engines and leave, one at a time, in order within each queue
/// pair (or in order of arrival).
///
/// Models:          which engine takes which packet, how long each really needs, and the wait for the output.
/// Approximates:    an engine has an output buffer of its own: a packet leaves at the width of the stream once it is
///                  complete, since its size must be known before it is sent.
/// Does not model:  the wiring between engines and the output beyond its latency.
class BankStage : public sc_core::sc_module, public Watched, private StreamSink, private StreamSource {
public:
    StreamInput in;
    StreamOutput out;

    StageStats stats() const;
    void watch(Trace& trace, std::string const& track) override { recorder_.watch(trace, track); }

protected:
    struct Shape {
        Station station;
        ResultOrder order;
        std::uint64_t output_width;  ///< bytes per cycle
        std::uint64_t slots;         ///< packets inside at most; for the report
    };
    BankStage(sc_core::sc_module_name name, Shape const& shape, QueuePairOrder& order,
              std::unique_ptr<EngineBank> bank);

    /// Works on the bytes; the result is valid until the next call.
    virtual CodecWork const& work(Payload& payload) = 0;
    /// Keeps what a report wants of the packet.
    virtual void timed(PacketTag& tag, CodecWork const& work, BankTimes const& times) = 0;

private:
    struct Done {
        Payload* payload;
        Duration complete;
        Duration head_in;
        std::uint64_t arrival;
    };
    void arrived(StreamInput& port, Payload& payload, Duration head) override;
    Departure depart(StreamOutput& port, Payload& payload, Duration sink_ready) override;
    void slot_free(StreamOutput& port, Duration at) override;
    void arbitrate();
    void schedule();
    std::size_t choose(Duration& next);
    void send(std::size_t pair);
    void grant();

    Shape shape_;
    QueuePairOrder& order_;
    std::unique_ptr<EngineBank> bank_;
    ClockDomain clock_;
    std::vector<Ring<Done>> pairs_;
    std::vector<std::uint16_t> active_;  ///< queue pairs with a packet inside
    HeldPacket leaving_{};
    Duration taken_;
    std::uint64_t arrivals_ = 0;
    std::uint64_t inside_ = 0;
    Wakeup wake_;
    bool settling_ = false;
    StageRecorder recorder_;
};

}  // namespace netzip
