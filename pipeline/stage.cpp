#include "pipeline/stage.h"

#include <algorithm>

namespace netzip {

Stage::Stage(sc_core::sc_module_name name, Station station, StageConfig const& config, Frequency nic_clock,
             Frequency upstream_clock)
    : sc_module(name),
      in("in", *this),
      out("out", *this),
      station_(station),
      config_(config),
      timer_(config, nic_clock, upstream_clock) {
    stats_.slots = config.slots;
}

Cycles Stage::work(Payload&, PacketTag&) {
    return Cycles{0};
}
void Stage::leaving(PacketTag&, StageTimes const&) {}

void Stage::arrived(StreamInput&, Payload& payload, Duration head) {
    PacketTag& tag = tag_of(payload);
    Bytes const bytes_in{payload.get_data_length()};
    Cycles const extra = work(payload, tag);
    Bytes const bytes_out{payload.get_data_length()};
    StageTimes const times = timer_.admit(head, tag.tail_at, bytes_in.count(), bytes_out.count(), extra);

    ++stats_.packets_in;
    stats_.bytes_in += bytes_in;
    stats_.bytes_out += bytes_out;
    head_ = head;
    taken_ = times.taken;
    inside_.push_back({times, head});
    stats_.most_inside = std::max<std::uint64_t>(stats_.most_inside, inside_.size());
    out.push(payload);
    grant();
}

Departure Stage::depart(StreamOutput&, Payload& payload, Duration sink_ready) {
    Inside const packet = inside_.front();
    inside_.pop_front();
    StageTimes const times = timer_.depart(packet.times, payload.get_data_length(), sink_ready);
    PacketTag& tag = tag_of(payload);
    tag.stamp(station_, times.tail_out);
    leaving(tag, times);
    ++stats_.packets_out;
    stats_.resident += times.tail_out - packet.head_in;
    grant();
    return {times.head_out, times.tail_out};
}

/// END_REQ as soon as it is known when a slot is free: all packets but `slots - 1` have departed.
void Stage::grant() {
    if (!in.holding() || inside_.size() >= config_.slots) return;
    Duration const slot = std::max({timer_.next_slot(), head_, now()});
    stats_.blocked += std::max(slot, taken_) - taken_;
    in.release(slot);
}

StageStats Stage::stats() const {
    StageStats stats = stats_;
    stats.name = station_name(station_);
    stats.busy = ClockDomain(timer_.clock()).span(timer_.busy());
    stats.inside = inside_.size();
    if (!out.ready()) stats.waits_for = out.receiver();
    return stats;
}

}  // namespace netzip
