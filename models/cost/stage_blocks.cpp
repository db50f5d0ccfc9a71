#include "models/cost/stage_blocks.h"

#include <algorithm>

namespace netzip {

namespace {

BlockBuilder& add_shape(BlockBuilder& builder, StageShape const& shape) {
    double const built_in = builder.block().per_instance()[Resource::ff].value.typical;
    double const pipeline = static_cast<double>(shape.latency * shape.width * 8);
    builder.registers("pipeline registers", std::max(0.0, pipeline - built_in), Provenance::assumed);
    if (shape.packets > 0) {
        builder.packet_memory("packet memory", shape.packets, shape.packet_bytes, shape.width);
        builder.access("packet memory", Counter::bytes_in, 8).access("packet memory", Counter::bytes_out, 8);
    }
    return builder.work(Counter::bytes_in, 1.0 / static_cast<double>(shape.width));
}

/// Memories that a base needs per layer: the one in use and the one being found.
std::uint64_t remembered_values(DeltaKind kind) {
    switch (kind) {
        case DeltaKind::min_previous:
        case DeltaKind::min_previous_ordered:
        case DeltaKind::p1_previous:
        case DeltaKind::float_min:
        case DeltaKind::float_p1:
            return 2;
        case DeltaKind::none:
        case DeltaKind::packet_exponent:
        case DeltaKind::true_integer:
        case DeltaKind::true_xor:
        case DeltaKind::float_true:
            break;
    }
    return 0;
}

bool needs_tensor(DeltaKind kind) {
    return kind == DeltaKind::true_integer || kind == DeltaKind::true_xor || kind == DeltaKind::float_true;
}

}  // namespace

Block stage_block(CostTables const& tables, std::string const& name, Placement const& placement,
                  std::vector<std::string> const& kinds, StageShape const& shape) {
    BlockBuilder builder(tables, name, placement);
    for (auto const& kind : kinds) builder.logic_at_width(kind, shape.width);
    return add_shape(builder, shape).block();
}

Block delta_block(CostTables const& tables, Placement const& placement, DeltaKind kind, StageShape const& shape) {
    bool const encoder = placement.direction == Direction::transmit;
    BlockBuilder builder(tables, encoder ? "delta encoder" : "delta decoder", placement);
    if (kind != DeltaKind::none) {
        bool const floating =
            kind == DeltaKind::float_min || kind == DeltaKind::float_p1 || kind == DeltaKind::float_true;
        builder.logic_at_width(floating ? "float_delta" : "integer_delta", shape.width);
        if (encoder && !needs_tensor(kind)) builder.logic_at_width("minimum_tree", shape.width);
    }
    if (encoder && (kind == DeltaKind::p1_previous || kind == DeltaKind::float_p1)) {
        builder.logic_at_width("exponent_histogram", shape.width);
        builder.remark("percentile: histogram of one layer at a time; layers that interleave are not counted");
    }
    if (needs_tensor(kind)) {
        builder.remark("true delta: the memory that holds the previous iteration of every layer is not counted");
    }
    return add_shape(builder, shape).block();
}

Block base_register_block(CostTables const& tables, Placement const& placement, DeltaKind kind, std::uint64_t layers,
                          std::uint64_t element_bits, std::uint64_t packet_bytes) {
    BlockBuilder builder(tables, "base registers", placement);
    std::uint64_t const values = remembered_values(kind);
    if (values == 0) return builder.block();
    builder.memory("base registers", {layers, element_bits, values}, Provenance::derived);
    auto const packet = static_cast<double>(packet_bytes);
    builder.access("base registers", Counter::bytes_in, static_cast<double>(2 * values * element_bits) / packet);
    return builder.work(Counter::bytes_in, 2.0 / packet).block();  // one read and one write per packet
}

}  // namespace netzip
