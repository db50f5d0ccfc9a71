#pragma once

#include <functional>
#include <vector>

#include "models/timing/stage_timing.h"
#include "nic/nic_config.h"
#include "nic/reliability.h"
#include "pipeline/calendar.h"
#include "pipeline/held_packet.h"
#include "pipeline/payload_pool.h"
#include "pipeline/slot_ring.h"
#include "pipeline/stage_recorder.h"

namespace netzip {

/// Protocol engine: RoCEv2 reliable connections between the packet stream of the NIC and the link.
///
/// Models:          sequence numbers, a window per queue pair, coalesced acknowledgements, go-back-N on a negative
///                  acknowledgement or a time-out; check sums (a damaged frame is dropped), so receiving is
///                  store-and-forward. Acknowledgements go first, then resends, then new packets.
/// Approximates:    resends come from a buffer in the NIC, without a second DMA read. A closed window holds up the
///                  packets of all queue pairs behind it.
/// Does not model:  congestion control, connection set-up, reads and atomics.
class ProtocolEngine : public sc_core::sc_module, public Watched, private StreamSink, private StreamSource {
public:
    StreamInput in;         ///< packets to send
    StreamOutput wire_out;  ///< frames to the link
    StreamInput wire_in;    ///< frames from the link
    StreamOutput out;       ///< received packets, in order within each queue pair

    /// Called when a message's last packet is acknowledged, with the tag of that packet.
    using MessageDone = std::function<void(PacketTag const&)>;

    ProtocolEngine(sc_core::sc_module_name name, ProtocolConfig const& config, Frequency nic_clock, Bytes packet_header,
                   PayloadPool& pool, MessageDone message_done);

    /// Frames may get lost: resends compete with new packets. Changes the cost of a decision, never its outcome.
    void expect_losses() { lossy_ = true; }

    struct Counters {
        std::uint64_t frames_sent = 0;
        std::uint64_t resent = 0;
        std::uint64_t timeouts = 0;
        std::uint64_t acknowledgements = 0;
        std::uint64_t negative = 0;
        std::uint64_t damaged = 0;
        std::uint64_t duplicates = 0;
        std::uint64_t out_of_order = 0;
        Duration window_closed;  ///< time in which a packet was there and the window was not open
    };
    Counters const& counters() const { return counters_; }
    StageStats send_stats() const;
    StageStats receive_stats() const;
    void watch(Trace& trace, std::string const& track) override;

private:
    struct Waiting {
        Payload* payload;
        HeldPacket times;
    };
    struct AckDeadline {
        Duration at;
        std::uint16_t queue_pair;
    };

    void arrived(StreamInput& port, Payload& payload, Duration head) override;
    Departure depart(StreamOutput& port, Payload& payload, Duration sink_ready) override;
    void slot_free(StreamOutput& port, Duration at) override;

    // Sending.
    void accept_packet(Payload& payload, Duration head);
    void grant_packet();
    void transmit();
    bool send_acknowledgement();
    bool send_resend();
    bool send_new();
    void unacknowledged(std::int64_t change);
    void send_frame(Payload& kept, Duration head, Duration tail);
    bool may_compete() const;
    bool has_resend() const;
    void schedule();
    void check_timeouts();
    void arm_timer(Duration deadline);

    // Receiving.
    void accept_frame(Payload& payload, Duration head);
    void grant_frame();
    void receive();
    void drop(Payload& payload);
    void receive_data(Payload& payload, HeldPacket const& times);
    void receive_acknowledgement(PacketTag const& tag);
    void acknowledge(std::uint16_t queue_pair, bool negative);
    void check_ack_deadlines();

    SendWindow& window(std::uint16_t queue_pair);
    ReceiveOrder& order(std::uint16_t queue_pair);

    ProtocolConfig config_;
    ClockDomain clock_;
    Bytes packet_header_;
    PayloadPool& pool_;
    MessageDone message_done_;

    StageTimer send_timer_;
    Ring<Waiting> to_send_;
    Duration send_taken_;
    Duration send_slot_;
    Ring<Payload*> acknowledgements_;
    std::vector<SendWindow> windows_;
    std::size_t next_resend_ = 0;
    HeldPacket frame_;
    Duration blocked_since_;
    bool window_blocks_ = false;
    Duration timer_at_ = Duration::max();

    StageTimer receive_timer_;
    Ring<Waiting> frames_;
    Ring<HeldPacket> to_deliver_;
    Duration frame_taken_;
    SlotRing receive_slots_;
    std::vector<ReceiveOrder> orders_;
    std::vector<Duration> ack_due_;
    Ring<AckDeadline> ack_deadlines_;

    Wakeup wake_;
    Wakeup timer_;
    Wakeup receive_;
    Wakeup ack_timer_;
    bool settling_ = false;
    bool timer_settling_ = false;
    bool ack_settling_ = false;
    bool lossy_ = false;
    Counters counters_;
    StageRecorder send_;
    StageRecorder receive_recorder_;
    Trace* trace_ = nullptr;
    std::string window_track_;
    std::uint64_t unacknowledged_ = 0;
};

}  // namespace netzip
