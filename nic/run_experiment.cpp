#include "nic/run_experiment.h"

#include "base/process/child_process.h"
#include "base/progress.h"
#include "nic/nic_cost.h"
#include "nic/simulation.h"

namespace netzip {
namespace {

std::string simulate_in_child(ExperimentConfig const& config, char const* what, bool show_progress) {
    if (!show_progress) return simulate(config).to_json();
    struct Shown {
        char const* what;
        std::unique_ptr<Progress> bar;
    } shown{what, nullptr};
    SimulationHooks hooks;
    hooks.context = &shown;
    hooks.progress = [](std::uint64_t done, std::uint64_t total, void* context) {
        auto& bar = static_cast<Shown*>(context)->bar;
        if (bar == nullptr) bar = std::make_unique<Progress>(static_cast<Shown*>(context)->what, total, "packets");
        bar->update(done);
    };
    return simulate(config, hooks).to_json();
}

}  // namespace

ExperimentConfig plain_variant(ExperimentConfig const& config) {
    ExperimentConfig plain = config;
    plain.nic.accelerator = false;
    plain.workload.compress = false;
    return plain;
}

StatsTable run_experiment(ExperimentConfig const& config, bool show_progress) {
    CostTables const tables = load_cost_tables(config.cost);  // before the run: a wrong table is told at once
    // Both at once: two cores are common, and each simulation uses one.
    ChildProcess measured("the run", [&] { return simulate_in_child(config, "replaying", show_progress); });
    bool const compare = config.run.compare_plain && config.nic.accelerator;
    if (!compare) {
        StatsTable stats = parse_stats("the run", measured.result());
        add_cost(stats, config.nic, config.link.rate, tables);
        return stats;
    }

    ExperimentConfig const plain_config = plain_variant(config);
    ChildProcess plain("the run without compression", [&] { return simulate_in_child(plain_config, "", false); });
    StatsTable stats = parse_stats("the run", measured.result());
    StatsTable const baseline = parse_stats("the run without compression", plain.result());
    double const time = stats.number("summary.time");
    double const time_plain = baseline.number("summary.time");
    stats.set("summary.time_plain", time_plain, "ns", Better::none);
    stats.set("summary.speedup", time_plain / time, "1", Better::higher, Provenance::derived);
    for (char const* name : {"rate.tensor", "rate.payload", "rate.wire", "latency.packet.p50", "latency.packet.p99",
                             "latency.packet.max", "summary.bottleneck", "summary.bound", "summary.bound_share"}) {
        if (Stat const* stat = baseline.find(name)) {
            stats.set(std::string("plain.") + name, stat->value, stat->unit, Better::none, stat->provenance);
        }
    }
    add_cost(stats, config.nic, config.link.rate, tables);
    return stats;
}

}  // namespace netzip
