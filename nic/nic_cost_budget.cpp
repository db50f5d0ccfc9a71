#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "nic/nic_cost.h"

namespace netzip {

Budget parse_budget(std::string const& text) {
    char* rest = nullptr;
    double const percent = std::strtod(text.c_str(), &rest);
    std::string unit(rest == nullptr ? "" : rest);
    unit.erase(std::remove(unit.begin(), unit.end(), ' '), unit.end());
    for (auto const& [resource, name] : EnumNames<Resource>::values) {
        bool const of_device = resource <= Resource::uram;
        if (of_device && unit == std::string("%") + name && percent > 0.0 && percent <= 100.0) {
            return {resource, percent / 100.0};
        }
    }
    throw UsageError(
        fmt::format("budget: expected a share of the device such as \"17 % uram\" (lut, ff, bram36, uram),"
                    " got \"{}\"",
                    text));
}

BudgetResult engines_at_budget(NicConfig const& config, CostTables const& tables, Budget const& budget) {
    NicConfig one = config;
    one.accelerator = true;
    one.compressor.engines = 1;
    one.decompressor.engines = 1;
    Block const* compressor = nullptr;
    Block const* decompressor = nullptr;
    std::vector<Block> const blocks = nic_blocks(one, tables);
    for (auto const& block : blocks) {
        if (block.bytes_per_second <= 0.0) continue;
        (block.direction == Direction::transmit ? compressor : decompressor) = &block;
    }
    if (compressor == nullptr || decompressor == nullptr) {
        throw UsageError("budget: the codec of this configuration has no engines");
    }
    double const c = compressor->total()[budget.resource].value.typical;
    double const d = decompressor->total()[budget.resource].value.typical;
    constexpr std::array kUnits{"LUT", "FF", "BRAM36", "URAM"};
    double const device =
        tables.typical("device." + enum_name(budget.resource), kUnits[static_cast<std::size_t>(budget.resource)]);
    // On an FPGA a kernel does not run faster than it was ever built.
    auto const rate = [&](Block const& block) {
        bool const slower =
            config.technology == Technology::fpga && block.reached_hz > 0.0 && block.reached_hz < block.clock_hz;
        return block.bytes_per_second * (slower ? block.reached_hz / block.clock_hz : 1.0);
    };
    BudgetResult best;
    best.available = device * budget.share;
    constexpr std::uint64_t kMost = 1024;
    for (std::uint64_t n = 1; n <= kMost; ++n) {
        double const rest = best.available - static_cast<double>(n) * d;
        if (rest < c) break;
        auto const most = c > 0.0 ? std::min(kMost, static_cast<std::uint64_t>(rest / c)) : kMost;
        double const limit =
            std::min(static_cast<double>(n) * rate(*decompressor), static_cast<double>(most) * rate(*compressor));
        if (limit <= best.bytes_per_second) continue;
        best.bytes_per_second = limit;
        best.compressors = std::min(most, static_cast<std::uint64_t>(std::ceil(limit / rate(*compressor) - 1e-9)));
        best.decompressors = n;
    }
    if (best.compressors == 0) {
        throw UsageError(fmt::format("budget: one engine of each kind takes {:.0f} {}, the budget is {:.0f}", c + d,
                                     enum_name(budget.resource), best.available));
    }
    best.used = static_cast<double>(best.compressors) * c + static_cast<double>(best.decompressors) * d;
    return best;
}

}  // namespace netzip
