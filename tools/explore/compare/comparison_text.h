#pragma once

#include <string>

#include "tools/explore/compare/comparison.h"

namespace netzip {

/// For the terminal: one line per difference, the most important first, then what to do. `most` lines at most.
std::string terminal_text(Comparison const& comparison, std::size_t most);

/// For a pull request.
std::string markdown_text(Comparison const& comparison, std::size_t most);

/// For a CI system: one test case per statistic, in order of names, grouped by the first part of the name.
std::string junit_text(Comparison const& comparison);

/// "12.5 us", "22", a text, or "-" when there is none.
std::string shown(std::optional<Stat> const& stat);

}  // namespace netzip
