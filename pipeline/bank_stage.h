#pragma once

#include <vector>

#include "models/timing/compressor_bank.h"
#include "pipeline/held_packet.h"
#include "pipeline/payload_work.h"
#include "pipeline/queue_pair_order.h"
#include "pipeline/stage_stats.h"

namespace netzip {

/// A bank of engines between two streams: packets go to engines and leave, one at a time, in order within each queue
/// pair (or in order of arrival).
///
/// Models:          which engine takes which packet, how long each really needs, and the wait for the output.
/// Approximates:    an engine has an output buffer of its own: a packet leaves at the width of the stream once it is
///                  complete, since its size must be known before it is sent.
/// Does not model:  the wiring between engines and the output beyond its latency.
class BankStage : public sc_core::sc_module, private StreamSink, private StreamSource {
public:
    StreamInput in;
    StreamOutput out;

    StageStats stats() const;

protected:
    struct Shape {
        Station station;
        BankOrder order;
        Bytes width;
        std::uint64_t slots;
        Frequency clock;
    };
    BankStage(sc_core::sc_module_name name, Shape const& shape, QueuePairOrder& order);

    /// Works on the packet and says when.
    virtual BankTimes process(Payload& payload, PacketTag& tag, Duration head) = 0;
    /// When the first engine can take another packet.
    virtual Duration engine_free() const = 0;
    virtual Duration busy() const = 0;
    virtual std::uint64_t engines() const = 0;

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
    std::size_t choose(Duration& next);
    void send(std::size_t pair);
    void grant();
    void wake(Duration at);

    Shape shape_;
    ClockDomain clock_;
    QueuePairOrder& order_;
    std::vector<Ring<Done>> pairs_;
    std::vector<std::uint16_t> active_;  ///< queue pairs with a packet inside
    HeldPacket leaving_{};
    Duration input_free_;
    Duration slot_;
    std::uint64_t arrivals_ = 0;
    std::uint64_t inside_ = 0;
    sc_core::sc_event wake_;
    bool settling_ = false;
    StageStats stats_;
};

}  // namespace netzip
