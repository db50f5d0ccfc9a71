#pragma once

#include <string>
#include <vector>

#include "models/algorithm.h"

namespace netzip {

/// Reads "delta+grouping+codec", with any of the first two left out or "none", and group policy or order behind a
/// colon: "min_previous+bit+lz4", "byte+zstd3:per_group_or_raw:artifact", "exponent_window4_sigma".
/// Every name that AlgorithmConfig::name gives is read back to the same algorithm.
/// Throws UsageError, beginning with "--combo TEXT: ".
AlgorithmConfig parse_combination(std::string const& text);

/// The combinations that answer most questions: the codecs as they are, NetZIP, its rivals and the lossy original.
std::vector<AlgorithmConfig> default_combinations();

/// Every combination that makes sense.
std::vector<AlgorithmConfig> all_combinations();

}  // namespace netzip
