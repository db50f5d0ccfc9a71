#pragma once

#include <string>

namespace netzip {

/// Where the shipped cost tables are: configs/cost above the executable (build/PRESET/bin), else below the working
/// directory.
std::string default_cost_directory();

}  // namespace netzip
