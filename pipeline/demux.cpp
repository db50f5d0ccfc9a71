#include "pipeline/demux.h"

namespace netzip {

Demux::Demux(sc_core::sc_module_name name, Direction direction, StageConfig const& config, Frequency nic_clock,
             PayloadWork& payload_work, QueuePairOrder& order)
    : sc_module(name),
      in("in", *this),
      accelerated("accelerated", *this),
      bypass("bypass", *this),
      direction_(direction),
      station_(direction == Direction::transmit ? Station::tx_demux : Station::rx_demux),
      config_(config),
      timer_(config, nic_clock),
      clock_(timer_.clock()),
      payload_work_(payload_work),
      order_(order),
      accelerated_slots_(config.slots),
      bypass_slots_(config.slots),
      recorder_(station_name(station_), 2 * config.slots) {}

bool Demux::goes_to_accelerator(Payload& payload, PacketTag const& tag) {
    if (direction_ == Direction::transmit) {
        if (tag.compress) payload_work_.keep_original(payload);
        return tag.compress;
    }
    if (tag.compress && !tag.compressed) payload_work_.observe_raw(payload);
    return tag.compressed;
}

void Demux::arrived(StreamInput&, Payload& payload, Duration head) {
    PacketTag& tag = tag_of(payload);
    bool const accelerate = goes_to_accelerator(payload, tag);
    if (direction_ == Direction::receive) tag.decompressor_in = head;
    order_.enter(tag, !accelerate);

    std::uint64_t const bytes = payload.get_data_length();
    HeldPacket const held = admit(timer_, head, tag.tail_at, bytes);
    taken_ = held.taken;
    (accelerate ? accelerated_slots_ : bypass_slots_).enter();
    (accelerate ? to_accelerator_ : to_bypass_).push_back(held);
    recorder_.entered(bytes, to_accelerator_.size() + to_bypass_.size());
    (accelerate ? accelerated : bypass).push(payload);
    grant();
}

Departure Demux::depart(StreamOutput& port, Payload& payload, Duration sink_ready) {
    auto& queue = &port == &accelerated ? to_accelerator_ : to_bypass_;
    HeldPacket const packet = queue.front();
    queue.pop_front();
    Departure const departure = packet.leave(clock_, payload.get_data_length(), config_.width, sink_ready);
    tag_of(payload).stamp(station_, departure.tail);
    recorder_.left(tag_of(payload), payload.get_data_length(), packet.head_in, departure.tail);
    (&port == &accelerated ? accelerated_slots_ : bypass_slots_).leave(packet.frees_slot(config_, clock_, departure));
    grant();
    return departure;
}

/// The next packet may go either way: it needs a slot on both sides.
void Demux::grant() {
    if (!in.holding() || !accelerated_slots_.known() || !bypass_slots_.known()) return;
    Duration const slot = std::max({taken_, accelerated_slots_.next(), bypass_slots_.next()});
    recorder_.blocked(taken_, slot);
    in.release(slot);
}

StageStats Demux::stats() const {
    StageStats stats = recorder_.stats();
    stats.busy = clock_.span(timer_.busy());
    stats.inside = to_accelerator_.size() + to_bypass_.size();
    if (!accelerated.ready()) stats.waits_for = accelerated.receiver();
    if (!bypass.ready()) stats.waits_for += (stats.waits_for.empty() ? "" : " and ") + bypass.receiver();
    return stats;
}

}  // namespace netzip
