#include "nic/link.h"

#include <algorithm>
#include <cmath>

#include "models/packet_codec.h"

namespace netzip {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kLossSalt = 1;
constexpr std::uint64_t kErrorSalt = 2;
constexpr std::uint64_t kPlaceSalt = 3;
constexpr std::uint64_t kSalts = 4;

/// `p` of 2^64, exact for the doubles 0 and 1.
std::uint64_t threshold_of(double p) {
    if (p <= 0.0) return 0;
    if (p >= 1.0) return ~std::uint64_t{0};
    return static_cast<std::uint64_t>(std::ldexp(p, 64));
}

}  // namespace

std::uint64_t frame_error_threshold(double bit_error_rate, std::uint64_t bits) {
    // All bits right: (1 - p)^bits by squaring, in 64 fractional bits.
    auto const multiply = [](std::uint64_t a, std::uint64_t b) {
        return static_cast<std::uint64_t>((Wide{a} * b + (Wide{1} << 63)) >> 64);
    };
    std::uint64_t const wrong = threshold_of(bit_error_rate);
    if (wrong == 0) return 0;
    std::uint64_t power = ~wrong;
    std::uint64_t all_right = ~std::uint64_t{0};
    for (std::uint64_t n = bits; n != 0; n >>= 1) {
        if ((n & 1) != 0) all_right = multiply(all_right, power);
        power = multiply(power, power);
    }
    return ~all_right;
}

Link::Link(sc_core::sc_module_name name, LinkConfig const& config, std::uint64_t index, Bytes reth, Bytes ack_frame)
    : sc_module(name),
      in("in", *this),
      out("out", *this),
      config_(config),
      index_(index),
      random_(CounterRandom(config.seed).stream(index)),
      reth_(reth),
      ack_frame_(ack_frame),
      loss_threshold_(threshold_of(config.loss)),
      recorder_(station_name(Station::link), 0) {
    // What the flight time holds, and two frames of the largest packet at each end.
    Wide const held = Wide{config.rate.count()} * config.propagation.count() / (8 * Wide{kFemtosecondsPerSecond});
    most_in_flight_ = Bytes{static_cast<std::uint64_t>(held)} + Bytes{4 * kMaximumPacketBytes};
}

Bytes Link::frame_bytes(PacketTag const& tag) const {
    if (tag.acknowledgement) return ack_frame_;
    // RoCEv2 pads the payload to four bytes.
    constexpr std::uint64_t kPad = 4;
    Bytes const padded{(tag.wire_payload + kPad - 1) / kPad * kPad};
    return padded + config_.frame_overhead + (tag.first_of_message ? reth_ : Bytes::zero());
}

bool Link::happens(std::uint64_t threshold, std::uint64_t salt) {
    if (threshold == 0) return false;
    if (threshold == ~std::uint64_t{0}) return true;
    return random_.at(frames_ * kSalts + salt) < threshold;
}

void Link::damage(Payload& payload) {
    tag_of(payload).damaged = true;
    ++damaged_;
    if (payload.get_data_ptr() == nullptr || payload.get_data_length() == 0) return;
    std::uint64_t const place = random_.at(frames_ * kSalts + kPlaceSalt);
    std::uint64_t const bit = place % (std::uint64_t{8} * payload.get_data_length());
    payload.get_data_ptr()[bit / 8] ^= static_cast<unsigned char>(1u << (bit % 8));
}

