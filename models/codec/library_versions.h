#pragma once

#include <string>
#include <utility>
#include <vector>

namespace netzip {

/// Name and version of every codec library in use.
std::vector<std::pair<std::string, std::string>> codec_library_versions();

}  // namespace netzip
