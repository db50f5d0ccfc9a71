#pragma once

#include <string>

#include "tools/ratio/measure.h"

namespace netzip {

/// An SVG picture: one bar per combination for all tensors, a mark per kind, and lines at the floor and at 1.
std::string ratio_svg(RatioResult const& result);

/// The same in an HTML page that needs nothing else.
std::string ratio_html(RatioResult const& result);

}  // namespace netzip
