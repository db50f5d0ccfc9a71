#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/stats/stats_table.h"
#include "tools/explore/sweep/store.h"

namespace netzip {

/// All points of a sweep in memory, and what is known about their statistics.
struct SweepTable {
    struct Column {
        std::string unit;
        Better better = Better::none;
        Provenance provenance = Provenance::measured;
        bool mixed_provenance = false;  ///< not the same in all points
    };
    SweepIdentity identity;
    std::vector<StoredPoint> points;        ///< in order of index
    std::map<std::string, Column> columns;  ///< of all statistics
};
SweepTable read_table(SweepStore const& store);

/// One number per point that is to be small or large.
struct Objective {
    std::string name;
    Better better = Better::lower;
};

/// Reads "summary.time", "time" (when one statistic ends so), "min latency.p99", "max summary.goodput".
/// Throws UsageError when there is no such statistic, or no side of it is better and none was asked for.
Objective parse_objective(SweepTable const& table, std::string const& text);

/// A condition on a point: "cost.area < 1", "cost.area <= 1 mm2", "nic.arrangement == packet".
struct Condition {
    std::string name;
    std::string relation;  ///< <, <=, >, >=, ==, !=
    std::string value;
    double number = 0;  ///< of `value`, for statistics
};
Condition parse_condition(SweepTable const& table, std::string const& text);

/// Whether a point succeeded and meets all conditions. A point without the number does not.
bool meets(StoredPoint const& point, std::vector<Condition> const& conditions);

/// The number of an objective in a point, or nothing.
std::optional<double> number_in(StoredPoint const& point, std::string const& name);

/// The points that meet the conditions, the best first; equal ones in order of index.
std::vector<StoredPoint const*> ranked(SweepTable const& table, Objective const& goal,
                                       std::vector<Condition> const& conditions);

/// The points that no other one beats: at least as good in every objective and better in one.
std::vector<StoredPoint const*> pareto_front(SweepTable const& table, std::vector<Objective> const& objectives,
                                             std::vector<Condition> const& conditions);

}  // namespace netzip
