#pragma once

#include <span>
#include <vector>

#include "models/codec/lz_engine_config.h"
#include "models/timing/divider.h"
#include "models/timing/engine.h"

namespace netzip {

/// How an LZ block spells its sequences.
enum class LzFormat { lz4, snappy };

/// Bytes that one sequence takes in the block, literals included.
std::uint64_t sequence_bytes(LzFormat format, LzSequence const& sequence);
/// Bytes of it that stand before the first literal.
std::uint64_t sequence_prefix(LzFormat format, LzSequence const& sequence);

/// What the pipeline of one LZ engine looks like in time.
struct LzTiming {
    std::uint64_t bytes_per_cycle = 1;
    std::uint64_t match_latency = 2;  ///< cycles from the byte that ends a match to its token
    std::uint64_t fifo_turn = 1;  ///< cycles from a token to the push that its place in the FIFO of sequences allows
    std::uint64_t lookahead = 2;  ///< bytes after a match that must be in before its end is known
    std::uint64_t output_latency = 0;   ///< cycles after the token's place in the byte stream
    std::uint64_t block_gap = 0;        ///< cycles between the last byte of a block and the first of the next
    std::uint64_t clear_per_cycle = 1;  ///< table entries cleared per cycle
};

/// A compressor engine with one matcher, a FIFO of sequences, and one emitter, sequence by sequence.
///
/// Models:          one byte per 1/bytes_per_cycle cycle in and out; a token leaves only after its literal run has
///                  ended and its match too; the matcher stands still while the FIFO of sequences is full, or the
///                  literals waiting for their token fill the literal FIFO or the history; the table is cleared per
///                  block, or when the block tag wraps; the next block enters while the last one is emitted.
/// Approximates:    a literal run longer than `literal_fifo` is taken without a stall (hardware stores such a block
///                  raw); input slower than the engine is even and seen at the ends of sequences.
///
///     know(i)  = accept(min(end of match i + lookahead, last byte))
///     push(i)  = know(i) + match_latency, not before pop(i - FIFO depth) + fifo_turn; the wait also holds `accept`
///     pop(i)   = max(push(i), end of emission of i - 1)
class LzEngine final : public Engine {
public:
    LzEngine(LzEngineConfig const& config, LzTiming const& timing, LzFormat format);

    EngineStamps admit(std::uint64_t head, std::uint64_t tail, BlockWork const& work) override;
    double interval(BlockWork const& work) const override;

private:
    /// A byte that may be taken only from `tick` on.
    struct Limit {
        std::uint64_t at;  ///< absolute position, or number of the literal
        std::uint64_t tick;
    };
    /// Limits in order of `at`, applied once.
    struct Limits {
        std::vector<Limit> ring;
        std::size_t first = 0;
        std::size_t last = 0;
        void push(Limit limit);
        bool empty() const { return first == last; }
        Limit const& front() const { return ring[first & (ring.size() - 1)]; }
        void pop() { ++first; }
    };
    /// The walk through one block.
    struct Walk {
        std::uint64_t base;      ///< tick in which byte 0 of the block is taken; grows with every stall
        std::uint64_t position;  ///< in the block
        std::uint64_t bytes;
        std::uint64_t head;  ///< tick in which byte 0 is there
        std::uint64_t span;  ///< ticks over which the block arrives
        std::uint64_t emit_free;
        std::uint64_t first_pop;
    };

    std::uint64_t clearing();
    void one_sequence(Walk& walk, LzSequence const& sequence);
    template <LzFormat kFormat>
    std::size_t free_sequences(Walk& walk, std::span<LzSequence const> sequences);
    void limit_literals(Walk& walk, std::uint64_t literals);
    void limit_positions(Walk& walk, std::uint64_t up_to);
    void limit_later(Walk const& walk, LzSequence const& sequence, std::uint64_t leaves);
    static void limit_arrival(Walk& walk, std::uint64_t byte);

    LzEngineConfig config_;
    LzTiming timing_;
    LzFormat format_;
    Divider width_;  ///< ticks to cycles
    std::uint64_t match_ticks_;
    std::uint64_t turn_ticks_;
    std::uint64_t nearest_limit_;
    // All times below are in ticks: 1 / bytes_per_cycle of a cycle.
    std::uint64_t accept_free_ = 0;
    std::uint64_t emit_free_ = 0;
    std::uint64_t blocks_since_clear_ = 0;
    std::uint64_t bytes_before_ = 0;     ///< taken in earlier blocks
    std::uint64_t literals_before_ = 0;  ///< taken in all earlier sequences
    std::vector<std::uint64_t> pops_;    ///< ring of the FIFO's depth
    std::size_t pop_at_ = 0;             ///< place of the next sequence in the ring
    Limits by_position_;
    Limits by_literal_;
};

}  // namespace netzip
