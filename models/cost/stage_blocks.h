#pragma once

#include <string>
#include <vector>

#include "models/algorithm.h"
#include "models/cost/block_builder.h"

namespace netzip {

/// A pipeline stage without what it computes.
struct StageShape {
    std::uint64_t width = 64;   ///< bytes per cycle
    std::uint64_t latency = 0;  ///< pipeline depth in cycles: a register of `width` bytes for each
    std::uint64_t packets = 0;  ///< whole packets held in memory
    std::uint64_t packet_bytes = 4096;
};

/// A stage made of the logic `kinds` of the tables, its pipeline registers and its packet memory.
Block stage_block(CostTables const& tables, std::string const& name, Placement const& placement,
                  std::vector<std::string> const& kinds, StageShape const& shape);

/// Delta encoder or decoder: subtractors of every lane, what finds the base, and the registers that remember it for
/// `layers` layers of `element_bits` wide values.
Block delta_block(CostTables const& tables, Placement const& placement, DeltaKind kind, std::uint64_t layers,
                  std::uint64_t element_bits, StageShape const& shape);

}  // namespace netzip
