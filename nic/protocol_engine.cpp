#include "nic/protocol_engine.h"

#include <algorithm>

#include "base/error.h"

namespace netzip {
namespace {

StageConfig timing_of(ProtocolConfig const& config, Admission admission) {
    StageConfig stage;
    stage.width = config.width;
    stage.latency = config.latency;
    stage.admission = admission;
    return stage;
}

}  // namespace

ProtocolEngine::ProtocolEngine(sc_core::sc_module_name name, ProtocolConfig const& config, Frequency nic_clock,
                               Bytes packet_header, PayloadPool& pool, MessageDone message_done)
    : sc_module(name),
      in("in", *this),
      wire_out("wire_out", *this),
      wire_in("wire_in", *this),
      out("out", *this),
      config_(config),
      clock_(nic_clock),
      packet_header_(packet_header),
      pool_(pool),
      message_done_(std::move(message_done)),
      send_timer_(timing_of(config, Admission::cut_through), nic_clock),
      receive_timer_(timing_of(config, Admission::store_and_forward), nic_clock),
      receive_slots_(config.rx_buffer),
      wake_([this] { transmit(); }),
      timer_([this] { check_timeouts(); }),
      receive_([this] { receive(); }),
      ack_timer_([this] { check_ack_deadlines(); }),
      send_(station_name(Station::protocol_tx), config.tx_buffer),
      receive_recorder_(station_name(Station::protocol_rx), config.rx_buffer) {}

void ProtocolEngine::arrived(StreamInput& port, Payload& payload, Duration head) {
    if (&port == &in) {
        accept_packet(payload, head);
    } else {
        accept_frame(payload, head);
    }
}

Departure ProtocolEngine::depart(StreamOutput& port, Payload& payload, Duration sink_ready) {
    bool const sending = &port == &wire_out;
    HeldPacket const packet = sending ? frame_ : to_deliver_.front();
    Departure const departure = packet.leave(clock_, payload.get_data_length(), config_.width, sink_ready);
    PacketTag& tag = tag_of(payload);
    if (sending) {
        tag.stamp(Station::protocol_tx, departure.tail);
        return departure;
    }
    to_deliver_.pop_front();
    tag.stamp(Station::protocol_rx, departure.tail);
    receive_recorder_.left(tag, payload.get_data_length(), packet.head_in, departure.tail);
    receive_slots_.leave(departure.head);
    grant_frame();
    return departure;
}

void ProtocolEngine::slot_free(StreamOutput& port, Duration) {
    if (&port == &wire_out) schedule();
}

/// Acknowledgements, resends and new packets: whether more than one kind can be there.
bool ProtocolEngine::may_compete() const {
    return (!orders_.empty() && !windows_.empty()) || counters_.timeouts > 0 || lossy_;
}

bool ProtocolEngine::has_resend() const {
    return std::any_of(windows_.begin(), windows_.end(), [](SendWindow const& w) { return w.has_resend(); });
}

/// Wakes the transmitter when the link is free and there is something to send.
void ProtocolEngine::schedule() {
    if (!wire_out.ready()) return;
    Duration next = Duration::max();
    if (!to_send_.empty()) {
        Waiting const& packet = to_send_.front();
        bool const open = !window_blocks_ || window(tag_of(*packet.payload).queue_pair).open();
        if (open) next = packet.times.head;
    }
    if (!acknowledgements_.empty() || has_resend()) next = now();
    if (next != Duration::max()) wake_.at(std::max(next, wire_out.free_at()));
}

// ---- sending

void ProtocolEngine::accept_packet(Payload& payload, Duration head) {
    PacketTag& tag = tag_of(payload);
    std::uint64_t const bytes = payload.get_data_length();
    tag.wire_payload = static_cast<std::uint32_t>(bytes + packet_header_.count());
    HeldPacket const held = admit(send_timer_, head, tag.tail_at, bytes);
    send_taken_ = send_slot_ = held.taken;
    to_send_.push_back({&payload, held});
    send_.entered(bytes, to_send_.size());
    schedule();
    grant_packet();
}

void ProtocolEngine::grant_packet() {
    if (!in.holding() || to_send_.size() >= config_.tx_buffer) return;
    send_.blocked(send_taken_, send_slot_);
    in.release(send_slot_);
}

void ProtocolEngine::transmit() {
    // The order of arrivals within an instant must not matter: where kinds of frames compete, decide a round later,
    // when all that arrives now is there.
    settling_ = !settling_ && may_compete();
    if (settling_) return wake_.again();
    if (!wire_out.ready()) return;
    if (wire_out.free_at() > now()) return schedule();
    static_cast<void>(send_acknowledgement() || send_resend() || send_new());
}

bool ProtocolEngine::send_acknowledgement() {
    if (acknowledgements_.empty()) return false;
    Payload& payload = *acknowledgements_.front();
    acknowledgements_.pop_front();
    PacketTag const& tag = tag_of(payload);
    ++(tag.negative ? counters_.negative : counters_.acknowledgements);
    Duration const edge = clock_.edge_at_or_after(now());
    frame_ = {edge, edge, edge};
    wire_out.push(payload);
    return true;
}

bool ProtocolEngine::send_resend() {
    for (std::size_t i = 0; i < windows_.size(); ++i) {
        std::size_t const pair = (next_resend_ + i) % windows_.size();
        if (!windows_[pair].has_resend()) continue;
        next_resend_ = pair + 1;
        Payload& kept = windows_[pair].take_resend(now());
        ++counters_.resent;
        Duration const edge = clock_.edge_at_or_after(now());
        send_frame(kept, edge, clock_.after(edge, beats(kept.get_data_length(), config_.width.count())));
        return true;
    }
    return false;
}

bool ProtocolEngine::send_new() {
    if (to_send_.empty()) return false;
    Waiting const packet = to_send_.front();
    if (packet.times.head > now()) {
        wake_.at(packet.times.head);
        return false;
    }
    PacketTag const& tag = tag_of(*packet.payload);
    SendWindow& sender = window(tag.queue_pair);
    if (!sender.open()) {
        if (!window_blocks_) blocked_since_ = now();
        window_blocks_ = true;
        return false;  // the acknowledgement that opens it wakes us
    }
    if (window_blocks_) counters_.window_closed += now() - blocked_since_;
    window_blocks_ = false;
    to_send_.pop_front();
    sender.sent(*packet.payload, now());
    send_.left(tag, tag.wire_payload, packet.times.head_in, now());
    unacknowledged(1);
    send_slot_ = std::max(send_slot_, now());
    arm_timer(now() + config_.timeout);
    send_frame(*packet.payload, packet.times.head, packet.times.tail);
    grant_packet();
    return true;
}

void ProtocolEngine::send_frame(Payload& kept, Duration head, Duration tail) {
    ++counters_.frames_sent;
    ++tag_of(kept).transmissions;
    frame_ = {std::max(head, clock_.edge_at_or_after(now())), tail, now()};
    std::uint64_t const bytes = kept.get_data_length();
    frame_.tail = std::max(tail, clock_.after(frame_.head, beats(bytes, config_.width.count())));
    wire_out.push(pool_.clone(kept));
}

void ProtocolEngine::arm_timer(Duration deadline) {
    // A later deadline never re-arms: the timer looks for the next one when it fires.
    if (deadline >= timer_at_) return;
    timer_at_ = deadline;
    timer_.at(deadline);
}

void ProtocolEngine::check_timeouts() {
    // An acknowledgement that arrives at this very instant is in time: look a round later.
    timer_settling_ = !timer_settling_;
    if (timer_settling_) return timer_.again();
    timer_at_ = Duration::max();
    Duration next = Duration::max();
    for (std::size_t pair = 0; pair < windows_.size(); ++pair) {
        SendWindow& sender = windows_[pair];
        if (!sender.waiting()) continue;
        Duration const deadline = sender.progress() + config_.timeout;
        if (deadline > now()) {
            next = std::min(next, deadline);
            continue;
        }
        ++counters_.timeouts;
        if (sender.timed_out(now()) > config_.retries) {
            throw RunError(std::string(name()) + ": queue pair " + std::to_string(pair) + ": packet " +
                           std::to_string(sender.oldest()) + " was not acknowledged after " +
                           std::to_string(config_.retries) + " time-outs of " + to_string(config_.timeout) +
                           "; is the link's loss too high?");
        }
        next = std::min(next, now() + config_.timeout);
        wake_.at(now());
    }
    if (next != Duration::max()) arm_timer(next);
}

// ---- receiving

void ProtocolEngine::accept_frame(Payload& payload, Duration head) {
    PacketTag const& tag = tag_of(payload);
    std::uint64_t const bytes = payload.get_data_length();
    HeldPacket const held = admit(receive_timer_, head, tag.tail_at, bytes);
    frame_taken_ = tag.tail_at;
    if (!tag.acknowledgement) {
        receive_slots_.enter();
        receive_recorder_.entered(tag.wire_payload, frames_.size() + to_deliver_.size() + 1);
    }
    frames_.push_back({&payload, held});
    receive_.at(held.head);
    grant_frame();
}

void ProtocolEngine::grant_frame() {
    if (!wire_in.holding() || !receive_slots_.known()) return;
    Duration const slot = std::max({frame_taken_, receive_slots_.next(), now()});
    receive_recorder_.blocked(frame_taken_, slot);
    wire_in.release(slot);
}

void ProtocolEngine::receive() {
    while (!frames_.empty() && frames_.front().times.head <= now()) {
        Waiting const frame = frames_.front();
        frames_.pop_front();
        PacketTag const& tag = tag_of(*frame.payload);
        if (tag.damaged) {
            ++counters_.damaged;
            drop(*frame.payload);
        } else if (tag.acknowledgement) {
            receive_acknowledgement(tag);
            frame.payload->release();
        } else {
            receive_data(*frame.payload, frame.times);
        }
        grant_frame();
    }
    if (!frames_.empty()) receive_.at(frames_.front().times.head);
}

void ProtocolEngine::receive_data(Payload& payload, HeldPacket const& times) {
    PacketTag const& tag = tag_of(payload);
    std::uint16_t const pair = tag.queue_pair;
    bool const last_of_message = tag.last_of_message;
    ReceiveOrder& receiver = order(pair);
    switch (receiver.judge(tag.qp_sequence)) {
        case ReceiveOrder::Verdict::accept:
            to_deliver_.push_back(times);
            out.push(payload);  // from here on it is somebody else's
            if (receiver.due(config_.ack_every, last_of_message)) {
                acknowledge(pair, false);
            } else if (receiver.unacknowledged() == 1) {
                Duration const deadline = now() + config_.ack_delay;
                ack_due_[pair] = deadline;
                ack_deadlines_.push_back({deadline, pair});
                if (ack_deadlines_.size() == 1) ack_timer_.at(deadline);
            }
            return;
        case ReceiveOrder::Verdict::duplicate:
            ++counters_.duplicates;
            acknowledge(pair, false);
            break;
        case ReceiveOrder::Verdict::gap:
            ++counters_.out_of_order;
            if (receiver.first_of_gap()) acknowledge(pair, true);
            break;
    }
    drop(payload);
}

void ProtocolEngine::drop(Payload& payload) {
    if (!tag_of(payload).acknowledgement) receive_slots_.leave(now());
    payload.release();
}

void ProtocolEngine::acknowledge(std::uint16_t queue_pair, bool negative) {
    ReceiveOrder& receiver = order(queue_pair);
    receiver.answered();
    ack_due_[queue_pair] = Duration::max();
    Payload* payload = nullptr;
    for (std::size_t i = 0; i < acknowledgements_.size(); ++i) {
        if (tag_of(*acknowledgements_[i]).queue_pair == queue_pair) payload = acknowledgements_[i];
    }
    if (payload == nullptr) {
        payload = &pool_.take();
        acknowledgements_.push_back(payload);
    }
    PacketTag& tag = tag_of(*payload);
    tag.acknowledgement = true;
    tag.negative = tag.negative || negative;
    tag.queue_pair = queue_pair;
    tag.qp_sequence = receiver.expected();
    wake_.at(now());
}

void ProtocolEngine::receive_acknowledgement(PacketTag const& tag) {
    SendWindow& sender = window(tag.queue_pair);
    sender.acknowledged(tag.qp_sequence, now(), [this](Payload& kept) {
        PacketTag const& sent = tag_of(kept);
        if (sent.last_of_message) message_done_(sent);
        unacknowledged(-1);
        kept.release();
    });
    if (tag.negative) sender.go_back();
    wake_.at(now());
}

void ProtocolEngine::check_ack_deadlines() {
    // A packet that arrives at this very instant is acknowledged with the others: look a round later.
    ack_settling_ = !ack_settling_;
    if (ack_settling_) return ack_timer_.again();
    while (!ack_deadlines_.empty() && ack_deadlines_.front().at <= now()) {
        std::uint16_t const pair = ack_deadlines_.front().queue_pair;
        bool const due = ack_due_[pair] == ack_deadlines_.front().at;
        ack_deadlines_.pop_front();
        if (due) acknowledge(pair, false);
    }
    if (!ack_deadlines_.empty()) ack_timer_.at(ack_deadlines_.front().at);
}

SendWindow& ProtocolEngine::window(std::uint16_t queue_pair) {
    while (windows_.size() <= queue_pair) windows_.emplace_back(config_.window);
    return windows_[queue_pair];
}

ReceiveOrder& ProtocolEngine::order(std::uint16_t queue_pair) {
    if (orders_.size() <= queue_pair) {
        orders_.resize(queue_pair + std::size_t{1});
        ack_due_.resize(queue_pair + std::size_t{1}, Duration::max());
    }
    return orders_[queue_pair];
}

void ProtocolEngine::watch(Trace& trace, std::string const& track) {
    trace_ = &trace;
    window_track_ = track + ".unacknowledged";
    send_.watch(trace, track + ".send");
    receive_recorder_.watch(trace, track + ".receive");
}

void ProtocolEngine::unacknowledged(std::int64_t change) {
    unacknowledged_ += static_cast<std::uint64_t>(change);
    if (trace_ != nullptr) trace_->level(window_track_, now(), unacknowledged_);
}

StageStats ProtocolEngine::send_stats() const {
    StageStats stats = send_.stats();
    stats.busy = clock_.span(send_timer_.busy());
    stats.inside = to_send_.size();
    if (!wire_out.ready()) {
        stats.waits_for = wire_out.receiver();
    } else if (window_blocks_) {
        stats.waits_for = "an acknowledgement (window closed)";
    }
    return stats;
}

StageStats ProtocolEngine::receive_stats() const {
    StageStats stats = receive_recorder_.stats();
    stats.busy = clock_.span(receive_timer_.busy());
    stats.inside = frames_.size() + to_deliver_.size();
    if (!out.ready()) stats.waits_for = out.receiver();
    return stats;
}

}  // namespace netzip
