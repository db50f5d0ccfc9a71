#pragma once

#include <string>
#include <vector>

#include "base/config/load.h"
#include "base/process/child_process.h"
#include "nic/simulation.h"

namespace netzip::test {

/// Two NICs at 1 GHz, so that a cycle is a nanosecond, and made-up tensors: `tensors` of 4 packets, one iteration.
/// Exponent windows: engines of 64 B/cycle, whatever the data.
inline ExperimentConfig small_experiment(std::uint64_t tensors = 4) {
    ExperimentConfig config;
    config.nic.clock = Frequency{1'000'000'000};
    config.nic.algorithm.delta = DeltaKind::none;
    config.nic.algorithm.grouping = GroupingKind::none;
    config.nic.algorithm.codec = CodecKind::exponent_window;
    config.nic.dma.pcie.read_jitter = Duration{0};
    config.workload.source = WorkloadSource::synthetic;
    config.workload.iterations = 1;
    config.workload.synthetic.tensors = tensors;
    config.workload.synthetic.tensor_size = Bytes{16 * 1024};
    return config;
}

/// A plain NIC with the same traffic.
inline ExperimentConfig plain_experiment(std::uint64_t tensors = 4) {
    ExperimentConfig config = small_experiment(tensors);
    config.nic.accelerator = false;
    config.workload.compress = false;
    return config;
}

/// The statistics of a run in a process of its own.
inline StatsTable run_once(ExperimentConfig const& config, SimulationHooks const& hooks = {}) {
    return parse_stats("the run", run_in_process("the run", [&] { return simulate(config, hooks).to_json(); }));
}

/// What the run says when it fails, or an empty string.
inline std::string error_of(ExperimentConfig const& config, SimulationHooks const& hooks = {}) {
    try {
        run_once(config, hooks);
    } catch (RunError const& error) {
        return error.what();
    }
    return "";
}

/// Nanoseconds per tensor of 4 packets when the pipeline is full: two runs, without what fills and drains it.
inline double time_per_tensor(ExperimentConfig config, std::uint64_t few, std::uint64_t many) {
    config.workload.synthetic.tensors = many;
    double const longer = run_once(config).number("summary.time");
    config.workload.synthetic.tensors = few;
    double const shorter = run_once(config).number("summary.time");
    return (longer - shorter) / static_cast<double>(many - few);
}

/// Changes values as `--set` does.
inline void set(ExperimentConfig& config, std::vector<std::string> const& values) {
    ConfigRegistry registry = registry_of(config);
    load(registry, {}, values);
}

}  // namespace netzip::test
