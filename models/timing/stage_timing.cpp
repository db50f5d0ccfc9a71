#include "models/timing/stage_timing.h"

#include <algorithm>

#include "base/config/unused.h"
#include "base/error.h"

namespace netzip {

void StageConfig::unused(std::string const& place, UnusedParameters& unused) const {
    if (admission == Admission::store_and_forward) return;
    unused.add(place + "release_early", place + "admission is \"cut_through\"");
}

Cycles crossing_cycles(StageConfig const& config, Frequency nic_clock, Frequency upstream_clock) {
    Frequency const own = config.clock == Frequency::zero() ? nic_clock : config.clock;
    Frequency const before = upstream_clock == Frequency::zero() ? nic_clock : upstream_clock;
    return own == before ? Cycles{0} : config.crossing;
}

StageTimer::StageTimer(StageConfig const& config, Frequency nic_clock, Frequency upstream_clock)
    : config_(config),
      cursor_(config.clock == Frequency::zero() ? nic_clock : config.clock),
      width_(std::max<std::uint64_t>(config.width.count(), 1)),
      latency_(config.latency.count()),
      crossing_(crossing_cycles(config, nic_clock, upstream_clock).count()),
      store_(config.admission == Admission::store_and_forward),
      releases_(config.slots, Duration{0}) {
    if (config.width == Bytes::zero() || config.slots == 0)
        throw UsageError("a stage needs a width and at least one slot");
}

std::uint64_t StageTimer::released(std::uint64_t taken, std::uint64_t head_out, std::uint64_t tail_out) const {
    std::uint64_t const leaving = std::max(taken, head_out + 1);
    if (!store_) return leaving;
    std::uint64_t const early = config_.release_early.count();
    return std::max(leaving, tail_out - std::min(tail_out, early));
}

StageTimes StageTimer::admit(Duration head_in, Duration tail_in, std::uint64_t bytes_in, std::uint64_t bytes_out,
                             Cycles extra, Cycles gather) {
    std::uint64_t const head = cursor_.advance(head_in);
    return admit_edges(head + crossing_, cursor_.index(tail_in) + crossing_, bytes_in, bytes_out, extra, gather);
}

StageTimes StageTimer::admit_after(StageTimes const& before, std::uint64_t bytes_in, std::uint64_t bytes_out,
                                   Cycles extra) {
    return admit_edges(before.head_edge + crossing_, before.tail_edge + crossing_, bytes_in, bytes_out, extra,
                       Cycles{0});
}

StageTimes StageTimer::admit_edges(std::uint64_t head, std::uint64_t tail, std::uint64_t bytes_in,
                                   std::uint64_t bytes_out, Cycles extra, Cycles gather) {
    std::uint64_t const start = std::max(store_ ? tail : head, free_);
    std::uint64_t const beats_in = width_.up(bytes_in);
    std::uint64_t const taken = std::max(start + beats_in, tail);
    std::uint64_t const head_out = std::max(start + latency_ + extra.count(), output_free_) + gather.count();
    std::uint64_t const tail_out = std::max(taken + latency_, head_out + width_.up(bytes_out));
    std::uint64_t const release = released(taken, head_out, tail_out);
    busy_ += beats_in;
    free_ = taken;
    output_free_ = tail_out;
    Duration const taken_at = cursor_.edge(taken);
    StageTimes const times{cursor_.edge(start),
                           taken_at,
                           cursor_.edge(head_out),
                           cursor_.edge(tail_out),
                           release == taken ? taken_at : cursor_.edge(release),
                           taken,
                           head_out,
                           tail_out};
    releases_[admit_at_] = times.released;
    admit_at_ = after(admit_at_);
    return times;
}

StageTimes StageTimer::depart(StageTimes const& times, std::uint64_t bytes_out, Duration sink_ready, Cycles gather) {
    StageTimes now = times;
    std::uint64_t const output_free = departed_tail_ + gather.count();
    if (sink_ready > times.head_out || output_free > times.head_edge) {
        now.head_edge = std::max({times.head_edge, output_free, cursor_.index(sink_ready)});
        now.tail_edge = std::max(times.tail_edge, now.head_edge + width_.up(bytes_out));
        now.head_out = cursor_.edge(now.head_edge);
        now.tail_out = cursor_.edge(now.tail_edge);
        now.released = cursor_.edge(released(times.taken_edge, now.head_edge, now.tail_edge));
        output_free_ = std::max(output_free_, now.tail_edge);
    }
    departed_tail_ = now.tail_edge;
    releases_[depart_at_] = now.released;
    depart_at_ = after(depart_at_);
    return now;
}

double StageTimer::capacity(double mean_bytes) const {
    if (mean_bytes <= 0) return 0;
    auto const cycles = static_cast<double>(width_.up(static_cast<std::uint64_t>(mean_bytes)));
    return mean_bytes / cycles * static_cast<double>(clock().count());
}

}  // namespace netzip
