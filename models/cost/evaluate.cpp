#include "models/cost/evaluate.h"

#include <algorithm>
#include <fmt/format.h>

namespace netzip {

namespace {

constexpr double kSquareMillimetre = 1e-6;  ///< mm2 per um2
constexpr double kPico = 1e-12;
constexpr double kFemto = 1e-15;
constexpr double kMilli = 1e-3;

Number larger(Number const& a, Number const& b) {
    Number result = a.value.typical >= b.value.typical ? a : b;
    result.weaken(a.value.typical >= b.value.typical ? b : a);
    return result;
}

class Evaluator {
public:
    Evaluator(CostTables const& tables, ActivityCounts const& activity)
        : tables_(tables), activity_(activity), seconds_(to_seconds(activity.time)) {}

    Cost cost(Block const& block) const {
        Cost cost;
        cost.name = block.name;
        cost.stage = block.stage;
        cost.direction = block.direction;
        cost.instances = block.instances;
        cost.resources = block.total();
        area(cost);
        double const cycles = active_cycles(block);
        fpga_power(cost, block, cycles);
        asic_power(cost, block, cycles);
        return cost;
    }

private:
    Number number(std::string const& name, std::string const& unit, double clock_hz = 0.0) const {
        if (clock_hz == 0.0) return tables_.number(name, unit);
        return tables_.number(name, unit, {{"clock_mhz", clock_hz * 1e-6}});
    }

    /// um2 of FPGA silicon: LUTs with their two flip-flops, and blocks of memory.
    Number fabric_logic(Resources const& r) const {
        return larger(r[Resource::lut], r[Resource::ff] * 0.5) * number("device.lut_area", "um2/LUT");
    }
    Number fabric_memory(Resources const& r) const {
        return r[Resource::bram36] * number("device.bram36_area", "um2/BRAM36") +
               r[Resource::uram] * number("device.uram_area", "um2/URAM");
    }

    void area(Cost& cost) const {
        Resources const& r = cost.resources;
        Number const utilisation = number("asic.utilisation", "ratio");
        cost.logic_area = (r[Resource::gates] * number("asic.gate_area", "um2/gate") +
                           r[Resource::flop_bits] * number("asic.flop_area", "um2/bit")) /
                          utilisation * kSquareMillimetre;
        cost.sram_area = (r[Resource::sram_large] * number("asic.sram_large", "um2/bit") +
                          r[Resource::sram_small] * number("asic.sram_small", "um2/bit")) *
                         kSquareMillimetre;
        cost.gap_area = (fabric_logic(r) / number("gap.logic_area", "ratio") * number("gap.logic_node", "ratio") +
                         fabric_memory(r) / number("gap.memory_area", "ratio") * number("gap.sram_node", "ratio")) *
                        kSquareMillimetre;
    }

    std::uint64_t count(Block const& block, Counter counter) const {
        auto const found = activity_.stages.find(block.stage);
        return found == activity_.stages.end() ? 0 : found->second.count(counter);
    }
    double active_cycles(Block const& block) const {
        return static_cast<double>(count(block, block.work)) * block.cycles_per_count;
    }
    /// W of `energy` joules spent over the span of the activity.
    Number over_time(Number const& energy) const { return seconds_ > 0.0 ? energy * (1.0 / seconds_) : energy * 0.0; }

    void fpga_power(Cost& cost, Block const& block, double cycles) const {
        Resources const one = block.per_instance();
        Number const per_cycle =
            larger(one[Resource::lut], one[Resource::ff]) * number("device.energy.lut", "pJ/cycle") +
            one[Resource::bram36] * number("device.energy.bram36", "pJ/cycle") +
            one[Resource::uram] * number("device.energy.uram", "pJ/cycle");
        cost.fpga.dynamic = over_time(per_cycle * (cycles * kPico));
        cost.fpga.clock =
            cost.resources[Resource::ff] * number("device.energy.clock", "pJ/cycle") * (block.clock_hz * kPico);
        Resources device;
        device[Resource::lut] = number("device.lut", "LUT");
        device[Resource::bram36] = number("device.bram36", "BRAM36");
        device[Resource::uram] = number("device.uram", "URAM");
        double const fabric = (fabric_logic(device) + fabric_memory(device)).value.typical;
        Number const own = fabric_logic(cost.resources) + fabric_memory(cost.resources);
        Number leakage = number("device.static_power", "W") * (own.value.typical / fabric);
        leakage.weaken(own);
        cost.fpga.leakage = leakage;
    }

