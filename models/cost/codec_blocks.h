#pragma once

#include <cstdint>

#include "models/algorithm.h"
#include "models/cost/block_builder.h"

namespace netzip {

/// A bank of engines as plain numbers.
struct EngineShape {
    std::uint64_t engines = 1;
    std::uint64_t bytes_per_cycle = 1;  ///< of tensor data, per engine
    std::uint64_t packet_bytes = 4096;  ///< longest block; positions in tables need log2 of it
    std::uint64_t layers = 1;           ///< codecs that keep a table per layer
    std::uint64_t slots = 2;            ///< exponent codecs: packets or blocks inside
    std::uint64_t lane_memories = 2;    ///< exponent decoders: blocks whose lanes are inside
    Bytes history{65536};               ///< decompressors: how far back a match may reach
};

/// Bits of one hash table entry: per candidate its data, its position in the block and the block's tag.
std::uint64_t hash_entry_bits(LzEngineConfig const& lz, std::uint64_t packet_bytes);

/// Compression engines of the codec of `algorithm`.
Block compressor_block(CostTables const& tables, Placement const& placement, AlgorithmConfig const& algorithm,
                       EngineShape const& shape);
/// Decompression engines.
Block decompressor_block(CostTables const& tables, Placement const& placement, AlgorithmConfig const& algorithm,
                         EngineShape const& shape);

/// What turns the stream of `stream_width` bytes per cycle into each engine's width and back, and the packets that
/// wait in front of each engine.
struct FeederShape {
    std::uint64_t engines = 1;
    std::uint64_t stream_width = 64;
    std::uint64_t engine_width = 1;
    std::uint64_t input_packets = 0;
    std::uint64_t packet_bytes = 4096;  ///< what one engine gets of a packet
};
Block feeder_block(CostTables const& tables, Placement const& placement, FeederShape const& shape);

}  // namespace netzip
