#pragma once

#include <string>
#include <string_view>

namespace netzip {

/// Text that may hold anything, as a piece of one line of an error: cut short, unprintable bytes become '?'.
std::string excerpt(std::string_view text);

}  // namespace netzip
