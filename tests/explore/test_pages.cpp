#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "base/results/output_file.h"
#include "base/text_file.h"
#include "explore/sweep_bench.h"
#include "support/catch.h"
#include "tools/explore/report/page_parts.h"
#include "tools/explore/report/run_report.h"
#include "tools/explore/report/sweep_report.h"

using namespace netzip;

namespace {

SweepTable swept(std::filesystem::path const& directory) {
    std::ostringstream out;
    auto const subject = formula_subject([](Assignments const& p) {
        if (p[0].value == "5" && p[1].value == "3") throw RunError("no progress, \"tx\" waits, for <rx>");
    });
    auto sweep = formula_sweep(5, 3);
    sweep.objectives = {"summary.time", "cost.area"};
    return read_table(run_sweep(sweep, subject, options_of(directory), out));
}

/// Names as a run writes them.
StatsTable run_stats() {
    StatsTable stats;
    stats.set("summary.time", 1234567.5, "ns", Better::lower);
    stats.set("summary.ratio", 0.71, "1", Better::lower);
    stats.set("summary.bottleneck", std::string("a.tx.compressor"), "");
    stats.set("rate.link", BitRate{50'000'000'000}, Better::none, Provenance::assumed);
    double value = 900;
    for (auto const* quantile : {"min", "p50", "p90", "p99", "p999", "max"}) {
        stats.set(std::string("latency.packet.") + quantile, value *= 1.3, "ns", Better::lower);
    }
    stats.set("latency.packet.count", std::uint64_t{1344}, "samples");
    for (auto const* stage : {"a.tx.delta_encoder", "a.tx.compressor", "link"}) {
        std::string const place = std::string("stage.") + stage;
        stats.set(place + ".busy", 0.5, "1");
        stats.set(place + ".blocked", 0.125, "1");
        stats.set(place + ".starved", 0.375, "1");
        stats.set(place + ".capacity", value *= 3e7, "b/s", Better::higher, Provenance::derived);
    }
    for (auto const* kind : {"gradient", "activation"})
        stats.set(std::string("kind.") + kind + ".ratio", 0.7, "1", Better::lower);
    stats.set("layer.</script><script>alert(1)</script>.ratio", 0.8, "1", Better::lower);
    stats.set("cost.stage.compressor.asic.area", 0.5, "mm2", Better::lower, Provenance::assumed);
    return stats;
}

/// Whether the browser's check can run; says why not.
bool can_browse() {
    char const* missing = nullptr;
    if (page_parts().charts.empty())
        missing = "the build has no chart library";
    else if (!std::filesystem::exists(NETZIP_BROWSER_MODULES "/playwright-core"))
        missing = "playwright-core is not installed";
    else if (!std::filesystem::exists("/usr/bin/chromium"))
        missing = "/usr/bin/chromium is not installed";
    if (missing != nullptr) std::cout << "skipped: " << missing << '\n';
    return missing == nullptr;
}

int browse(std::string const& kind, std::filesystem::path const& page) {
    return std::system(("node " NETZIP_SOURCE_DIR "/tests/browser/check_page.cjs " NETZIP_BROWSER_MODULES " " + kind +
                        " " + page.string())
                           .c_str());
}

}  // namespace

TEST_CASE("the CSV has a column with its unit for every axis and statistic and a row for every point", "[pages]") {
    TestDirectory const dir("csv");
    auto const csv = csv_text(swept(dir.path));
    CHECK(
        csv.starts_with("point,status,error,engines,clock,cost.area [mm2],stage.bottleneck,summary.time [ns]\n"
                        "0,ok,,1,1,2,compressor,1200.0\n"));
    CHECK(csv.ends_with("14,failed,\"no progress, \"\"tx\"\" waits, for <rx>\",5,3,,,\n"));
}

TEST_CASE("the table of points shows axes and the statistics asked for", "[pages]") {
    TestDirectory const dir("table");
    auto const table = swept(dir.path);
    auto const best = ranked(table, parse_objective(table, "time"), {});
    CHECK(points_text(table, best, {"summary.time"}, 1) ==
          "  point  engines  clock  summary.time [ns]\n  11     4        3      100\n  ... and 13 more\n");
}

TEST_CASE("a build without the chart library says what is missing, with it a page is one file", "[pages]") {
    if (page_parts().charts.empty()) {
        CHECK(message_of([] { write_run_report(run_stats(), "/dev/null"); }).find("install npm") != std::string::npos);
        return;
    }
    TestDirectory const dir("page");
    auto const file = (dir.path / "run.html").string();
    write_run_report(run_stats(), file);
    auto const html = read_text_file(file, ExitStatus::input_file);
    // What the data say may not end the script it stands in.
    CHECK(html.find("</script><script>alert") == std::string::npos);
    CHECK(html.find("<script src") == std::string::npos);
}

TEST_CASE("in a browser the page of a sweep shows its points, and a click selects one", "[pages][browser]") {
    if (!can_browse()) return;
    TestDirectory const dir("browser");
    auto const table = swept(dir.path);
    auto const file = dir.path / "sweep.html";
    write_file(file.string(), sweep_html(table, {parse_objective(table, "time"), parse_objective(table, "area")}));
    CHECK(browse("sweep", file) == 0);
}

TEST_CASE("in a browser the page of a run shows its charts", "[pages][browser]") {
    if (!can_browse()) return;
    TestDirectory const dir("browser_run");
    auto const file = dir.path / "run.html";
    write_run_report(run_stats(), file.string());
    CHECK(browse("run", file) == 0);
}
