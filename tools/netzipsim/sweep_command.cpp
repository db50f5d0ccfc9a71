#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <thread>

#include "base/error.h"
#include "base/results/output_file.h"
#include "tools/explore/report/page_parts.h"
#include "tools/explore/report/sweep_report.h"
#include "tools/explore/sweep/sweep.h"
#include "tools/netzipsim/command_line.h"
#include "tools/netzipsim/commands.h"
#include "tools/netzipsim/experiment_subject.h"
#include "tools/netzipsim/sweep_output.h"

namespace netzip {
namespace {

/// `--set key=value` stands for every point, as `[set]` of the file does.
void add_sets(SweepFile& sweep, std::vector<std::string> const& sets) {
    for (auto const& text : sets) {
        auto const equals = text.find('=');
        if (equals == std::string::npos || equals == 0) throw UsageError("--set " + text + ": expected key=value");
        Assignment value{text.substr(0, equals), text.substr(equals + 1), "--set"};
        if (std::find(sweep.axes.begin(), sweep.axes.end(), value.key) != sweep.axes.end()) {
            throw UsageError("--set " + text + ": the sweep varies this key");
        }
        std::erase_if(sweep.fixed, [&](auto const& other) { return other.key == value.key; });
        sweep.fixed.push_back(std::move(value));
    }
}

/// All cores; a shard uses one, because the launcher owns the cores.
std::uint64_t default_jobs(Shard const& shard) {
    return shard.whole() ? std::max(1u, std::thread::hardware_concurrency()) : 1;
}

}  // namespace

int sweep_command(Arguments arguments) {
    std::vector<std::string> files;
    std::vector<std::string> sets;
    std::string directory;
    std::string shard;
    std::uint64_t jobs = 0;
    bool dry_run = false;
    SweepOptions options;
    SweepOutput results;
    CommandLine line("sweep", "Runs every design of a sweep file, each in a process of its own, into one database.");
    line.arguments("FILE", files, "Sweep (TOML): a base experiment, and the values that vary.", 1, 1);
    line.text("output,o", directory, "DIR", "Directory for sweep.sqlite, points.csv and sweep.html.");
    line.number("jobs,j", jobs, "N", "Points at a time (default: all cores; 1 with --shard).");
    line.text("shard", shard, "K/N", "Only the points whose index is K modulo N; K counts from 0. See merge.");
    line.flag("resume", options.resume, "Go on where an earlier call stopped; starts when there is nothing yet.");
    line.flag("retry-failed", options.retry_failed, "With --resume: run failed points again.");
    line.flag("dry-run", dry_run, "Check every point and say how many there are.");
    line.texts("set", sets, "KEY=VALUE", "Change one value of every point; may be given several times.");
    results.declare(line);
    line.example("netzipsim sweep configs/sweeps/buffer_depth.toml --dry-run", "What would run?");
    line.example("netzipsim sweep configs/sweeps/buffer_depth.toml -j 2 -o results/buffers --goal time",
                 "Which buffers are the fastest?");
    if (!line.parse(arguments)) return 0;

    results.check();
    if (!shard.empty()) options.shard = parse_shard(shard);
    if (jobs > 4096) throw UsageError("--jobs: expected 1 to 4096, got " + std::to_string(jobs));
    if (directory.empty() && !dry_run) throw UsageError("netzipsim sweep: expected -o DIR");
    options.jobs = static_cast<unsigned>(jobs == 0 ? default_jobs(options.shard) : jobs);
    options.directory = directory;
    SweepFile sweep = read_sweep_file(files[0]);
    add_sets(sweep, sets);
    SweepSubject const subject = experiment_subject(sweep, (options.directory / "cache").string());
    if (dry_run) {
        check_points(sweep, subject);
        std::cout << sweep.question << '\n' << fmt::format("{} points, all valid; axes:\n", sweep.points.size());
        for (auto const& axis : sweep.axes) std::cout << "  " << axis << '\n';
        return 0;
    }
    auto const start = std::chrono::steady_clock::now();
    auto const store = run_sweep(sweep, subject, options, std::cout);
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    auto const table = read_table(store);
    std::cout << fmt::format("{} points in {}, {} failed, {:.1f} s\n", table.points.size(), store.path().string(),
                             store.failed(), seconds);
    if (options.shard.whole()) {
        if (results.csv.empty()) results.csv = (options.directory / "points.csv").string();
        bool const page = !page_parts().charts.empty() && !table.columns.empty();
        if (results.html.empty() && page) results.html = (options.directory / "sweep.html").string();
    }
    results.write(table);
    return static_cast<int>(store.failed() > 0 ? ExitStatus::run_failed : ExitStatus::ok);
}

}  // namespace netzip
