#include "models/cost/cost_text.h"

#include <fmt/format.h>

namespace netzip {

namespace {

/// "1.97 (0.95 .. 4.81) derived", with "out of range" where it is.
std::string ranged(Number const& number, char const* unit, int digits) {
    return fmt::format("{:.{}f} {} ({:.{}f} .. {:.{}f}), {}{}", number.value.typical, digits, unit, number.value.low,
                       digits, number.value.high, digits, enum_name(number.provenance),
                       number.out_of_range ? ", out of range" : "");
}

double typical(Cost const& cost, Resource resource) {
    return cost.resources[resource].value.typical;
}

std::string row(CostReport const& report, Cost const& cost, bool is_total) {
    Number const power_fpga = cost.fpga.total();
    Number const power_asic = cost.asic.total();
    double const all = report.total.area().value.typical;
    double const area = cost.area().value.typical;
    Number sure;
    for (auto const resource : {Resource::lut, Resource::ff, Resource::bram36, Resource::uram}) {
        sure.weaken(cost.resources[resource]);
    }
    std::string const name =
        is_total || cost.instances == 1 ? cost.name : fmt::format("{} x {}", cost.instances, cost.name);
    return fmt::format(
        "  {:<2} {:<28} {:>8.0f} {:>8.0f} {:>7.1f} {:>5.0f} {:>9.4f} {:>5.1f} {:>8.2f} {:>8.2f} {:>8.3f}  {}{}\n",
        is_total ? "" : enum_name(cost.direction), name, typical(cost, Resource::lut), typical(cost, Resource::ff),
        typical(cost, Resource::bram36), typical(cost, Resource::uram), area, all > 0.0 ? 100.0 * area / all : 0.0,
        1e3 * power_fpga.value.typical, 1e3 * power_asic.value.typical, report.energy_per_bit(power_asic).value.typical,
        enum_name(sure.provenance), sure.out_of_range ? ", out of range" : "");
}

std::string power_line(CostReport const& report, char const* name, Power const& power) {
    Number const per_bit = report.energy_per_bit(power.total());
    return fmt::format("  {:<8} {}\n           dynamic {:.3f} W, clock {:.3f} W, static {:.3f} W; {}\n", name,
                       ranged(power.total(), "W", 3), power.dynamic.value.typical, power.clock.value.typical,
                       power.leakage.value.typical,
                       report.tensor_bits > 0.0 ? ranged(per_bit, "pJ per tensor bit", 2) : "no tensor bit moved");
}

}  // namespace

std::string cost_text(CostReport const& report, std::string const& scenario) {
    if (report.blocks.empty()) return "cost: no accelerator, nothing beyond the plain NIC\n";
    std::string text =
        fmt::format("cost of the accelerator, both directions, built as {}\n  building blocks: {}\n  power: {}\n\n",
                    report.view == CostView::fpga ? "an FPGA" : "an ASIC", report.source, scenario);
    text += fmt::format("  {:<31} {:>8} {:>8} {:>7} {:>5} {:>9} {:>5} {:>8} {:>8} {:>8}  {}\n", "", "LUT", "FF",
                        "BRAM36", "URAM", "mm2", "%", "FPGA mW", "ASIC mW", "pJ/b", "counts");
    for (auto const& cost : report.blocks) text += row(report, cost, false);
    text += row(report, report.transmit, true) + row(report, report.receive, true) + row(report, report.total, true);

    text += fmt::format("\n  share of {}: LUT {:.1f} %, FF {:.1f} %, BRAM {:.1f} %, URAM {:.1f} %\n", report.device,
                        100 * report.device_share[0], 100 * report.device_share[1], 100 * report.device_share[2],
                        100 * report.device_share[3]);
    Resources const& r = report.total.resources;
    text += fmt::format(
        "\n  ASIC area, low .. high of the sources\n"
        "  bottom-up {}\n            SRAM {}: {:.2f} Mb\n            logic {}: {:.0f} k gates, {:.0f} k flip-flops\n"
        "  by gap    {}: FPGA silicon over Kuon and Rose, 16 nm to 7 nm\n",
        ranged(report.total.area(), "mm2", 3), ranged(report.total.sram_area, "mm2", 3),
        (r[Resource::sram_large].value.typical + r[Resource::sram_small].value.typical) * 1e-6,
        ranged(report.total.logic_area, "mm2", 3), r[Resource::gates].value.typical * 1e-3,
        r[Resource::flop_bits].value.typical * 1e-3, ranged(report.total.gap_area, "mm2", 3));
    text +=
        "\n  power\n" + power_line(report, "FPGA", report.total.fpga) + power_line(report, "ASIC", report.total.asic);
    text += fmt::format("  by gap   {}: FPGA dynamic and clock power over Kuon and Rose, 16 nm to 7 nm\n",
                        ranged(report.gap_power, "W", 3));
    if (!report.warnings.empty()) text += "\n";
    for (auto const& warning : report.warnings) text += "  warning: " + warning + "\n";
    return text;
}

std::string terms_text(std::vector<Block> const& blocks) {
    std::string text;
    for (auto const& block : blocks) {
        text += fmt::format("{} {}: {} x {}\n", enum_name(block.direction), block.stage, block.instances, block.name);
        for (auto const& term : block.terms) {
            Estimate const& value = term.amount.value;
            text += fmt::format("    {:>10.1f} {:<10} {}, {}{}", value.typical, enum_name(term.resource), term.what,
                                enum_name(term.amount.provenance), term.amount.out_of_range ? ", out of range" : "");
            if (value.low != value.high) text += fmt::format(" ({:.1f} .. {:.1f})", value.low, value.high);
            text += "\n";
        }
    }
    return text;
}

}  // namespace netzip
