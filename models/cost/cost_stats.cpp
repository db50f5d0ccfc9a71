#include "models/cost/evaluate.h"

namespace netzip {

namespace {

void set(StatsTable& table, std::string const& name, double value, std::string const& unit, Number const& origin) {
    table.set(name, value, unit, Better::lower, origin.provenance);
    if (origin.out_of_range) table.mark_out_of_range(name);
}

/// `name`, and `name`.low and .high beside it.
void set_range(StatsTable& table, std::string const& name, std::string const& unit, Number const& number) {
    set(table, name, number.value.typical, unit, number);
    set(table, name + ".low", number.value.low, unit, number);
    set(table, name + ".high", number.value.high, unit, number);
}

constexpr std::array<char const*, 4> kFpgaUnits{"LUT", "FF", "BRAM36", "URAM"};

}  // namespace

void CostReport::write_size(StatsTable& table) const {
    for (std::size_t i = 0; i < kFpgaUnits.size(); ++i) {
        auto const resource = static_cast<Resource>(i);
        std::string const name = "cost.fpga." + enum_name(resource);
        set_range(table, name, kFpgaUnits[i], total.resources[resource]);
        set(table, name + ".share", device_share[i], "1", total.resources[resource]);
        for (auto const& stage : stages) {
            set(table, "cost.stage." + stage.stage + ".fpga." + enum_name(resource),
                stage.resources[resource].value.typical, kFpgaUnits[i], stage.resources[resource]);
        }
    }
    Number const sram = total.resources[Resource::sram_large] + total.resources[Resource::sram_small];
    set(table, "cost.asic.sram_bits", sram.value.typical, "b", sram);
    set(table, "cost.asic.gates", total.resources[Resource::gates].value.typical, "gates",
        total.resources[Resource::gates]);
    set_range(table, "cost.asic.area", "mm2", total.area());
    set_range(table, "cost.asic.area.sram", "mm2", total.sram_area);
    set_range(table, "cost.asic.area.logic", "mm2", total.logic_area);
    set_range(table, "cost.asic.area.gap", "mm2", total.gap_area);
    set(table, "cost.asic.area.tx", transmit.area().value.typical, "mm2", transmit.area());
    set(table, "cost.asic.area.rx", receive.area().value.typical, "mm2", receive.area());
    table.set("cost.source", source, "");
    table.set("cost.device", device, "");
    std::string all;
    for (auto const& warning : warnings) all += (all.empty() ? "" : "; ") + warning;
    table.set("cost.warnings", all, "");
    for (auto const& stage : stages) {
        set_range(table, "cost.stage." + stage.stage + ".asic.area", "mm2", stage.area());
    }
}

void CostReport::write_power(StatsTable& table, std::string const& scenario) const {
    std::string const prefix = "cost." + scenario + ".";
    auto const write = [&](std::string const& technology, Power Cost::*member) {
        std::string const place = prefix + technology + ".";
        Power const& power = total.*member;
        set_range(table, place + "power", "W", power.total());
        set_range(table, place + "power.dynamic", "W", power.dynamic);
        set_range(table, place + "power.clock", "W", power.clock);
        set_range(table, place + "power.static", "W", power.leakage);
        if (tensor_bits > 0.0) {
            set_range(table, place + "energy_per_bit", "pJ/b", energy_per_bit(power.total()));
            set_range(table, place + "energy_per_bit.dynamic", "pJ/b", energy_per_bit(power.dynamic));
        }
        for (auto const& stage : stages) {
            set(table, place + "stage." + stage.stage + ".power", (stage.*member).total().value.typical, "W",
                (stage.*member).total());
        }
    };
    write("fpga", &Cost::fpga);
    write("asic", &Cost::asic);
    set_range(table, prefix + "asic.power.gap", "W", gap_power);
}

}  // namespace netzip
