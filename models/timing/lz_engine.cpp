#include "models/timing/lz_engine.h"

#include <algorithm>

#include "base/error.h"

namespace netzip {
namespace {

// LZ4 block format: lengths of 15 and more go on in bytes of up to 255, none below 15; a match is 4 bytes at least.
constexpr std::uint32_t kLz4Nibble = 15;
constexpr std::uint32_t kLz4MinimumMatch = 4;
std::uint64_t lz4_extension(std::uint32_t length) {
    return (length + 255 - kLz4Nibble) / 255;
}

// Snappy: a literal tag holds lengths up to 60 and takes 1 or 2 bytes more beyond; a copy holds up to 64 bytes in 3
// bytes, or 4 to 11 bytes with an offset below 2048 in 2.
constexpr std::uint64_t kSnappyCopy = 64;
std::uint64_t snappy_literal_tag(std::uint32_t literals) {
    if (literals == 0) return 0;
    return literals <= 60 ? 1 : literals <= 256 ? 2 : 3;
}
std::uint64_t snappy_copies(LzSequence const& sequence) {
    std::uint64_t const whole = sequence.match_length / kSnappyCopy;
    std::uint64_t const rest = sequence.match_length % kSnappyCopy;
    if (rest == 0) return whole * 3;
    return whole * 3 + (rest >= 4 && rest <= 11 && sequence.offset < 2048 ? 2 : 3);
}

inline std::uint64_t prefix_bytes(LzFormat format, std::uint32_t literals) {
    return format == LzFormat::snappy ? snappy_literal_tag(literals) : 1 + lz4_extension(literals);
}

inline std::uint64_t match_bytes(LzFormat format, LzSequence const& sequence) {
    if (sequence.match_length == 0) return 0;
    if (format == LzFormat::snappy) return snappy_copies(sequence);
    return 2 + lz4_extension(sequence.match_length - kLz4MinimumMatch);
}

}  // namespace

std::uint64_t sequence_prefix(LzFormat format, LzSequence const& sequence) {
    return prefix_bytes(format, sequence.literals);
}

std::uint64_t sequence_bytes(LzFormat format, LzSequence const& sequence) {
    return prefix_bytes(format, sequence.literals) + sequence.literals + match_bytes(format, sequence);
}

void LzEngine::Limits::push(Limit limit) {
    if (last - first == ring.size()) {
        // The size stays a power of two; the entries keep their order from index 0.
        std::vector<Limit> larger(std::max<std::size_t>(ring.size() * 2, 64));
        for (std::size_t i = 0; i < ring.size(); ++i) larger[i] = ring[(first + i) & (ring.size() - 1)];
        last -= first;
        first = 0;
        ring.swap(larger);
    }
    ring[last++ & (ring.size() - 1)] = limit;
}

LzEngine::LzEngine(LzEngineConfig const& config, LzTiming const& timing, LzFormat format)
    : config_(config),
      timing_(timing),
      format_(format),
      width_(std::max<std::uint64_t>(timing.bytes_per_cycle, 1)),
      match_ticks_(timing.match_latency * timing.bytes_per_cycle),
      turn_ticks_(timing.fifo_turn * timing.bytes_per_cycle),
      nearest_limit_(std::min(config.history, config.literal_fifo).count()),
      pops_(config.sequence_fifo, 0) {
    if (timing.bytes_per_cycle == 0 || timing.clear_per_cycle == 0 || config.sequence_fifo == 0) {
        throw UsageError("an LZ engine needs bytes per cycle, entries cleared per cycle and a sequence FIFO above 0");
    }
}

/// Ticks for which the table is cleared before this block.
std::uint64_t LzEngine::clearing() {
    std::uint64_t const tags = (std::uint64_t{1} << config_.epoch_bits) - 1;
    bool const clear = config_.flush_per_block || blocks_since_clear_ == tags;
    if (clear) blocks_since_clear_ = 0;
    ++blocks_since_clear_;
    if (!clear) return 0;
    return beats(std::uint64_t{1} << config_.hash_bits, timing_.clear_per_cycle).count() * timing_.bytes_per_cycle;
}

/// Stalls so that the literals of the coming run find room in the literal FIFO.
void LzEngine::limit_literals(Walk& walk, std::uint64_t literals) {
    while (!by_literal_.empty() && by_literal_.front().at < literals_before_ + literals) {
        Limit const limit = by_literal_.front();
        by_literal_.pop();
        if (limit.at < literals_before_) continue;
        std::uint64_t const at = walk.position + (limit.at - literals_before_);
        if (walk.base + at < limit.tick) walk.base = limit.tick - at;
    }
}

/// Stalls so that the bytes before `up_to` find room in the history.
void LzEngine::limit_positions(Walk& walk, std::uint64_t up_to) {
    while (!by_position_.empty() && by_position_.front().at < bytes_before_ + up_to) {
        Limit const limit = by_position_.front();
        by_position_.pop();
        std::uint64_t const at = limit.at < bytes_before_ ? 0 : limit.at - bytes_before_;
        if (walk.base + at < limit.tick) walk.base = limit.tick - at;
    }
}

/// Stalls until `byte` is there when the block comes in slower than it is taken.
void LzEngine::limit_arrival(Walk& walk, std::uint64_t byte) {
    if (walk.span <= walk.bytes) return;
    std::uint64_t const there = walk.head + beats((byte + 1) * walk.span, walk.bytes).count() - 1;
    if (walk.base + byte < there) walk.base = there - byte;
}

void LzEngine::one_sequence(Walk& walk, LzSequence const& sequence) {
    std::uint64_t const end = walk.position + sequence.literals + sequence.match_length;
    std::uint64_t const last_byte = walk.bytes - 1;
    std::uint64_t const known = sequence.match_length == 0 ? last_byte : std::min(end + timing_.lookahead, last_byte);
    limit_literals(walk, sequence.literals);
    limit_positions(walk, known + 1);
    limit_arrival(walk, known);

    std::uint64_t& slot = pops_[pop_at_];
    pop_at_ = pop_at_ + 1 == pops_.size() ? 0 : pop_at_ + 1;
    std::uint64_t push = walk.base + known + match_ticks_;
    // A place that was never used is free from tick 0 on.
    std::uint64_t const room = slot + turn_ticks_;
    if (slot != 0 && push < room) {
        walk.base += room - push;
        push = room;
    }
    std::uint64_t const pop = std::max(push, walk.emit_free);
    slot = pop;
    if (walk.position == 0) walk.first_pop = pop;
    std::uint64_t const prefix = sequence_prefix(format_, sequence);
    walk.emit_free = pop + sequence_bytes(format_, sequence);

    // Bytes are taken one per tick at the earliest: most limits cannot bind.
    std::uint64_t const leaves = pop + prefix + 1;
    std::uint64_t const earliest = walk.base + walk.position;
    if (earliest + nearest_limit_ < leaves) limit_later(walk, sequence, leaves);
    literals_before_ += sequence.literals;
    walk.position = end;
}

/// The same as one_sequence for sequences that wait for nothing and make nothing wait, as nearly all do; stops at the
/// first that may. Returns how many it took. A function of its own: the loop needs all registers.
template <LzFormat kFormat>
[[gnu::noinline]] std::size_t LzEngine::free_sequences(Walk& walk, std::span<LzSequence const> sequences) {
    if (walk.span > walk.bytes || !by_literal_.empty() || !by_position_.empty()) return 0;
    std::uint64_t const last_byte = walk.bytes - 1;
    std::uint64_t const nearest = walk.base + nearest_limit_;
    std::uint64_t const pushed = walk.base + match_ticks_;
    std::uint64_t const turn = turn_ticks_;
    std::uint64_t const lookahead = timing_.lookahead;
    std::uint64_t position = walk.position;
    std::uint64_t emit_free = walk.emit_free;
    std::uint64_t literals = 0;
    std::uint64_t* const pops = pops_.data();
    std::size_t const fifo = pops_.size();
    std::size_t at = pop_at_;
    std::size_t taken = 0;
    for (; taken < sequences.size(); ++taken) {
        LzSequence const& sequence = sequences[taken];
        std::uint32_t const run = sequence.literals;
        std::uint64_t const end = position + run + sequence.match_length;
        std::uint64_t const known = sequence.match_length == 0 ? last_byte : std::min(end + lookahead, last_byte);
        std::uint64_t const push = pushed + known;
        if (push < pops[at] + turn) break;
        std::uint64_t const pop = std::max(push, emit_free);
        std::uint64_t const prefix = prefix_bytes(kFormat, run);
        if (nearest + position < pop + prefix + 1) break;
        if (position == 0) walk.first_pop = pop;
        pops[at] = pop;
        at = at + 1 == fifo ? 0 : at + 1;
        emit_free = pop + prefix + run + match_bytes(kFormat, sequence);
        literals += run;
        position = end;
    }
    walk.position = position;
    walk.emit_free = emit_free;
    literals_before_ += literals;
    pop_at_ = at;
    return taken;
}

/// Notes which later bytes must wait until the literals of this sequence begin to leave.
void LzEngine::limit_later(Walk const& walk, LzSequence const& sequence, std::uint64_t leaves) {
    std::uint64_t const earliest = walk.base + walk.position;
    if (earliest + config_.history.count() < leaves) {
        by_position_.push({bytes_before_ + walk.position + config_.history.count(), leaves});
    }
    if (sequence.literals > 0 && earliest + config_.literal_fifo.count() < leaves) {
        by_literal_.push({literals_before_ + config_.literal_fifo.count(), leaves});
    }
}

EngineStamps LzEngine::admit(std::uint64_t head, std::uint64_t tail, BlockWork const& work) {
    if (work.bytes_in == 0) return {head, head, head, head};
    std::uint64_t const w = timing_.bytes_per_cycle;
    Walk walk{
        std::max(head * w, accept_free_ + clearing()), 0, work.bytes_in, head * w, (tail - head) * w, emit_free_, 0};
    limit_positions(walk, 1);
    std::uint64_t const start = width_.down(walk.base);
    if (work.sequences.empty()) {
        if (work.matches != 0) throw RunError("an LZ engine needs the sequences of the block, got only their count");
        one_sequence(walk, {static_cast<std::uint16_t>(work.bytes_in), 0, 0});
    }
    std::span<LzSequence const> left = work.sequences;
    while (true) {
        left = left.subspan(format_ == LzFormat::lz4 ? free_sequences<LzFormat::lz4>(walk, left)
                                                     : free_sequences<LzFormat::snappy>(walk, left));
        if (left.empty()) break;
        one_sequence(walk, left.front());
        left = left.subspan(1);
    }

    std::uint64_t const taken = std::max(walk.base + walk.bytes, tail * w);
    emit_free_ = walk.emit_free;
    accept_free_ = taken + timing_.block_gap * w;
    bytes_before_ += walk.bytes;
    return {start, width_.up(taken), width_.down(walk.first_pop) + timing_.output_latency,
            width_.up(std::max(emit_free_, taken)) + timing_.output_latency};
}

double LzEngine::interval(BlockWork const& work) const {
    std::uint64_t out = 0;
    for (LzSequence const& sequence : work.sequences) out += sequence_bytes(format_, sequence);
    if (work.sequences.empty()) out = work.bytes_in;
    std::uint64_t const in = work.bytes_in + timing_.block_gap * timing_.bytes_per_cycle;
    double cycles = static_cast<double>(std::max(in, out));
    double const clear =
        static_cast<double>(std::uint64_t{1} << config_.hash_bits) / static_cast<double>(timing_.clear_per_cycle);
    double const tags = static_cast<double>((std::uint64_t{1} << config_.epoch_bits) - 1);
    cycles = cycles / static_cast<double>(timing_.bytes_per_cycle);
    return cycles + (config_.flush_per_block ? clear : clear / tags);
}

}  // namespace netzip
