#pragma once

#include <string>

#include "base/stats/stats_table.h"
#include "nic/experiment_config.h"

namespace netzip {

/// What a run says on the terminal: what was asked, the answer, where the time went.
std::string run_report(ExperimentConfig const& config, StatsTable const& stats);

}  // namespace netzip
