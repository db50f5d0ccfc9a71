#pragma once

#include <string>

#include "tools/explore/compare/comparison.h"

namespace netzip {

/// Reads what the user names: the directory of a run, a baseline, the directory of a sweep, `stats.json`, or the
/// database of a sweep. Throws InputError, naming what was expected, when it is none of them.
///
/// A statistic of a sweep is called "point[KEY=VALUE, ...].NAME"; a failed point has only "point[...].status".
ResultSet read_result(std::string const& path);

/// The reason why the two must not be compared, or an empty string.
std::string why_not_comparable(ResultSet const& base, ResultSet const& now);

}  // namespace netzip