    void asic_power(Cost& cost, Block const& block, double cycles) const {
        Resources const one = block.per_instance();
        Number energy = (one[Resource::gates] * number("asic.energy.gate", "fJ/cycle", block.clock_hz) +
                         one[Resource::flop_bits] * number("asic.energy.flop", "fJ/cycle", block.clock_hz)) *
                        (cycles * kFemto);
        for (auto const& access : block.accesses) {
            double const bits = static_cast<double>(count(block, access.counter)) * access.bits;
            if (access.memory == Resource::flop_bits) continue;  // counted with the flip-flops
            bool const large = access.memory == Resource::sram_large;
            energy += number(large ? "asic.energy.sram_large" : "asic.energy.sram_small", "pJ/bit", block.clock_hz) *
                      (bits * kPico);
        }
        cost.asic.dynamic = over_time(energy);
        cost.asic.clock = cost.resources[Resource::flop_bits] *
                          number("asic.energy.clock", "fJ/cycle", block.clock_hz) *
                          number("asic.clock_running", "ratio") * (block.clock_hz * kFemto);
        cost.asic.leakage = cost.area() * number("asic.static_power", "mW/mm2") * kMilli;
    }

    CostTables const& tables_;
    ActivityCounts const& activity_;
    double seconds_;
};

void collect_warnings(CostReport& report, std::vector<Block> const& blocks) {
    bool const fpga = report.view == CostView::fpga;
    constexpr std::array kNames{"LUT", "FF", "BRAM36", "URAM"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (fpga && report.device_share[i] > 1.0) {
            report.warnings.push_back(fmt::format("does not fit: {:.0f} {} are {:.0f} % of {}",
                                                  report.total.resources[static_cast<Resource>(i)].value.typical,
                                                  kNames[i], 100.0 * report.device_share[i], report.device));
        }
    }
    for (auto const& block : blocks) {
        if (fpga && block.reached_hz > 0.0 && block.clock_hz > block.reached_hz) {
            report.warnings.push_back(fmt::format("{}: {:.0f} MHz is beyond the {:.0f} MHz that it reached on an FPGA",
                                                  block.name, block.clock_hz * 1e-6, block.reached_hz * 1e-6));
        }
        for (auto const& remark : block.remarks) report.warnings.push_back(block.name + ": " + remark);
    }
}

}  // namespace

Power& Power::operator+=(Power const& other) {
    dynamic += other.dynamic;
    clock += other.clock;
    leakage += other.leakage;
    return *this;
}

Cost& Cost::operator+=(Cost const& other) {
    instances += other.instances;
    resources += other.resources;
    logic_area += other.logic_area;
    sram_area += other.sram_area;
    gap_area += other.gap_area;
    fpga += other.fpga;
    asic += other.asic;
    return *this;
}

Number CostReport::energy_per_bit(Number const& power) const {
    return power * (tensor_bits > 0.0 ? seconds / tensor_bits / kPico : 0.0);
}

CostReport evaluate(std::vector<Block> const& blocks, CostTables const& tables, ActivityCounts const& activity,
                    CostView view) {
    CostReport report;
    report.view = view;
    report.device = tables.title("device");
    report.source = tables.title("blocks");
    report.seconds = to_seconds(activity.time);
    report.tensor_bits = 8.0 * static_cast<double>(activity.tensor_bytes);
    report.transmit.name = "transmit";
    report.receive.name = "receive";
    report.receive.direction = Direction::receive;
    report.total.name = "total";
    Evaluator const evaluator(tables, activity);
    for (auto const& block : blocks) {
        Cost const cost = evaluator.cost(block);
        (block.direction == Direction::transmit ? report.transmit : report.receive) += cost;
        report.total += cost;
        auto const stage = std::find_if(report.stages.begin(), report.stages.end(),
                                        [&](Cost const& other) { return other.stage == cost.stage; });
        if (stage == report.stages.end()) {
            report.stages.push_back(cost);
            report.stages.back().name = cost.stage;
        } else {
            *stage += cost;
        }
        report.blocks.push_back(cost);
    }
    constexpr std::array<std::pair<char const*, char const*>, 4> kDevice{
        {{"device.lut", "LUT"}, {"device.ff", "FF"}, {"device.bram36", "BRAM36"}, {"device.uram", "URAM"}}};
    for (std::size_t i = 0; i < kDevice.size(); ++i) {
        double const available = tables.typical(kDevice[i].first, kDevice[i].second);
        double const used = report.total.resources[static_cast<Resource>(i)].value.typical;
        report.device_share[i] = used == 0.0 ? 0.0 : used / available;
        if (used > 0.0 && available == 0.0) report.device_share[i] = 1e9;  // none there at all
    }
    report.gap_power = (report.total.fpga.dynamic + report.total.fpga.clock) /
                       tables.number("gap.dynamic_power", "ratio") * tables.number("gap.power_node", "ratio");
    collect_warnings(report, blocks);
    return report;
}

}  // namespace netzip
