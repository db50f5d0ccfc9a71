#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/stats/stats_table.h"
#include "models/cost/activity.h"
#include "models/cost/block.h"
#include "models/cost/cost_tables.h"

namespace netzip {

/// What a design is built in; decides which limits are worth a warning.
enum class CostView { fpga, asic };

/// Watts, by cause.
struct Power {
    Number dynamic;  ///< proportional to the activity
    Number clock;    ///< clock tree, running all the time
    Number leakage;  ///< static, by area

    Number total() const { return dynamic + clock + leakage; }
    Power& operator+=(Power const& other);
};

/// What a block, a stage, a direction or all of it costs.
struct Cost {
    std::string name;
    std::string stage;
    Direction direction = Direction::transmit;
    std::uint64_t instances = 0;
    Resources resources;
    Number logic_area;  ///< mm2, gates and flip-flops, bottom-up
    Number sram_area;   ///< mm2, bottom-up
    Number gap_area;    ///< mm2, from the FPGA's resources
    Power fpga;
    Power asic;

    Number area() const { return logic_area + sram_area; }
    Cost& operator+=(Cost const& other);
};

/// Area, resources, power and energy of a design under one activity.
struct CostReport {
    std::vector<Cost> blocks;
    std::vector<Cost> stages;  ///< blocks of one stage together, in order of their first block
    Cost transmit;
    Cost receive;
    Cost total;
    std::array<double, 4> device_share{};  ///< of LUT, FF, BRAM36 and URAM, typical
    Number gap_power;  ///< W: the FPGA's dynamic power as an ASIC of the next node, at the same clock
    double seconds = 0.0;
    double tensor_bits = 0.0;
    std::vector<std::string> warnings;
    CostView view = CostView::fpga;
    std::string device;
    std::string source;  ///< of the building blocks

    /// pJ per tensor bit of `power`, 0 when no bit moved.
    Number energy_per_bit(Number const& power) const;
    /// `cost.fpga.*`, `cost.asic.*` and `cost.stage.*`: what does not depend on the activity.
    void write_size(StatsTable& table) const;
    /// `cost.<scenario>.*`: power and energy.
    void write_power(StatsTable& table, std::string const& scenario) const;
};

CostReport evaluate(std::vector<Block> const& blocks, CostTables const& tables, ActivityCounts const& activity,
                    CostView view);

}  // namespace netzip
