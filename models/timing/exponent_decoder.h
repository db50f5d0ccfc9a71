#pragma once

#include <algorithm>
#include <vector>

#include "models/timing/engine.h"

namespace netzip {

/// A decompressor engine of the exponent codecs: loops side by side, over the blocks that it holds.
///
///     input    takes `width` bytes per cycle into one of `slots`
///     loader   with lanes only, for whole blocks: waits for one of `loads` lane memories; `header` cycles, and unless
///              the block was stored raw `sums` more, with zero maps one per map and `count`; then the lanes, as many
///              at a time as `load_width` has words of 8 bytes, each `load_width` bytes per cycle. Its end is seen by
///              the decoder after `turn` cycles
///     decoder  restores `decoder_width` bytes per cycle, which are at the output after `latency` cycles; its end frees
///              the lane memories after `lanes_release`, the slot after `release` cycles
///
/// Exact for RTL (tests/rtl, 64 B per cycle; 32 lanes, or a window) whose output is never refused.
/// Approximates: input slower than the engine is even.
/// Errors: RunError when lanes are to be loaded and the work has no parts.
class ExponentDecoder final : public Engine {
public:
    struct Timing {
        std::uint64_t width = 64;          ///< bytes per cycle, of input
        std::uint64_t decoder_width = 64;  ///< bytes of output per cycle
        std::uint64_t lanes = 0;           ///< 0: codes of fixed length, no loader
        std::uint64_t slots = 4;           ///< blocks from their first byte in until the last one was read
        std::uint64_t loads = 2;           ///< blocks whose lanes are loaded or being loaded
        std::uint64_t load_width = 32;     ///< bytes of a lane per cycle
        std::uint64_t header = 2;          ///< cycles
        std::uint64_t sums = 1;            ///< cycles
        std::uint64_t count = 2;           ///< cycles
        std::uint64_t turn = 3;            ///< cycles
        std::uint64_t latency = 5;         ///< cycles
        std::uint64_t lanes_release = 1;   ///< cycles
        std::uint64_t release = 2;         ///< cycles
    };
    explicit ExponentDecoder(Timing const& timing);
    EngineStamps admit(std::uint64_t head, std::uint64_t tail, BlockWork const& work) override;
    double interval(BlockWork const& work) const override;
    std::uint64_t worked() const override { return std::max(loaded_, decoded_); }

private:
    /// Of the block that was admitted last.
    struct Cycles {
        std::uint64_t load_begin = 0;
        std::uint64_t load_end = 0;
        std::uint64_t decoder_end = 0;
    };
    std::uint64_t load_cycles(BlockWork const& work) const;

    Timing timing_;
    Cycles last_;
    std::uint64_t taken_ = 0;                 ///< its last byte is in
    std::vector<std::uint64_t> slot_free_;    ///< ring of `slots`
    std::vector<std::uint64_t> memory_free_;  ///< ring of `loads`
    std::size_t slot_ = 0;                    ///< of the next block
    std::size_t memory_ = 0;                  ///< of the next block
    std::uint64_t loaded_ = 0;                ///< cycles of the loader
    std::uint64_t decoded_ = 0;               ///< cycles of the decoder
};

}  // namespace netzip
