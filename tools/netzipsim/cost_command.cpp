#include <fmt/format.h>
#include <iostream>

#include "base/config/load.h"
#include "models/cost/cost_text.h"
#include "nic/experiment_config.h"
#include "nic/nic_cost.h"
#include "tools/netzipsim/command_line.h"
#include "tools/netzipsim/commands.h"

namespace netzip {
namespace {

/// Puts the engine counts that the budget allows into `config`; what to print about it.
std::string apply_budget(std::string const& text, ExperimentConfig& config, CostTables const& tables,
                         StatsTable& stats) {
    Budget const budget = parse_budget(text);
    BudgetResult const result = engines_at_budget(config.nic, tables, budget);
    config.nic.compressor.engines = result.compressors;
    config.nic.decompressor.engines = result.decompressors;
    double const rate = 8.0 * result.bytes_per_second;
    stats.set("cost.budget.compressors", result.compressors, "engines", Better::none, Provenance::derived);
    stats.set("cost.budget.decompressors", result.decompressors, "engines", Better::none, Provenance::derived);
    stats.set("cost.budget.rate", rate, "b/s", Better::higher, Provenance::derived);
    stats.set("cost.budget.used", result.used, enum_name(budget.resource), Better::lower, Provenance::derived);
    return fmt::format(
        "budget of {} for the engines: {} compressors and {} decompressors carry {:.1f} Gb/s with {:.0f} of {:.0f} "
        "{}; below for these counts\n\n",
        text, result.compressors, result.decompressors, rate * 1e-9, result.used, result.available,
        enum_name(budget.resource));
}

}  // namespace

int cost_command(Arguments arguments) {
    std::vector<std::string> files;
    std::vector<std::string> sets;
    std::string source;
    std::string device;
    std::string directory;
    std::string budget;
    bool terms = false;
    bool json = false;
    CommandLine line("cost", "What the accelerator of an experiment costs: FPGA resources, ASIC area, power at worst.");
    line.arguments("FILE...", files, "Experiments and parts (TOML); a later file stands over an earlier one.", 1, 1000);
    line.texts("set", sets, "KEY=VALUE", "Change one value, over every file; may be given several times.");
    line.text("source", source, "NAME", "Short for --set cost.source=NAME: vitis, vitis_l2 (2022.2 page) or rtl.");
    line.text("device", device, "NAME", "Short for --set cost.device=NAME.");
    line.text("tables", directory, "DIR", "Short for --set cost.tables=DIR.");
    line.text("at-budget", budget, "SHARE",
              "As many engines as a share of the device holds, such as \"17 % uram\" (lut, ff, bram36, uram).");
    line.flag("terms", terms, "Also every contribution to every block, with its origin.");
    line.flag("json", json, "For other programs: as in stats.json.");
    line.example("netzipsim cost configs/experiments/two_nodes_fpga_50g.toml",
                 "What does this design cost, and where?");
    line.example("netzipsim cost configs/experiments/two_nodes_fpga_50g.toml --at-budget \"17 % uram\"",
                 "How fast is it with 17 % of the device?");
    line.example("netzipsim cost configs/experiments/two_nodes_asic_50g.toml --source rtl --terms",
                 "What if the engines were made for 4 KiB packets?");
    if (!line.parse(arguments)) return 0;

    for (auto const& [key, value] : {std::pair{"source", source}, {"device", device}, {"tables", directory}}) {
        if (!value.empty()) sets.push_back(std::string("cost.") + key + "=" + value);
    }
    ExperimentConfig config;
    ConfigRegistry registry = registry_of(config);
    load(registry, files, sets);
    CostTables const tables = load_cost_tables(config.cost);
    StatsTable stats;
    std::string text;
    if (!budget.empty()) text = apply_budget(budget, config, tables, stats);
    std::vector<Block> const blocks = nic_blocks(config.nic, tables);
    CostView const view = config.nic.technology == Technology::fpga ? CostView::fpga : CostView::asic;
    ActivityCounts const activity = expected_activity(config.nic, blocks, config.link.rate);
    CostReport const report = evaluate(blocks, tables, activity, view);
    if (json) {
        report.write_size(stats);
        report.write_power(stats, "worst");
        std::cout << stats.to_json();
        return 0;
    }
    double const rate = 8.0 * static_cast<double>(activity.tensor_bytes) / to_seconds(activity.time);
    text +=
        cost_text(report, fmt::format("worst case, {:.1f} Gb/s of tensors in both directions at once", rate * 1e-9));
    if (terms) text += "\n" + terms_text(blocks);
    std::cout << text;
    return 0;
}

}  // namespace netzip
