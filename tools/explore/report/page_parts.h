#pragma once

#include <string_view>

namespace netzip {

/// Text of a file that the build put into the executable.
struct PageParts {
    std::string_view charts;  ///< the chart library; empty when the build could not fetch it
    std::string_view style;
    std::string_view common_script;
    std::string_view sweep_body;
    std::string_view sweep_script;
    std::string_view run_body;
    std::string_view run_script;
};
PageParts page_parts();

}  // namespace netzip
