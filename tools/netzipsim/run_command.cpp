#include <chrono>
#include <iostream>
#include <optional>

#include "base/config/load.h"
#include "base/error.h"
#include "base/log.h"
#include "base/results/output_file.h"
#include "base/results/results_directory.h"
#include "base/results/run_info.h"
#include "nic/experiment_config.h"
#include "nic/library_versions.h"
#include "nic/run_experiment.h"
#include "tools/explore/identity.h"
#include "tools/explore/report/page.h"
#include "tools/explore/report/run_report.h"
#include "tools/netzipsim/command_line.h"
#include "tools/netzipsim/commands.h"
#include "tools/netzipsim/run_report.h"

namespace netzip {
namespace {

/// `text` of `option` as the quantity that `parse` reads.
template <class Parse>
auto option_value(std::string const& option, Parse parse, std::string const& text) {
    try {
        return parse(text);
    } catch (UsageError const& error) {
        throw UsageError("netzipsim run: --" + option + ": " + error.what());
    }
}

}  // namespace

int run_command(Arguments arguments) {
    std::vector<std::string> files;
    std::vector<std::string> sets;
    std::string directory;
    RunOptions options;
    TraceOptions& traces = options.traces;
    std::string begin = "0 s";
    std::string end;
    std::string size = "256 MiB";
    std::string report;
    CommandLine line("run", "Replays tensors from one node to another through the NIC and reports what it does.");
    line.arguments("FILE...", files, "Experiments and parts (TOML); a later file stands over an earlier one.", 1, 1000);
    line.texts("set", sets, "KEY=VALUE", "Change one value, over every file; may be given several times.");
    line.text("output,o", directory, "DIR", "Directory for stats.json, run.json and resolved.toml.");
    line.text("timeline", traces.timeline, "FILE", "Packets through the stages as Chrome trace JSON, for Perfetto.");
    line.text("waves", traces.waves, "FILE", "Stage states and occupancies as a value change dump (VCD).");
    line.text("pcap", traces.capture, "FILE", "The frames on the wire as RoCEv2, for Wireshark.");
    line.text("packets", traces.packets, "FILE", "A line per packet with its time at every station (CSV).");
    line.text("trace-begin", begin, "TIME", "Traces keep what happens from here on; default 0 s.");
    line.text("trace-end", end, "TIME", "Traces keep what happens until here; default the end.");
    line.text("trace-size", size, "BYTES", "Most bytes per trace file; default 256 MiB.");
    line.text("report", report, "FILE", "The run in pictures, as one HTML page without network.");
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
    info.libraries = library_versions();
    info.warnings = registry.without_effect();
    for (std::string const& warning : info.warnings) log_warning(warning);
    traces.limits.begin = option_value("trace-begin", parse_duration, begin);
    if (!end.empty()) traces.limits.end = option_value("trace-end", parse_duration, end);
    traces.limits.bytes = option_value("trace-size", parse_bytes, size).count();
    for (std::string const& file : {traces.timeline, traces.waves, traces.capture, traces.packets, report}) {
        if (!file.empty()) require_writable(file);
    }
    options.show_progress = true;
    if (!report.empty()) require_page_support("--report");
    std::optional<ResultsDirectory> results;
    if (!directory.empty()) results.emplace(directory);

    auto const start = std::chrono::steady_clock::now();
    StatsTable const stats = run_experiment(config, options);
    info.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    std::cout << run_report(config, stats);
    if (!report.empty()) write_run_report(stats, report, config.run.question);
    if (results) {
        write_file(results->file("resolved.toml"), write_toml(registry));
        write_file(results->file("identity.json"), to_json(identity_of(registry)));
        write_file(results->file("run.json"), to_json(info));
        // Last: a directory with stats.json is complete.
        write_file(results->file("stats.json"), stats.to_json());
        std::cout << "\nResults    " << results->path() << "/stats.json\n";
    }
    return 0;
}

}  // namespace netzip
