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

void Stage::enter(Payload& payload, Duration head, StageTimes const* before) {
    PacketTag& tag = tag_of(payload);
    std::uint64_t const bytes_in = payload.get_data_length();
    Cycles const extra = work(payload, tag);
    std::uint64_t const bytes_out = payload.get_data_length();
    StageTimes const times = before != nullptr ? timer_.admit_after(*before, bytes_in, bytes_out, extra)
                                               : timer_.admit(head, tag.tail_at, bytes_in, bytes_out, extra);
    head_ = head;
    taken_ = times.taken;
    inside_.push_back({&payload, times, head});
    recorder_.entered(bytes_in, inside_.size());
}

StageTimes Stage::leave(Duration sink_ready) {
    Inside const& packet = inside_.front();
    PacketTag& tag = tag_of(*packet.payload);
    std::uint64_t const bytes = packet.payload->get_data_length();
    StageTimes const times = timer_.depart(packet.times, bytes, sink_ready);
    tag.stamp(station_, times.tail_out);
    tag.tail_at = times.tail_out;
    recorder_.left(tag, bytes, packet.head_in, times.tail_out);
    inside_.pop_front();
    return times;
}

Duration Stage::take_slot() {
    Duration const slot = std::max({timer_.next_slot(), head_, now()});
    recorder_.blocked(taken_, slot);
    return slot;
}

StageStats Stage::stats() const {
    StageStats stats = recorder_.stats();
    stats.busy = ClockDomain(timer_.clock()).span(timer_.busy());
    stats.inside = inside_.size();
    return stats;
}

}  // namespace netzip
