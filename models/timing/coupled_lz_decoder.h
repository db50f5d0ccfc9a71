#pragma once

#include "models/timing/engine.h"

namespace netzip {

/// An LZ4 decompressor of one parser and one copier without a FIFO between them, at full width for every offset.
///
/// Models:          per cycle the parser takes a token, a byte of a length, both bytes of an offset, or `width`
/// literals
///                  while the copier rests; the copier writes `width` bytes of a match while the parser goes on.
///                  Exact for the own RTL when the block's words are there in time.
/// Does not model:  a block whose bytes come in more slowly than they are parsed, beyond its last byte.
///
///     parsed = parsed + 1 + bytes of literal length;  literals from max(parsed, copied), both are then busy with them
///     parsed = parsed + 1 + bytes of match length;    match from max(parsed, copied); the parser goes on from there
class CoupledLzDecoder final : public Engine {
public:
    struct Timing {
        std::uint64_t bytes_per_cycle = 8;
        std::uint64_t latency = 2;  ///< cycles from the issue of a chunk to its bytes at the output
    };
    explicit CoupledLzDecoder(Timing const& timing) : timing_(timing) {}
    EngineStamps admit(std::uint64_t head, std::uint64_t tail, BlockWork const& work) override;
    double interval(BlockWork const& work) const override;

private:
    /// Cycles after the first word came.
    struct Walk {
        std::uint64_t first = 0;  ///< issues the chunk that fills the first word
        std::uint64_t last = 0;   ///< issues the last chunk
        bool spills = false;      ///< whose bytes end in a second word
    };
    Walk walk(BlockWork const& work) const;

    Timing timing_;
    std::uint64_t free_ = 0;
};

}  // namespace netzip
