#include <filesystem>
#include <fmt/format.h>
#include <iostream>

#include "base/error.h"
#include "tools/explore/compare/baseline.h"
#include "tools/explore/compare/comparison_text.h"
#include "tools/explore/compare/result.h"
#include "tools/netzipsim/command_line.h"
#include "tools/netzipsim/commands.h"

namespace netzip {
namespace {

constexpr std::size_t kMostLines = 20;

int update(std::string const& directory, std::string const& source, std::string const& reason) {
    auto const now = read_result(source);
    std::string moved = "created";
    if (std::filesystem::exists(directory + "/stats.json")) {
        auto const base = read_result(directory);
        auto const configuration = first_identity_difference(base, now);
        auto const comparison = compare(base, now, {});
        if (!reason.empty() && configuration.empty() && comparison.clean()) {
            std::cout << directory << ": nothing moved, nothing written\n";
            return 0;
        }
        std::cout << terminal_text(comparison, kMostLines);
        if (!configuration.empty()) std::cout << "the configuration changed: " << configuration << '\n';
        moved = "rewritten";
    }
    update_baseline(directory, now, reason);
    std::cout << fmt::format("{}: {} with {} statistics of {}\n", directory, moved, now.statistics.entries().size(),
                             source);
    return 0;
}

}  // namespace

int baseline_command(Arguments arguments) {
    std::vector<std::string> words;
    std::string reason;
    CommandLine line("baseline",
                     "Keeps the numbers that later runs are compared with, and why they are what they are.");
    line.arguments("update BASELINE RESULT | show BASELINE", words,
                   "BASELINE is a directory under version control, RESULT that of a run or sweep.", 2, 3);
    line.text("reason", reason, "TEXT", "Why the numbers moved; kept with the baseline. update needs one.");
    line.example("netzipsim baseline update BASELINE RESULTS --reason \"first baseline\"",
                 "Create it, or accept moved numbers");
    line.example("netzipsim baseline show tests/baselines/two_nodes_fpga_50g", "Why are the numbers what they are?");
    if (!line.parse(arguments)) return 0;
    if (words[0] == "update" && words.size() == 3) return update(words[1], words[2], reason);
    if (words[0] != "show" || words.size() != 2) {
        throw UsageError(
            "netzipsim baseline: expected update BASELINE RESULT or show BASELINE; see netzipsim baseline --help");
    }
    for (auto const& text : reasons_of(words[1])) std::cout << text << '\n';
    return 0;
}

}  // namespace netzip
