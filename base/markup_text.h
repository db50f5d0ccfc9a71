#pragma once

#include <string>
#include <string_view>

namespace netzip {

/// `text` as content or attribute value of HTML and SVG: & < > " as entities.
std::string markup_escaped(std::string_view text);

}  // namespace netzip
