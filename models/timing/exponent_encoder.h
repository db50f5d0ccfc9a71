#pragma once

#include <algorithm>
#include <vector>

#include "models/timing/engine.h"

namespace netzip {

/// A compressor engine of the exponent codecs: three loops side by side, over the packets that it holds.
///
///     input    takes `width` bytes per cycle into one of `slots`
///     coder    passes over the packet, `coder_width` bytes per cycle and one cycle to end it; begins with bytes of a
///              block of `scan_block` bytes `scan` cycles after the block is in (0: after the packet is in)
///     emitter  begins `code` cycles after the coder's end, sends each part of the block `width` bytes per cycle, a
///     lane
///              at a time; ends the packet `gap` cycles before it begins the next, and frees the slot
///
/// Lanes come out of a turner: a group of width / 8 lanes is filled, a word of 8 bytes of each per cycle, while the
/// group before it leaves.
/// Exact for RTL (tests/rtl, 64 B per cycle; 32 lanes, or a window) whose output is never refused.
/// Approximates: input slower than the engine is even.
/// Errors: RunError when the work has no parts and was not stored raw.
class ExponentEncoder final : public Engine {
public:
    struct Timing {
        std::uint64_t width = 64;        ///< bytes per cycle, of input and output
        std::uint64_t coder_width = 64;  ///< bytes of input per cycle
        std::uint64_t lanes = 0;         ///< 0: codes of fixed length in one part
        std::uint64_t slots = 4;         ///< packets from their first byte in to their last byte out
        std::uint64_t scan_block = 0;    ///< bytes
        std::uint64_t scan = 0;          ///< cycles
        std::uint64_t code = 0;          ///< cycles
        std::uint64_t gap = 0;           ///< cycles
        std::uint64_t pack = 0;          ///< cycles from a part's bytes to a beat of the output
    };
    explicit ExponentEncoder(Timing const& timing);
    EngineStamps admit(std::uint64_t head, std::uint64_t tail, BlockWork const& work) override;
    double interval(BlockWork const& work) const override;
    std::uint64_t worked() const override { return std::max(coded_, emitted_); }

private:
    std::uint64_t coder_cycles(BlockWork const& work) const;
    std::uint64_t coder_end(std::uint64_t start, std::uint64_t taken, std::uint64_t bytes) const;

    Timing timing_;
    std::uint64_t taken_ = 0;              ///< the packet before: its last byte is in
    std::uint64_t coder_free_ = 0;         ///< the coder may begin with a packet
    std::uint64_t emitter_free_ = 0;       ///< the emitter may begin with a packet
    std::vector<std::uint64_t> released_;  ///< ring of `slots`: the packet's slot is free
    std::size_t at_ = 0;                   ///< place of the next packet
    std::uint64_t coded_ = 0;              ///< cycles of the coder
    std::uint64_t emitted_ = 0;            ///< cycles of the emitter
};

}  // namespace netzip
