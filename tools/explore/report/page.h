#pragma once

#include <string>
#include <string_view>

namespace netzip {

/// What a page shows: the JSON its script reads, and what stands above the charts.
struct PageContent {
    std::string title;
    std::string question;
    std::string description;  ///< one line: versions, recordings, counts
    std::string json;
};

/// Whether the build could fetch the chart library. Throws UsageError naming `option` when not.
void require_page_support(std::string const& option);

/// One self-contained HTML document: no network, no files beside it.
std::string sweep_page(PageContent const& content);
std::string run_page(PageContent const& content);

}  // namespace netzip
