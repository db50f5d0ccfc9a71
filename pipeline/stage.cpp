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
      timer_(config, nic_clock, upstream_clock),
      recorder_(station_name(station), config.slots) {}

Cycles Stage::work(Payload&, PacketTag&) {
    return Cycles{0};
}

void Stage::arrived(StreamInput&, Payload& payload, Duration head) {
    PacketTag& tag = tag_of(payload);
    std::uint64_t const bytes_in = payload.get_data_length();
    Cycles const extra = work(payload, tag);
    StageTimes const times = timer_.admit(head, tag.tail_at, bytes_in, payload.get_data_length(), extra);

    head_ = head;
    taken_ = times.taken;
    inside_.push_back({times, head});
    recorder_.entered(bytes_in, inside_.size());
    out.push(payload);
    grant();
}

Departure Stage::depart(StreamOutput&, Payload& payload, Duration sink_ready) {
    std::uint64_t const bytes = payload.get_data_length();
    StageTimes const times = timer_.depart(inside_.front().times, bytes, sink_ready);
    PacketTag& tag = tag_of(payload);
    tag.stamp(station_, times.tail_out);
    recorder_.left(tag, bytes, inside_.front().head_in, times.tail_out);
    inside_.pop_front();
    grant();
    return {times.head_out, times.tail_out};
}

/// END_REQ as soon as it is known when a slot is free: all packets but `slots - 1` have departed.
void Stage::grant() {
    if (!in.holding() || inside_.size() >= config_.slots) return;
    Duration const slot = std::max({timer_.next_slot(), head_, now()});
    recorder_.blocked(taken_, slot);
    in.release(slot);
}

StageStats Stage::stats() const {
    StageStats stats = recorder_.stats();
    stats.busy = ClockDomain(timer_.clock()).span(timer_.busy());
    stats.inside = inside_.size();
    if (!out.ready()) stats.waits_for = out.receiver();
    return stats;
}

}  // namespace netzip
