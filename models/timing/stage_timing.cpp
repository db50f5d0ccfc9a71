#include "models/timing/stage_timing.h"

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
    : cursor_(config.clock == Frequency::zero() ? nic_clock : config.clock),
      width_(std::max<std::uint64_t>(config.width.count(), 1)),
      latency_(config.latency.count()),
      crossing_(crossing_cycles(config, nic_clock, upstream_clock).count()),
      release_early_(config.release_early.count()),
      store_(config.admission == Admission::store_and_forward),
      releases_(config.slots, 0) {
    if (config.width == Bytes::zero() || config.slots == 0)
        throw UsageError("a stage needs a width and at least one slot");
}

StageTimes StageTimer::times(StageEdges const& edges) const {
    return {time(edges.start), time(edges.taken), time(edges.head), time(edges.tail), time(released(edges)), edges};
}

StageTimes StageTimer::admit(Duration head_in, Duration tail_in, std::uint64_t bytes_in, std::uint64_t bytes_out,
                             Cycles extra, Cycles gather) {
    std::uint64_t const head = head_edge(head_in);
    return times(admit(head, tail_edge(tail_in), bytes_in, bytes_out, extra, gather));
}

StageTimes StageTimer::depart(StageTimes const& admitted, std::uint64_t bytes_out, Duration sink_ready, Cycles gather) {
    return times(depart(admitted.edges, bytes_out, sink_ready, gather));
}

double StageTimer::capacity(double mean_bytes) const {
    if (mean_bytes <= 0) return 0;
    auto const cycles = static_cast<double>(width_.up(static_cast<std::uint64_t>(mean_bytes)));
    return mean_bytes / cycles * static_cast<double>(clock().count());
}

}  // namespace netzip
