#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/stats/stats_table.h"
#include "tools/explore/compare/tolerance.h"

namespace netzip {

/// The numbers of a run, a baseline or a sweep, and what they are the numbers of.
struct ResultSet {
    std::string name;                             ///< as the user gave it
    std::map<std::string, std::string> identity;  ///< configuration and recordings: comparable only when equal
    StatsTable statistics;
    std::map<std::string, std::string> information;  ///< wall time, host, version: shown, never compared
};

/// What happened to one statistic, the most important first.
enum class Change {
    regression,    ///< moved to the worse side
    missing,       ///< the base has it, the new result does not
    not_a_number,  ///< null or NaN on one side, a number on the other
    unit_changed,
    changed,      ///< moved, and no side is better
    added,        ///< only the new result has it
    improvement,  ///< moved to the better side: the baseline is out of date
    tolerated,    ///< moved within its tolerance
    same,
};
std::string name_of(Change change);

struct Difference {
    std::string name;
    Change change = Change::same;
    std::optional<Stat> base;
    std::optional<Stat> now;
    double relative = 0;  ///< (new - base) / |base|; infinite from 0, 0 for texts
    Tolerance const* tolerance = nullptr;
};

struct Comparison {
    std::string base_name;
    std::string new_name;
    std::vector<Difference> all;  ///< sorted by importance
    std::map<Change, std::size_t> count;
    std::vector<std::string> unused_tolerances;  ///< patterns that matched no statistic
    std::vector<std::string> information;        ///< lines about what may differ

    bool clean() const;              ///< nothing moved beyond its tolerance
    bool only_improvements() const;  ///< something moved, and only to the better side
};

/// Compares every statistic of both sides. `tolerances` must outlive the result.
Comparison compare(ResultSet const& base, ResultSet const& now, Tolerances const& tolerances);

/// The first key in which the two are results of different things, as a line for the user; empty when comparable.
std::string first_identity_difference(ResultSet const& base, ResultSet const& now);

}  // namespace netzip
