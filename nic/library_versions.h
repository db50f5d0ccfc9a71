#pragma once

#include <string>
#include <utility>
#include <vector>

namespace netzip {

/// Name and version of every library that a result depends on: the codecs and SystemC.
std::vector<std::pair<std::string, std::string>> library_versions();

}  // namespace netzip
