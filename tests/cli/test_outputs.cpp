#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "base/stats/stats_table.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/small_run.h"
#include "support/temporary_directory.h"

using namespace netzip;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

struct Row {
    std::string pattern;
    std::regex key;
    std::string unit;
};

/// The rows of the table of statistics in docs/outputs.md.
std::vector<Row> documented() {
    std::ifstream page(NETZIP_SOURCE_DIR "/docs/outputs.md");
    std::regex const row("^\\| `([a-z_]+\\.[a-z0-9_.*]+)` \\| ([^|]*)\\|.*");
    std::vector<Row> rows;
    bool in_table = false;
    for (std::string line; std::getline(page, line);) {
        if (line.starts_with("## ")) in_table = line == "## `stats.json`";
        std::smatch match;
        if (!in_table || !std::regex_match(line, match, row)) continue;
        std::string expression = std::regex_replace(match.str(1), std::regex("\\."), "\\.");
        expression = std::regex_replace(expression, std::regex("\\*"), ".+");
        std::string unit = match.str(2);
        unit.erase(unit.find_last_not_of(' ') + 1);
        rows.push_back({match.str(1), std::regex(expression), unit});
    }
    return rows;
}

}  // namespace

TEST_CASE("docs/outputs.md describes every statistic that a run writes, with its unit, and no other", "[outputs]") {
    std::vector<Row> const rows = documented();
    REQUIRE(rows.size() > 50);
    std::set<std::string> used;
    TemporaryDirectory directory;
    for (Words const& variant : {Words{}, Words{"switch.present=true", "background.enabled=true", "link.loss=0.01"}}) {
        CommandResult const run = netzipsim(small_run(directory.path(), variant));
        INFO(run.err);
        REQUIRE(run.status == 0);
        StatsTable const stats = read_stats(directory.path());
        for (auto const& [name, stat] : stats.entries()) {
            bool described = false;
            for (Row const& row : rows) {
                if (!std::regex_match(name, row.key) || (row.unit != "*" && row.unit != stat.unit)) continue;
                described = true;
                used.insert(row.pattern);
            }
            INFO(name << " in \"" << stat.unit << "\"");
            CHECK(described);
        }
    }
    for (Row const& row : rows) {
        INFO(row.pattern);
        CHECK(used.count(row.pattern) == 1);
    }
}

TEST_CASE("a run writes the files that docs/outputs.md names and no other", "[outputs]") {
    TemporaryDirectory directory;
    REQUIRE(netzipsim(small_run(directory.path())).status == 0);
    std::set<std::string> names;
    for (auto const& entry : fs::directory_iterator(directory.path())) names.insert(entry.path().filename().string());
    CHECK(names == std::set<std::string>{"identity.json", "resolved.toml", "run.json", "stats.json"});
}

TEST_CASE("run.json tells the versions of the libraries that a result depends on", "[outputs]") {
    TemporaryDirectory directory;
    REQUIRE(netzipsim(small_run(directory.path())).status == 0);
    std::ifstream file(directory.path() + "/run.json");
    std::string const text(std::istreambuf_iterator<char>(file), {});
    for (char const* name : {"lz4", "snappy", "zlib", "zstd", "systemc"}) {
        CHECK(std::regex_search(text, std::regex("\"" + std::string(name) + "\": \"[0-9]")));
    }
}
