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

/// Delta encoder or decoder: subtractors of every lane and what finds the base.
Block delta_block(CostTables const& tables, Placement const& placement, DeltaKind kind, StageShape const& shape);

/// What remembers the base of `layers` layers from one iteration to the next, `element_bits` each: the base in use and
/// the one being found. Without terms when the kind remembers nothing.
Block base_register_block(CostTables const& tables, Placement const& placement, DeltaKind kind, std::uint64_t layers,
                          std::uint64_t element_bits, std::uint64_t packet_bytes);

}  // namespace netzip
