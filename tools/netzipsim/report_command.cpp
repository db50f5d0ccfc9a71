#include <filesystem>
#include <iostream>

#include "base/error.h"
#include "base/stats/stats_table.h"
#include "tools/explore/report/run_report.h"
#include "tools/explore/sweep/store.h"
#include "tools/netzipsim/command_line.h"
#include "tools/netzipsim/commands.h"
#include "tools/netzipsim/sweep_output.h"

namespace netzip {
namespace {

namespace fs = std::filesystem;

/// The database that `path` names, or an empty path when it is no sweep.
fs::path database_in(fs::path const& path) {
    if (fs::exists(path / "sweep.sqlite")) return path / "sweep.sqlite";
    return path.extension() == ".sqlite" ? path : fs::path();
}

}  // namespace

int report_command(Arguments arguments) {
    std::vector<std::string> paths;
    SweepOutput results;
    CommandLine line("report", "Tables and pages of results that are there, without running anything.");
    line.arguments("DIR | FILE", paths, "The directory of a sweep or run, a sweep database, or stats.json.", 1, 1);
    results.declare(line);
    line.example("netzipsim report DIR --goal time --subject \"ratio < 0.8\" --html sweep.html",
                 "The fastest points of a sweep that save 20 %, and a page to look at all");
    if (!line.parse(arguments)) return 0;
    results.check();

    auto const database = database_in(paths[0]);
    if (!database.empty()) {
        results.write(read_table(SweepStore::open(database)));
        return 0;
    }
    if (results.html.empty()) throw UsageError("netzipsim report: expected --html FILE for the page of a run");
    write_run_report(read_stats(paths[0]), results.html);
    std::cout << results.html << '\n';
    return 0;
}

}  // namespace netzip
