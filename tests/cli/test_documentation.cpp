#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "support/catch.h"
#include "support/command.h"
#include "support/temporary_directory.h"

using namespace netzip;
namespace fs = std::filesystem;

namespace {

struct Line {
    std::string where;
    std::string words;
};

/// Command lines of netzipsim in the fenced blocks of a page, continuations joined, comments removed.
void collect(std::string const& where, std::istream& page, std::vector<Line>& lines) {
    bool fenced = where.find("--help") != std::string::npos;
    std::string pending;
    for (std::string line; std::getline(page, line);) {
        if (line.starts_with("```")) fenced = !fenced;
        if (!fenced) continue;
        line = pending + std::regex_replace(line, std::regex("^\\s*(\\$ )?"), "");
        pending.clear();
        if (line.ends_with("\\")) {
            pending = line.substr(0, line.size() - 1);
            continue;
        }
        line = std::regex_replace(line, std::regex("(build/[a-z]+/bin/)?netzipsim "), "netzipsim ");
        if (line.starts_with("netzipsim ")) lines.push_back({where, line});
    }
}

std::vector<Line> documented_lines() {
    std::vector<Line> lines;
    std::vector<fs::path> pages{fs::path(NETZIP_SOURCE_DIR) / "README.md"};
    for (auto const& entry : fs::directory_iterator(fs::path(NETZIP_SOURCE_DIR) / "docs")) {
        if (entry.path().extension() == ".md") pages.push_back(entry.path());
    }
    std::sort(pages.begin() + 1, pages.end());
    for (fs::path const& page : pages) {
        std::ifstream file(page);
        collect(page.filename().string(), file, lines);
    }
    std::istringstream overview(netzipsim({"--help"}).out);
    for (std::string line; std::getline(overview, line);) {
        std::smatch match;
        if (!std::regex_match(line, match, std::regex("  ([a-z]+) +[A-Z].*"))) continue;
        std::istringstream help(netzipsim({match.str(1), "--help"}).out);
        collect(match.str(1) + " --help", help, lines);
    }
    return lines;
}

/// A line that stands for many (`netzipsim run EXPERIMENT -o DIR`) is no command that can be run.
bool is_template(std::string const& words) {
    return std::regex_search(
        words, std::regex("\\s(-o\\s)?\\[?([A-Z]{2,}[A-Z_]*|k/n)(\\.toml|\\.\\.\\.)?\\b|\\{\\}|\\.\\.\\."));
}

}  // namespace

TEST_CASE("every command line in README, docs and --help runs", "[documentation]") {
    TemporaryDirectory directory;
    for (char const* name : {"configs", "workloads", "tests"}) {
        fs::create_symlink(fs::path(NETZIP_SOURCE_DIR) / name, directory.path() + "/" + name);
    }
    // One of the lines writes there.
    fs::copy(fs::path(NETZIP_SOURCE_DIR) / "docs", directory.path() + "/docs", fs::copy_options::recursive);
    std::string const path = fs::path(NETZIPSIM).parent_path().string();
    std::size_t run = 0;
    for (Line const& line : documented_lines()) {
        if (is_template(line.words)) continue;
        CommandResult const result =
            run_command({"/bin/bash", "-c", "PATH=" + path + ":$PATH; timeout 60 " + line.words}, directory.path());
        INFO(line.where << ": " << line.words << "\n" << result.err);
        CHECK(result.status == 0);
        ++run;
    }
    CHECK(run >= 5);
}

TEST_CASE("the page of parameters is what the program describes", "[documentation]") {
    TemporaryDirectory directory;
    CommandResult const result = run_command({NETZIPSIM, "describe", "--markdown"}, directory.path());
    REQUIRE(result.status == 0);
    std::ifstream page(std::string(NETZIP_SOURCE_DIR) + "/docs/parameters.md");
    std::string const text{std::istreambuf_iterator<char>(page), {}};
    CHECK(text == result.out);
}