void Link::arrived(StreamInput&, Payload& payload, Duration head) {
    PacketTag& tag = tag_of(payload);
    Bytes const frame = frame_bytes(tag);
    Duration const serialisation = transfer_time(frame, config_.rate);
    Duration start = std::max(head, free_);
    if (tag.tail_at > start + serialisation) start = tag.tail_at - serialisation;
    free_ = start + serialisation;
    slot_ = start;

    ++frames_;
    wire_bytes_ += frame;
    busy_ += serialisation;
    recorder_.entered(frame.count(), flight_.size() + 1);
    if (trace_ != nullptr) capture(payload, start);
    tag.stamp(Station::link, free_ + config_.propagation);
    if (happens(loss_threshold_, kLossSalt)) {
        ++lost_;
        payload.release();
    } else {
        std::uint64_t const bits = 8 * frame.count();
        if (config_.bit_error_rate > 0.0 && happens(frame_error_threshold(config_.bit_error_rate, bits), kErrorSalt)) {
            damage(payload);
        }
        in_flight_ += frame;
        held_.push_back({frame.count(), Duration::zero(), false});
        flight_.push_back({start + config_.propagation, free_ + config_.propagation, frame.count(), head});
        out.push(payload);
    }
    grant();
}

Departure Link::depart(StreamOutput&, Payload& payload, Duration sink_ready) {
    Flight const flight = flight_.front();
    flight_.pop_front();
    Duration const held = sink_ready > flight.head ? sink_ready - flight.head : Duration::zero();
    recorder_.left(tag_of(payload), flight.bytes, flight.head_in, flight.tail + held);
    Held& departed = held_[first_unknown_++];
    departed.known = true;
    departed.gone = flight.head + held;
    tag_of(payload).stamp(Station::link, flight.tail + held);
    grant();
    return {flight.head + held, flight.tail + held};
}

void Link::grant() {
    if (!in.holding()) return;
    // Frames whose departure is known stop counting only when the room is needed: departures are told ahead of time.
    while (in_flight_ > most_in_flight_) {
        if (!held_.front().known) return;
        slot_ = std::max(slot_, held_.front().gone);
        in_flight_ -= Bytes{held_.front().bytes};
        held_.pop_front();
        --first_unknown_;
    }
    slot_ = std::max(slot_, now());
    recorder_.blocked(free_, slot_);  // a pause; to wait for the wire is to be busy
    in.release(slot_);
}

void Link::watch(Trace& trace, std::string const& track) {
    trace_ = &trace;
    recorder_.watch(trace, track);
}

/// What a capture at the sender's end sees: the NetZIP header stands before the payload where there is one.
void Link::capture(Payload& payload, Duration start) {
    PacketTag const& tag = tag_of(payload);
    WireFrame frame;
    frame.time = start;
    frame.from = static_cast<std::uint32_t>(index_ % 2);
    frame.to = 1 - frame.from;
    // Queue pairs 0 and 1 are for management.
    constexpr std::uint32_t kFirstQueuePair = 16;
    frame.queue_pair = kFirstQueuePair + tag.queue_pair;
    frame.psn = static_cast<std::uint32_t>(tag.qp_sequence);
    frame.acknowledgement = tag.acknowledgement;
    frame.negative = tag.negative;
    frame.first = tag.first_of_message;
    frame.last = tag.last_of_message;
    frame.ask_acknowledgement = tag.last_of_message;
    frame.address = tag.target_address;
    frame.message_bytes = tag.message_bytes;
    frame.payload_bytes = tag.wire_payload;
    captured_.clear();
    if (payload.get_data_ptr() != nullptr) {
        if (tag.wire_payload > payload.get_data_length()) {
            constexpr std::uint16_t kFlag = 0x8000;
            auto const header = static_cast<std::uint16_t>((tag.compressed ? kFlag : 0) | tag.layer);
            captured_ = {static_cast<std::uint8_t>(header >> 8), static_cast<std::uint8_t>(header)};
        }
        captured_.insert(captured_.end(), payload.get_data_ptr(), payload.get_data_ptr() + payload.get_data_length());
        frame.payload = captured_;
    }
    trace_->frame(frame);
}

StageStats Link::stats() const {
    StageStats stats = recorder_.stats();
    stats.busy = busy_;
    stats.inside = flight_.size();
    if (!out.ready()) stats.waits_for = out.receiver();
    return stats;
}

}  // namespace netzip
