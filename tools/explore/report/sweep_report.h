#pragma once

#include <string>
#include <vector>

#include "tools/explore/sweep/select.h"

namespace netzip {

/// One row per point: index, status, error, every axis, every statistic with its unit in the heading.
std::string csv_text(SweepTable const& table);

/// Points under each other: index, axes, and the statistics asked for. `most` rows at most.
std::string points_text(SweepTable const& table, std::vector<StoredPoint const*> const& points,
                        std::vector<std::string> const& statistics, std::size_t most);

/// The page with the scatter of the points. The first two objectives are on its axes when it opens.
std::string sweep_html(SweepTable const& table, std::vector<Objective> const& objectives);

}  // namespace netzip
