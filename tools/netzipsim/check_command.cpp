#include <algorithm>
#include <fmt/format.h>
#include <iostream>

#include "base/config/load.h"
#include "nic/experiment_config.h"
#include "tools/netzipsim/command_line.h"
#include "tools/netzipsim/commands.h"

namespace netzip {

int check_command(Arguments arguments) {
    std::vector<std::string> files;
    std::vector<std::string> sets;
    bool resolved = false;
    CommandLine line("check", "Validates the configuration of an experiment without running it.");
    line.arguments("FILE...", files, "Experiments and parts (TOML); a later file stands over an earlier one.", 1, 1000);
    line.texts("set", sets, "KEY=VALUE", "Change one value, over every file; may be given several times.");
    line.flag("resolved", resolved, "Print every value with its origin, as a file that can be run.");
    line.example("netzipsim check configs/experiments/two_nodes_fpga_50g.toml", "Are all keys and values right?");
    line.example("netzipsim check configs/experiments/two_nodes_fpga_50g.toml --set nic.clock=\"1 GHz\" --resolved",
                 "What exactly would run?");
    if (!line.parse(arguments)) return 0;

    ExperimentConfig config;
    ConfigRegistry registry = registry_of(config);
    load(registry, files, sets);
    if (resolved) {
        std::cout << write_toml(registry);
        return 0;
    }
    auto const& all = registry.parameters();
    auto const given = std::count_if(all.begin(), all.end(), [](Parameter const& p) { return !p.is_default(); });
    std::cout << fmt::format("fine: {} of {} parameters are given, the others have their default\n", given, all.size());
    for (std::string const& note : registry.without_effect()) std::cout << "note: " << note << "\n";
    return 0;
}

}  // namespace netzip
