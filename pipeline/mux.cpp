#include "pipeline/mux.h"

namespace netzip {

Mux::Mux(sc_core::sc_module_name name, Station station, StageConfig const& config, Frequency nic_clock,
         UpstreamClocks const& upstream, QueuePairOrder& order)
    : sc_module(name),
      accelerated("accelerated", *this),
      bypass("bypass", *this),
      out("out", *this),
      station_(station),
      config_(config),
      timer_(config, nic_clock, config.clock),  // each input pays its own crossing
      clock_(timer_.clock()),
      crossing_{crossing_cycles(config, nic_clock, upstream.accelerated),
                crossing_cycles(config, nic_clock, upstream.bypass)},
      order_(order),
      slots_(config.slots),
      wake_([this] { arbitrate(); }),
      recorder_(station_name(station), config.slots) {}

void Mux::arrived(StreamInput& port, Payload& payload, Duration head) {
    std::size_t const index = &port == &accelerated ? 0 : 1;
    Candidate& candidate = candidates_[index];
    candidate = {&payload, head, tag_of(payload).tail_at};
    if (crossing_[index] > Cycles::zero()) {
        candidate.head = clock_.after(candidate.head, crossing_[index]);
        candidate.tail = clock_.after(candidate.tail, crossing_[index]);
    }
    schedule();
}

/// Wakes the mux for the first moment at which it could let a packet go.
void Mux::schedule() {
    if (!slots_.known()) return;  // a departure tells
    Duration head = Duration::max();
    for (Candidate const& candidate : candidates_) {
        if (candidate.payload != nullptr && order_.oldest(tag_of(*candidate.payload))) {
            head = std::min(head, candidate.head);
        }
    }
    if (head != Duration::max()) wake_.at(std::max({head, free_, slots_.next()}));
}

void Mux::arbitrate() {
    // The order of arrivals within an instant must not matter: while packets are on both paths, decide a round later,
    // when all that arrives now is there. What enters the demux now comes later (the bypass takes at least a cycle).
    settling_ = !settling_ && order_.bypassing() > 0 && order_.accelerated() > 0;
    if (settling_) return wake_.again();
    if (slots_.known() && std::max(free_, slots_.next()) <= now()) {
        std::size_t chosen = candidates_.size();
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            Candidate const& candidate = candidates_[i];
            if (candidate.payload == nullptr || !order_.oldest(tag_of(*candidate.payload))) continue;
            if (candidate.head > now()) continue;
            if (chosen == candidates_.size() || candidate.head < candidates_[chosen].head) chosen = i;
        }
        if (chosen < candidates_.size()) admit(chosen);
    }
    schedule();
}

void Mux::admit(std::size_t port) {
    Candidate const packet = candidates_[port];
    candidates_[port].payload = nullptr;
    Payload& payload = *packet.payload;
    std::uint64_t const bytes = payload.get_data_length();
    // What waited for its turn may be there since long, also its last byte.
    HeldPacket held = netzip::admit(timer_, std::max(packet.head, now()), std::max(packet.tail, now()), bytes);
    held.head_in = packet.head;
    free_ = held.taken;
    leaving_.push_back(held);
    slots_.enter();
    recorder_.entered(bytes, leaving_.size());
    pause_counted_ = false;
    order_.leave(tag_of(payload));
    (port == 0 ? accelerated : bypass).release(held.taken);
    out.push(payload);
    count_pause();
}

/// Once per packet, as soon as it is known when the next one has a slot.
void Mux::count_pause() {
    if (pause_counted_ || !slots_.known()) return;
    pause_counted_ = true;
    recorder_.blocked(free_, slots_.next());
}

Departure Mux::depart(StreamOutput&, Payload& payload, Duration sink_ready) {
    HeldPacket const packet = leaving_.front();
    leaving_.pop_front();
    Departure const departure = packet.leave(clock_, payload.get_data_length(), config_.width, sink_ready);
    tag_of(payload).stamp(station_, departure.tail);
    recorder_.left(tag_of(payload), payload.get_data_length(), packet.head_in, departure.tail);
    bool const was_full = !slots_.known();
    slots_.leave(packet.frees_slot(config_, clock_, departure));
    count_pause();
    if (was_full) schedule();
    return departure;
}

StageStats Mux::stats() const {
    StageStats stats = recorder_.stats();
    stats.busy = clock_.span(timer_.busy());
    stats.inside = leaving_.size();
    if (!out.ready()) stats.waits_for = out.receiver();
    return stats;
}

}  // namespace netzip
