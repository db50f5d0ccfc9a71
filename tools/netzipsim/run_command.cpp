#include <chrono>
#include <iostream>
#include <optional>

#include "base/config/load.h"
#include "base/log.h"
#include "base/results/output_file.h"
#include "base/results/results_directory.h"
#include "base/results/run_info.h"
#include "nic/experiment_config.h"
#include "nic/run_experiment.h"
#include "tools/netzipsim/command_line.h"
#include "tools/netzipsim/commands.h"
#include "tools/netzipsim/run_report.h"

namespace netzip {

int run_command(Arguments arguments) {
    std::vector<std::string> files;
    std::vector<std::string> sets;
    std::string directory;
    CommandLine line("run", "Replays tensors from one node to another through the NIC and reports what it does.");
    line.arguments("FILE...", files, "Experiments and parts (TOML); a later file stands over an earlier one.", 1, 1000);
    line.texts("set", sets, "KEY=VALUE", "Change one value, over every file; may be given several times.");
    line.text("output,o", directory, "DIR", "Directory for stats.json, run.json and resolved.toml.");
    line.example("netzipsim run configs/experiments/two_nodes_fpga_50g.toml -o results/fpga",
                 "What does NetZIP in an FPGA buy on a 50 Gb/s link?");
    line.example("netzipsim run configs/experiments/two_nodes_fpga_50g.toml --set nic.clock=\"1 GHz\"",
                 "And at 1 GHz?");
    if (!line.parse(arguments)) return 0;

    ExperimentConfig config;
    ConfigRegistry registry = registry_of(config);
    load(registry, files, sets);
    RunInfo info;
    info.command = {"netzipsim", "run"};
    info.command.insert(info.command.end(), arguments.begin(), arguments.end());
    info.warnings = registry.without_effect();
    for (std::string const& warning : info.warnings) log_warning(warning);
    std::optional<ResultsDirectory> results;
    if (!directory.empty()) results.emplace(directory);

    auto const start = std::chrono::steady_clock::now();
    StatsTable const stats = run_experiment(config, true);
    info.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    std::cout << run_report(config, stats);
    if (results) {
        write_file(results->file("resolved.toml"), write_toml(registry));
        write_file(results->file("run.json"), to_json(info));
        // Last: a directory with stats.json is complete.
        write_file(results->file("stats.json"), stats.to_json());
        std::cout << "\nResults    " << results->path() << "/stats.json\n";
    }
    return 0;
}

}  // namespace netzip
