#pragma once

#include "base/stats/stats_table.h"
#include "nic/experiment_config.h"
#include "nic/run_traces.h"

namespace netzip {

/// What a run does beside its numbers.
struct RunOptions {
    bool show_progress = false;  ///< a bar on a terminal
    TraceOptions traces;
};

/// Runs an experiment, each simulation in a process of its own, and the plain NIC beside it when asked for.
///
/// Adds `summary.time_plain`, `summary.speedup`, `plain.*` and `cost.*` to the statistics. Errors as `simulate`.
StatsTable run_experiment(ExperimentConfig const& config, RunOptions const& options = {});

/// The same traffic without the accelerator: what the speed-up is measured against.
ExperimentConfig plain_variant(ExperimentConfig const& config);

}  // namespace netzip
