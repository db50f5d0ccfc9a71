#include "models/cost/memory_mapping.h"

#include <algorithm>
#include <array>

namespace netzip {

namespace {

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
}

}  // namespace

std::uint64_t ramb18_count(std::uint64_t depth, std::uint64_t width) {
    // UltraScale memory resources guide (UG573): simple dual-port aspect ratios of a RAMB18.
    constexpr std::array<std::pair<std::uint64_t, std::uint64_t>, 6> kModes{
        {{512, 36}, {1024, 18}, {2048, 9}, {4096, 4}, {8192, 2}, {16384, 1}}};
    std::uint64_t best = ~std::uint64_t{0};
    for (auto const& [words, bits] : kModes) best = std::min(best, divide_up(depth, words) * divide_up(width, bits));
    return best;
}

std::uint64_t uram_count(CostTables const& tables, std::uint64_t depth, std::uint64_t width) {
    auto const words = static_cast<std::uint64_t>(tables.typical("device.uram_depth", "word"));
    auto const bits = static_cast<std::uint64_t>(tables.typical("device.uram_width", "bit"));
    return divide_up(depth, words) * divide_up(width, bits);
}

std::uint64_t lutram_count(std::uint64_t depth, std::uint64_t width) {
    constexpr std::uint64_t kLutsPerGroup = 8;
    if (depth <= 32) return divide_up(width, 14) * kLutsPerGroup;
    return divide_up(depth, 64) * divide_up(width, 7) * kLutsPerGroup;
}

MappedMemory map_memory(CostTables const& tables, MemoryShape const& shape) {
    MappedMemory mapped;
    if (shape.bits() == 0) return mapped;
    auto const banks = static_cast<double>(shape.banks);
    constexpr std::uint64_t kDistributedDepth = 64;
    bool const has_uram = tables.typical("device.uram", "URAM") > 0.0;
    std::uint64_t const urams = has_uram ? uram_count(tables, shape.depth, shape.width) : 0;
    double const uram_bits = tables.typical("device.uram_depth", "word") * tables.typical("device.uram_width", "bit");
    double const bank_bits = static_cast<double>(shape.depth * shape.width);
    if (shape.depth <= kDistributedDepth) {
        mapped.lut = static_cast<double>(lutram_count(shape.depth, shape.width)) * banks;
    } else if (has_uram && bank_bits >= 0.5 * uram_bits * static_cast<double>(urams)) {
        mapped.uram = static_cast<double>(urams) * banks;
    } else {
        mapped.bram36 = 0.5 * static_cast<double>(ramb18_count(shape.depth, shape.width)) * banks;
    }
    if (bank_bits <= tables.typical("asic.register_threshold", "bit")) {
        mapped.flop_bits = bank_bits * banks;
    } else if (bank_bits < tables.typical("asic.sram_large_threshold", "bit")) {
        mapped.sram_small = bank_bits * banks;
    } else {
        mapped.sram_large = bank_bits * banks;
    }
    return mapped;
}

}  // namespace netzip
