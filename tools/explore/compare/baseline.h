#pragma once

#include <string>
#include <vector>

#include "tools/explore/compare/comparison.h"

namespace netzip {

/// A baseline is a directory under version control: stats.json and identity.json as a run writes them, and reasons.txt,
/// one line for each time it was rewritten, the newest first.
///
/// Rewrites (or creates) the baseline `directory` with the numbers of `result`. Throws UsageError without a reason.
void update_baseline(std::string const& directory, ResultSet const& result, std::string const& reason);

/// The reasons of a baseline, the newest first.
std::vector<std::string> reasons_of(std::string const& directory);

}  // namespace netzip
