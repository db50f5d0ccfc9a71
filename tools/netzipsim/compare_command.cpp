#include <iostream>

#include "base/error.h"
#include "base/results/output_file.h"
#include "tools/explore/compare/comparison_text.h"
#include "tools/explore/compare/result.h"
#include "tools/netzipsim/command_line.h"
#include "tools/netzipsim/commands.h"

namespace netzip {
namespace {

/// Lines of a table before "and more", on the terminal and in a pull request.
constexpr std::size_t kMostLines = 40;

}  // namespace

int compare_command(Arguments arguments) {
    std::vector<std::string> sides;
    std::string tolerance_file;
    std::string markdown;
    std::string junit;
    bool all = false;
    bool force = false;
    bool allow_improvements = false;
    CommandLine line("compare", "Compares the numbers of two results: equal to the last bit, or within tolerances.");
    line.arguments("BASE NEW", sides,
                   "Directories of runs, baselines or sweeps, or their stats.json or .sqlite files; BASE comes first.",
                   2, 2);
    line.text("tolerances", tolerance_file, "FILE", "TOML with [[tolerance]]: pattern, relative, absolute, reason.");
    line.text("markdown", markdown, "FILE", "Also write a table for a pull request; - is standard output.");
    line.text("junit", junit, "FILE", "Also write JUnit XML for a CI system, one test case per statistic.");
    line.flag("all", all, "Show every difference, not the most important ones only.");
    line.flag("force", force, "Compare results of different configurations or recordings.");
    line.flag("allow-improvements", allow_improvements, "Exit with 0 when everything that moved got better.");
    line.example("netzipsim compare BASELINE RESULTS", "Did any number move?");
    line.example("netzipsim compare BASELINE RESULTS --tolerances FILE --markdown - --junit compare.xml",
                 "For a pull request and its CI");
    if (!line.parse(arguments)) return 0;

    auto const tolerances = tolerance_file.empty() ? Tolerances() : read_tolerances(tolerance_file);
    auto const base = read_result(sides[0]);
    auto const now = read_result(sides[1]);
    auto const objection = why_not_comparable(base, now);
    if (!objection.empty() && !force)
        throw UsageError("compare: " + objection + " (--force compares them all the same)");
    auto const comparison = compare(base, now, tolerances);
    std::size_t const most = all ? comparison.all.size() : kMostLines;
    if (!objection.empty()) std::cout << "compared by force: " << objection << '\n';
    if (markdown != "-") std::cout << terminal_text(comparison, most);
    if (markdown == "-")
        std::cout << markdown_text(comparison, most);
    else if (!markdown.empty())
        write_file(markdown, markdown_text(comparison, most));
    if (!junit.empty()) write_file(junit, junit_text(comparison));
    bool const fine = comparison.clean() || (allow_improvements && comparison.only_improvements());
    return static_cast<int>(fine ? ExitStatus::ok : ExitStatus::regression);
}

}  // namespace netzip
