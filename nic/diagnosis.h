#pragma once

#include <string>

namespace netzip {

class TwoNode;

/// Why a run cannot end: one line per stage that holds packets, with its occupancy and whom it waits for, and what is
/// still expected of the hosts.
std::string describe_stuck(TwoNode const& system, std::string const& what);

}  // namespace netzip
