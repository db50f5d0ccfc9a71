#include "models/timing/block_engines.h"

#include <algorithm>

#include "base/error.h"
#include "base/units.h"

namespace netzip {
namespace {

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    return beats(a, b).count();
}

// LZ4 block format: a length of 15 and more goes on in bytes of up to 255, each a cycle of the parser: none below 15,
// else (length - 15) / 255 + 1. Without a branch, since lengths follow no pattern.
std::uint64_t extension_bytes(std::uint64_t length) {
    return (length + 240) / 255;
}

}  // namespace

EngineStamps TwoPassEngine::admit(std::uint64_t head, std::uint64_t tail, BlockWork const& work) {
    std::uint64_t const start = std::max({head, free_, buffer_free_});
    std::uint64_t const taken = std::max(start + ceil_div(work.bytes_in, timing_.bytes_per_cycle), tail);
    std::uint64_t const encode =
        std::max(taken + timing_.match_latency + timing_.table_build, encoder_free_ + timing_.table_build);
    std::uint64_t const end = encode + ceil_div(work.bytes_in, timing_.encode_bytes_per_cycle);
    free_ = taken + timing_.block_gap;
    buffer_free_ = encoder_free_;
    encoder_free_ = end;
    encoded_ += end - encode + timing_.table_build;
    return {start, taken, encode + timing_.output_latency, end + timing_.output_latency};
}

double TwoPassEngine::interval(BlockWork const& work) const {
    std::uint64_t const first = ceil_div(work.bytes_in, timing_.bytes_per_cycle) + timing_.block_gap;
    std::uint64_t const second = ceil_div(work.bytes_in, timing_.encode_bytes_per_cycle) + timing_.table_build;
    return static_cast<double>(std::max(first, second));
}

std::uint64_t RateEngine::body(BlockWork const& work) const {
    if (work.stored_raw) return ceil_div(work.bytes_in, timing_.raw_bytes_per_cycle);
    return ceil_div(std::uint64_t{work.bytes_in} * 100, timing_.bytes_per_100_cycles);
}

EngineStamps RateEngine::admit(std::uint64_t head, std::uint64_t tail, BlockWork const& work) {
    std::uint64_t const start = std::max(head, free_);
    std::uint64_t const taken = std::max(start + tables(work) + body(work), tail);
    free_ = taken;
    return {start, taken, start + tables(work) + timing_.latency, taken + timing_.latency};
}

double RateEngine::interval(BlockWork const& work) const {
    return static_cast<double>(tables(work) + body(work));
}

LzDecoder::LzDecoder(Timing const& timing)
    : timing_(timing),
      width_(std::max<std::uint64_t>(timing.bytes_per_cycle, 1)),
      slow_width_(std::max<std::uint64_t>(timing.short_offset_bytes_per_cycle, 1)) {}

std::uint64_t LzDecoder::cycles(BlockWork const& work) const {
    if (work.stored_raw) return width_.up(work.bytes_in);
    if (work.sequences.empty()) {
        if (work.matches != 0) throw RunError("an LZ decompressor needs the sequences of the block, got only a count");
        return 1 + extension_bytes(work.bytes_in) + width_.up(work.bytes_in);
    }
    std::uint64_t parse = 0;
    std::uint64_t copy = 0;
    for (LzSequence const& s : work.sequences) {
        std::uint64_t const literals = width_.up(s.literals);
        std::uint64_t const match = s.match_length > 0 ? 1 : 0;
        parse += 1 + extension_bytes(s.literals) + literals;
        parse += match + extension_bytes(std::max<std::uint64_t>(s.match_length, 4) - 4);
        std::uint64_t const fast = width_.up(s.match_length);
        std::uint64_t const slow = slow_width_.up(s.match_length);
        copy += literals + (s.offset < timing_.short_offset ? slow : fast);
        copy += s.offset < timing_.bytes_per_cycle ? match : 0;
    }
    return std::max(parse, copy);
}

EngineStamps LzDecoder::admit(std::uint64_t head, std::uint64_t tail, BlockWork const& work) {
    std::uint64_t const start = std::max(head, free_);
    std::uint64_t const taken = std::max(start + cycles(work), tail);
    free_ = taken;
    return {start, taken, start + timing_.latency, taken + timing_.latency};
}

}  // namespace netzip
