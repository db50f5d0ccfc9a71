#pragma once

#include <string>

#include "models/cost/block.h"
#include "models/cost/cost_tables.h"
#include "models/cost/memory_mapping.h"

namespace netzip {

/// Where a block stands.
struct Placement {
    std::string stage;  ///< as in the configuration
    Direction direction = Direction::transmit;
    double clock_hz = 300e6;
};

/// Collects the terms of a block from table entries and memory shapes.
class BlockBuilder {
public:
    BlockBuilder(CostTables const& tables, std::string name, Placement const& placement, std::uint64_t instances = 1);

    /// A condition that table entries are checked against from now on.
    BlockBuilder& condition(std::string const& name, double value);
    /// `scale` times the logic of `kind`: LUT and FF, gates and flip-flops.
    BlockBuilder& logic(std::string const& kind, Number const& lut_scale, Number const& ff_scale);
    BlockBuilder& logic(std::string const& kind, double scale);
    /// The logic of `kind` at `width` bytes per cycle, proportional to the width.
    BlockBuilder& logic_at_width(std::string const& kind, std::uint64_t width);
    /// Flip-flops of `bits` each.
    BlockBuilder& registers(std::string const& what, double bits, Provenance provenance);
    BlockBuilder& memory(std::string const& what, MemoryShape const& shape, Provenance provenance);
    /// `packets` packets, written and read `width` bytes at a time, in banks of 32 bits as own RTL of the grouper.
    BlockBuilder& packet_memory(std::string const& what, std::uint64_t packets, std::uint64_t packet_bytes,
                                std::uint64_t width);
    /// Memories that are known as a count of blocks; an ASIC gets as many bits as they hold.
    BlockBuilder& counted_memory(std::string const& what, Resource kind, Number const& blocks);
    /// Energy of the memory `what`, which must have been added.
    BlockBuilder& access(std::string const& what, Counter counter, double bits);
    /// An instance works `cycles` for each count.
    BlockBuilder& work(Counter counter, double cycles);
    /// The speed of `kind`: published clock, and tensor bytes per second of an instance of `width` bytes per cycle.
    BlockBuilder& speed(std::string const& kind, double width);
    BlockBuilder& remark(std::string const& text);

    CostTables const& tables() const { return tables_; }
    Number number(std::string const& name, std::string const& unit) const;
    Block const& block() const { return block_; }

private:
    void add(std::string const& what, Resource resource, Number const& amount);

    CostTables const& tables_;
    Block block_;
    Conditions conditions_;
};

}  // namespace netzip
