#pragma once

#include <string>
#include <vector>

#include "models/cost/cost_tables.h"
#include "models/cost/evaluate.h"
#include "nic/cost_config.h"
#include "nic/nic_config.h"

namespace netzip {

/// What the accelerator of one NIC is made of, both directions, from its configuration; empty without accelerator.
///
/// Counts:          demux, delta, staging, grouping, engines with their buffers, merge, slices, mux, bypass.
/// Does not count:  what a plain NIC has too (DMA engine, protocol engine and their buffers), clock generation, test
///                  logic, floorplan white space beyond the utilisation of logic.
///
/// Buffers: a store-and-forward stage and a bypass hold `slots` packets in memory; a cut-through stage holds two in
/// its pipeline and the others in memory; a bank holds `engine_slots` packets per engine (their share of a packet when
/// engines share one) and `in_flight` results.
std::vector<Block> nic_blocks(NicConfig const& config, CostTables const& tables);

/// Tensor bytes per second that the engines of both directions carry; 0 when nothing limits them.
double engine_capacity(std::vector<Block> const& blocks);

/// Worst case, for a millisecond: in both directions as many tensor bytes as the engines take at their full width, or
/// twice the line rate (bf16 tensors halve at best) if that is less; every byte a literal, nothing saved on the way.
ActivityCounts expected_activity(NicConfig const& config, std::vector<Block> const& blocks, BitRate link_rate);

/// What a run did, from its statistics: the transmit path of node A and the receive path of node B.
/// A stage that the statistics do not name did nothing.
ActivityCounts run_activity(StatsTable const& stats, NicConfig const& config);

/// Adds to the statistics of a run what its accelerator costs: `cost.fpga`, `cost.asic` and `cost.stage`, the power of
/// this run as `cost.run` and the worst case as `cost.worst`. Returns the report of the run.
CostReport add_cost(StatsTable& stats, NicConfig const& config, BitRate link_rate, CostTables const& tables);

/// The tables that `config` names: fpga_DEVICE.toml, vitis_blocks.toml, SOURCE_blocks.toml over it, asic_7nm.toml and
/// energy_7nm.toml. Throws UsageError when one is missing, naming those there are, or wrong.
CostTables load_cost_tables(CostConfig const& config);

/// A resource budget of the device, for the engines of both directions.
struct Budget {
    Resource resource = Resource::uram;
    double share = 0.0;  ///< of the device
};
/// Reads "17 % uram"; throws UsageError.
Budget parse_budget(std::string const& text);

/// The fastest balanced engine counts within a budget.
struct BudgetResult {
    std::uint64_t compressors = 0;
    std::uint64_t decompressors = 0;
    double bytes_per_second = 0.0;  ///< of the slower bank
    double used = 0.0;              ///< of the resource, by the engines
    double available = 0.0;         ///< of the resource, the budget
};
/// Throws UsageError when not even one engine of each kind fits, or the codec has no engines.
BudgetResult engines_at_budget(NicConfig const& config, CostTables const& tables, Budget const& budget);

}  // namespace netzip
