#pragma once

#include <cstdint>

#include "models/codec/work.h"

namespace netzip {

/// When one engine was busy with one block; edges of the bank's clock, half-open.
struct EngineStamps {
    std::uint64_t start = 0;      ///< takes the first byte
    std::uint64_t taken = 0;      ///< has taken the last byte: the engine is free for the next block
    std::uint64_t first_out = 0;  ///< its first byte is at the output
    std::uint64_t done = 0;       ///< its last byte has left
};

/// A compression or decompression engine: blocks go through it one after another.
class Engine {
public:
    virtual ~Engine() = default;
    /// The next block, whose bytes arrive evenly from edge `head` to edge `tail`.
    virtual EngineStamps admit(std::uint64_t head, std::uint64_t tail, BlockWork const& work) = 0;
    /// Cycles of an endless row of such blocks, per block: what bounds the throughput.
    virtual double interval(BlockWork const& work) const = 0;
    /// Cycles, so far, that the busiest part behind the input has worked; 0 when there is none beside the input.
    virtual std::uint64_t worked() const { return 0; }
};

}  // namespace netzip
