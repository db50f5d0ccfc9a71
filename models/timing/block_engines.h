#pragma once

#include "models/timing/divider.h"
#include "models/timing/engine.h"

namespace netzip {

/// Compresses in two passes: the first finds matches and counts symbols, then the code tables are built, the second
/// writes the codes. The next block's first pass runs beside the second: double buffered, so that the pass after next
/// waits for it.
class TwoPassEngine final : public Engine {
public:
    struct Timing {
        std::uint64_t bytes_per_cycle = 1;         ///< first pass
        std::uint64_t encode_bytes_per_cycle = 1;  ///< second pass, of input
        std::uint64_t match_latency = 0;           ///< cycles of the first pass's pipeline
        std::uint64_t block_gap = 0;               ///< cycles between the first passes of two blocks
        std::uint64_t table_build = 0;             ///< cycles
        std::uint64_t output_latency = 0;          ///< cycles
    };
    explicit TwoPassEngine(Timing const& timing) : timing_(timing) {}
    EngineStamps admit(std::uint64_t head, std::uint64_t tail, BlockWork const& work) override;
    double interval(BlockWork const& work) const override;
    std::uint64_t worked() const override { return encoded_; }

private:
    Timing timing_;
    std::uint64_t free_ = 0;
    std::uint64_t encoder_free_ = 0;
    std::uint64_t encoded_ = 0;      ///< cycles of the second pass and its tables
    std::uint64_t buffer_free_ = 0;  ///< the second pass of the block before the last has ended
};

/// Works at a constant rate, either way: `table_build` cycles before the first byte, then so many bytes per 100
/// cycles on the original side of the block. Blocks that were stored raw pass at `raw_bytes_per_cycle`.
class RateEngine final : public Engine {
public:
    struct Timing {
        std::uint64_t bytes_per_100_cycles = 100;
        std::uint64_t raw_bytes_per_cycle = 1;
        std::uint64_t table_build = 0;  ///< cycles
        std::uint64_t latency = 0;      ///< cycles
    };
    explicit RateEngine(Timing const& timing) : timing_(timing) {}
    EngineStamps admit(std::uint64_t head, std::uint64_t tail, BlockWork const& work) override;
    double interval(BlockWork const& work) const override;

private:
    std::uint64_t tables(BlockWork const& work) const { return work.stored_raw ? 0 : timing_.table_build; }
    std::uint64_t body(BlockWork const& work) const;

    Timing timing_;
    std::uint64_t free_ = 0;
};

/// An LZ decompressor: a parser and a copy engine that run beside each other, each so many bytes per cycle.
///
///     parse = per sequence: 1 token + bytes of length extension + ceil(literals / width) + 1 offset
///     copy  = per sequence: ceil(literals / width) + ceil(match / rate) + 1 when the offset is below `width`
///     rate  = `short_offset_bytes_per_cycle` when the offset is below `short_offset`, else width
///     cycles of a block = max(sum of parse, sum of copy)
///
/// Approximates:    the FIFOs between parser and copy engine never fill.
class LzDecoder final : public Engine {
public:
    struct Timing {
        std::uint64_t bytes_per_cycle = 8;
        std::uint64_t short_offset = 16;
        std::uint64_t short_offset_bytes_per_cycle = 1;
        std::uint64_t latency = 30;  ///< cycles
    };
    explicit LzDecoder(Timing const& timing);
    EngineStamps admit(std::uint64_t head, std::uint64_t tail, BlockWork const& work) override;
    double interval(BlockWork const& work) const override { return static_cast<double>(cycles(work)); }

    std::uint64_t cycles(BlockWork const& work) const;

private:
    Timing timing_;
    Divider width_;
    Divider slow_width_;
    std::uint64_t free_ = 0;
};

}  // namespace netzip
