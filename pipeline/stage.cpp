#include "pipeline/stage.h"

#include <algorithm>

namespace netzip {

Stage::Stage(std::string name, Station station, StageConfig const& config, Frequency nic_clock,
             Frequency upstream_clock)
    : name_(std::move(name)),
      station_(station),
      slots_(config.slots),
      timer_(config, nic_clock, upstream_clock),
      recorder_(station_name(station), config.slots) {}

Cycles Stage::work(Payload&, PacketTag&) {
    return Cycles{0};
}

void Stage::enter(Payload& payload, Duration head, StageEdges const* before) {
    PacketTag& tag = tag_of(payload);
    std::uint64_t const bytes_in = payload.get_data_length();
    Cycles const extra = work(payload, tag);
    // Head first: it moves the conversion's anchor.
    std::uint64_t const head_edge = before != nullptr ? before->head : timer_.head_edge(head);
    std::uint64_t const tail_edge = before != nullptr ? before->tail : timer_.tail_edge(tag.tail_at);
    StageEdges const edges = timer_.admit(head_edge, tail_edge, bytes_in, payload.get_data_length(), extra);
    head_ = head;
    taken_ = edges.taken;
    inside_.push_back({&payload, edges, head});
    recorder_.entered(bytes_in, inside_.size());
}

Stage::Exit Stage::leave(Duration sink_ready) {
    Inside const& packet = inside_.front();
    PacketTag& tag = tag_of(*packet.payload);
    std::uint64_t const bytes = packet.payload->get_data_length();
    StageEdges const edges = timer_.depart(packet.edges, bytes, sink_ready);
    Departure const departure{timer_.time(edges.head), timer_.time(edges.tail)};
    tag.stamp(station_, departure.tail);
    tag.tail_at = departure.tail;
    recorder_.left(tag, bytes, packet.head_in, departure.tail);
    inside_.pop_front();
    return {departure, edges};
}

Duration Stage::take_slot() {
    Duration const slot = std::max({timer_.next_slot(), head_, now()});
    recorder_.blocked(timer_.time(taken_), slot);
    return slot;
}

StageStats Stage::stats() const {
    StageStats stats = recorder_.stats();
    stats.busy = ClockDomain(timer_.clock()).span(timer_.busy());
    stats.inside = inside_.size();
    return stats;
}

}  // namespace netzip
