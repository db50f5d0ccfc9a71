#include "models/timing/stage_timing.h"

#include <algorithm>

#include "base/error.h"

namespace netzip {

StageTimer::StageTimer(StageConfig const& config, Frequency nic_clock, Frequency upstream_clock)
    : config_(config),
      cursor_(config.clock == Frequency::zero() ? nic_clock : config.clock),
      width_(config.width.count()),
      latency_(config.latency.count()),
      crossing_(upstream_clock == Frequency::zero() || upstream_clock == clock() ? 0 : config.crossing.count()),
      store_(config.admission == Admission::store_and_forward),
      releases_(config.slots, 0) {
    if (width_ == 0 || config.slots == 0) throw UsageError("a stage needs a width and at least one slot");
}

std::uint64_t StageTimer::released(std::uint64_t taken, std::uint64_t head_out, std::uint64_t tail_out) const {
    std::uint64_t const leaving = std::max(taken, head_out + 1);
    if (!store_) return leaving;
    std::uint64_t const early = config_.release_early.count();
    return std::max(leaving, tail_out - std::min(tail_out, early));
}

StageTimes StageTimer::admit(Duration head_in, Duration tail_in, std::uint64_t bytes_in, std::uint64_t bytes_out,
                             Cycles extra, Cycles gather) {
    std::uint64_t const head = cursor_.advance(head_in) + crossing_;
    std::uint64_t const tail = cursor_.index(tail_in) + crossing_;
    std::uint64_t const start = std::max(store_ ? tail : head, free_);
    std::uint64_t const taken = std::max(start + beats(bytes_in, width_).count(), tail);
    std::uint64_t const head_out = std::max(start + latency_ + extra.count(), output_free_) + gather.count();
    std::uint64_t const tail_out = std::max(taken + latency_, head_out + beats(bytes_out, width_).count());
    std::uint64_t const release = released(taken, head_out, tail_out);
    busy_ += beats(bytes_in, width_).count();
    free_ = taken;
    output_free_ = tail_out;
    releases_[admitted_++ % releases_.size()] = release;
    return {cursor_.edge(start), cursor_.edge(taken), cursor_.edge(head_out), cursor_.edge(tail_out),
            cursor_.edge(release)};
}

StageTimes StageTimer::depart(StageTimes const& times, std::uint64_t bytes_out, Duration sink_ready, Cycles gather) {
    std::uint64_t const head_out =
        std::max({cursor_.index(times.head_out), departed_tail_ + gather.count(), cursor_.index(sink_ready)});
    std::uint64_t const tail_out = std::max(cursor_.index(times.tail_out), head_out + beats(bytes_out, width_).count());
    std::uint64_t const release = released(cursor_.index(times.taken), head_out, tail_out);
    departed_tail_ = tail_out;
    output_free_ = std::max(output_free_, tail_out);
    releases_[departed_++ % releases_.size()] = release;
    return {times.start, times.taken, cursor_.edge(head_out), cursor_.edge(tail_out), cursor_.edge(release)};
}

Duration StageTimer::next_slot() const {
    // The ring's oldest entry is the packet whose slot the next one takes.
    return cursor_.edge(releases_[admitted_ % releases_.size()]);
}

double StageTimer::capacity(double mean_bytes) const {
    if (mean_bytes <= 0) return 0;
    double const cycles = static_cast<double>(beats(static_cast<std::uint64_t>(mean_bytes), width_).count());
    return mean_bytes / cycles * static_cast<double>(clock().count());
}

}  // namespace netzip
