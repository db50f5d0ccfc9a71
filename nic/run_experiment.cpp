#include "nic/run_experiment.h"

#include "base/log.h"
#include "base/process/child_process.h"
#include "base/progress.h"
#include "base/results/cache_entry.h"
#include "base/text_file.h"
#include "nic/nic_cost.h"
#include "nic/plain_cache.h"
#include "nic/simulation.h"

namespace netzip {
namespace {

/// A progress bar, made when the first news comes: before that nothing is known.
struct Shown {
    std::unique_ptr<Progress> bar;
};

std::string simulate_in_child(ExperimentConfig const& config, RunOptions const& options) {
    Shown shown;
    SimulationHooks hooks;
    hooks.traces = options.traces;
    hooks.note = [](std::string const& line) { log_warning(line); };
    if (options.show_progress) {
        hooks.context = &shown;
        hooks.progress = [](std::uint64_t done, std::uint64_t total, void* context) {
            auto& bar = static_cast<Shown*>(context)->bar;
            if (bar == nullptr) bar = std::make_unique<Progress>("replaying", total, "packets");
            bar->update(done);
        };
    }
    return simulate(config, hooks).to_json();
}

/// From the cache, when an earlier run has left it there.
std::string simulate_plain(ExperimentConfig const& config) {
    if (config.run.cache.empty()) return simulate_in_child(config, {});
    CacheEntry const entry(config.run.cache, plain_entry_name(config));
    try {
        std::string text = read_text_file(entry.file());
        parse_stats(entry.file(), text);
        return text;
    } catch (Error const&) {
        // Not there, or not whole: made anew.
    }
    ExperimentConfig uncached = config;
    uncached.run.cache.clear();  // no packet goes through a codec: nothing to keep
    std::string text = simulate_in_child(uncached, {});
    entry.store(text);
    return text;
}

void add_plain(StatsTable& stats, StatsTable const& plain) {
    double const time = stats.number("summary.time");
    double const time_plain = plain.number("summary.time");
    stats.set("summary.time_plain", time_plain, "ns", Better::none);
    stats.set("summary.speedup", time_plain / time, "1", Better::higher, Provenance::derived);
    for (char const* name : {"rate.tensor", "rate.payload", "rate.wire", "latency.packet.p50", "latency.packet.p99",
                             "latency.packet.max", "summary.bottleneck", "summary.bound", "summary.bound_share"}) {
        if (Stat const* stat = plain.find(name)) {
            stats.set(std::string("plain.") + name, stat->value, stat->unit, Better::none, stat->provenance);
        }
    }
}

}  // namespace

ExperimentConfig plain_variant(ExperimentConfig const& config) {
    ExperimentConfig plain = config;
    plain.nic.accelerator = false;
    plain.workload.compress = false;
    return plain;
}

StatsTable run_experiment(ExperimentConfig const& config, RunOptions const& options) {
    CostTables const tables = load_cost_tables(config.cost);  // before the run: a wrong table is told at once
    // Both at once: two cores are common, and each simulation uses one.
    ChildProcess measured("the run", [&] { return simulate_in_child(config, options); });
    std::unique_ptr<ChildProcess> plain;
    if (config.run.compare_plain && config.nic.accelerator) {
        ExperimentConfig const plain_config = plain_variant(config);
        plain =
            std::make_unique<ChildProcess>("the run without compression", [&] { return simulate_plain(plain_config); });
    }
    StatsTable stats = parse_stats("the run", measured.result());
    if (plain != nullptr) add_plain(stats, parse_stats("the run without compression", plain->result()));
    add_cost(stats, config.nic, config.link.rate, tables);
    return stats;
}

}  // namespace netzip
