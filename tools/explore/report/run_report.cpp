#include "tools/explore/report/run_report.h"

#include "base/json_text.h"
#include "base/results/output_file.h"
#include "base/results/run_info.h"
#include "tools/explore/report/page.h"

namespace netzip {

void write_run_report(StatsTable const& stats, std::string const& file, std::string const& question) {
    require_page_support("report page");
    std::string json = "{\"statistics\":[";
    for (auto const& [name, stat] : stats.entries()) {
        if (json.back() != '[') json += ",\n";
        json += "{\"name\":" + json_string(name) + ",\"value\":" + json_value(stat.value) +
                ",\"unit\":" + json_string(stat.unit) + ",\"better\":" + json_string(enum_name(stat.better)) +
                ",\"provenance\":" + json_string(enum_name(stat.provenance)) + "}";
    }
    PageContent content;
    content.title = "Run of netzipsim";
    content.question = question;
    content.description = "netzipsim " + version() + ". Hover over a number for its direction and where it comes from.";
    content.json = json + "]}";
    write_file(file, run_page(content));
}

}  // namespace netzip
