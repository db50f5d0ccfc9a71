#pragma once

#include "base/stats/stats_table.h"
#include "nic/experiment_config.h"

namespace netzip {

/// Runs an experiment, each simulation in a process of its own, and the plain NIC beside it when asked for.
///
/// Adds `summary.time_plain`, `summary.speedup`, `plain.*` and `cost.*` to the statistics. Errors as `simulate`.
/// `show_progress`: a bar on a terminal.
StatsTable run_experiment(ExperimentConfig const& config, bool show_progress = false);

/// The same traffic without the accelerator: what the speed-up is measured against.
ExperimentConfig plain_variant(ExperimentConfig const& config);

}  // namespace netzip
