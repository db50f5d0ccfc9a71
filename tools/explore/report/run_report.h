#pragma once

#include <string>

#include "base/stats/stats_table.h"

namespace netzip {

/// Writes the page of one run to `file`: latency distribution, where the time went per stage, ratio by kind and layer,
/// cost. `question` stands above it. Throws UsageError when the build has no chart library.
void write_run_report(StatsTable const& stats, std::string const& file, std::string const& question = "");

}  // namespace netzip
