#pragma once

#include "base/stats/stats_table.h"
#include "nic/experiment_config.h"
#include "workloads/message_source.h"

namespace netzip {

class TwoNode;

/// Everything a finished run tells, checked: conservation of packets and bytes, rates within their capacity, shares
/// that fit into the run, every bit equal. Throws RunError with all violations.
StatsTable collect_statistics(TwoNode const& system, ExperimentConfig const& config, WorkloadTotals const& expected);

}  // namespace netzip
