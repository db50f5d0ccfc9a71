#pragma once

#include <cstdint>

#include "models/cost/cost_tables.h"

namespace netzip {

/// A memory as a designer writes it down.
struct MemoryShape {
    std::uint64_t depth = 0;  ///< words of one bank
    std::uint64_t width = 0;  ///< bits of a word
    std::uint64_t banks = 1;  ///< that many of them: independent ports, or copies

    std::uint64_t bits() const { return depth * width * banks; }
};

/// What a memory becomes in each technology; exactly one of the FPGA kinds and one of the ASIC kinds is used.
struct MappedMemory {
    double lut = 0.0;     ///< distributed RAM
    double bram36 = 0.0;  ///< a RAMB18 counts as half
    double uram = 0.0;
    double sram_large = 0.0;  ///< bits
    double sram_small = 0.0;  ///< bits
    double flop_bits = 0.0;   ///< storage too small for a macro
};

/// RAMB18s for one simple dual-port bank: the best aspect ratio of 512 x 36 down to 16384 x 1.
std::uint64_t ramb18_count(std::uint64_t depth, std::uint64_t width);
/// URAM288s for one bank.
std::uint64_t uram_count(CostTables const& tables, std::uint64_t depth, std::uint64_t width);
/// LUTs of distributed RAM for one bank: RAM32M16 (8 LUTs, 32 x 14) up to 32 words, else RAM64M8 (8 LUTs, 64 x 7).
std::uint64_t lutram_count(std::uint64_t depth, std::uint64_t width);

/// Distributed RAM up to 64 words, URAM where it is at least half full, block RAM otherwise; in an ASIC flip-flops up
/// to `asic.register_threshold` bits per bank, small macros up to `asic.sram_large_threshold`, then large ones.
MappedMemory map_memory(CostTables const& tables, MemoryShape const& shape);

}  // namespace netzip
