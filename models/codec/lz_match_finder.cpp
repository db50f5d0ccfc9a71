#include "models/codec/lz_match_finder.h"

#include <algorithm>
#include <cstring>

#include "models/codec/lz_sequences.h"

namespace netzip {
namespace {

/// The last literals that the LZ4 block format asks for, and its largest offset.
constexpr std::size_t kLz4LastLiterals = 5;
constexpr std::size_t kLz4LargestOffset = 65535;

std::uint32_t first_bytes(ByteSpan in, std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, in.data() + at, sizeof word);
    return word;
}

std::size_t common_prefix(std::uint8_t const* a, std::uint8_t const* b, std::size_t limit) {
    std::size_t n = 0;
    while (n < limit && a[n] == b[n]) ++n;
    return n;
}

}  // namespace

LzMatchFinder::LzMatchFinder(LzEngineConfig const& config)
    : candidates_(config.candidates),
      candidate_bytes_(config.candidate_bytes),
      history_(std::min<std::size_t>(config.history.count(), kLz4LargestOffset)),
      tail_literals_(std::max<std::size_t>(config.tail_literals.count(), kLz4LastLiterals)),
      minimum_distance_(config.minimum_distance.count()),
      hash_bits_(static_cast<unsigned>(config.hash_bits)),
      positions_((std::size_t{1} << config.hash_bits) * config.candidates, 0),
      newest_(std::size_t{1} << config.hash_bits, 0) {}

void LzMatchFinder::start_block(std::size_t bytes) {
    if (bytes > 0xFFFFFFFF - block_end_) {
        std::fill(positions_.begin(), positions_.end(), 0);
        block_end_ = 1;
    }
    block_start_ = block_end_;
    block_end_ += static_cast<std::uint32_t>(bytes);
}

/// Exclusive or of the four bytes folded to the width of the table index: no multiplier.
std::size_t LzMatchFinder::hash_at(ByteSpan in, std::size_t at) const {
    std::uint32_t const v = first_bytes(in, at);
    std::uint32_t folded = v;
    for (unsigned shift = hash_bits_; shift < 32; shift += hash_bits_) folded ^= v >> shift;
    return folded & ((std::uint32_t{1} << hash_bits_) - 1);
}

LzMatchFinder::Match LzMatchFinder::best_candidate(ByteSpan in, std::size_t at, std::size_t hash,
                                                   std::size_t end) const {
    Match best;
    std::size_t slot = newest_[hash];
    std::size_t const limit = std::min(candidate_bytes_, end - at);
    if (limit < kMinimumMatch) return best;
    std::uint32_t const wanted = first_bytes(in, at);
    for (std::size_t k = 0; k < candidates_; ++k) {
        std::uint32_t const position = positions_[hash * candidates_ + slot];
        if (position < block_start_) break;
        std::size_t const from = position - block_start_;
        std::size_t const offset = at - from;
        if (offset > history_) break;
        if (offset >= minimum_distance_ && first_bytes(in, from) == wanted) {
            std::size_t const length =
                kMinimumMatch +
                common_prefix(in.data() + from + kMinimumMatch, in.data() + at + kMinimumMatch, limit - kMinimumMatch);
            if (length > best.length) best = {length, offset};
        }
        slot = slot == 0 ? candidates_ - 1 : slot - 1;
    }
    if (best.length == candidate_bytes_)
        best.length += common_prefix(in.data() + at - best.offset + best.length, in.data() + at + best.length,
                                     end - at - best.length);
    return best;
}

void LzMatchFinder::insert(std::size_t hash, std::size_t at) {
    std::size_t const slot = newest_[hash] + std::size_t{1} == candidates_ ? 0 : newest_[hash] + std::size_t{1};
    positions_[hash * candidates_ + slot] = block_start_ + static_cast<std::uint32_t>(at);
    newest_[hash] = static_cast<std::uint8_t>(slot);
}

void LzMatchFinder::find(ByteSpan in, BlockWork& work) {
    start_block(in.size());
    std::size_t const last_start = in.size() > kLz4EndDistance ? in.size() - kLz4EndDistance + 1 : 0;
    std::size_t const end = in.size() > tail_literals_ ? in.size() - tail_literals_ : 0;
    std::size_t anchor = 0;
    std::size_t matched_to = 0;
    for (std::size_t at = 0; at < std::min(last_start, end); ++at) {
        std::size_t const hash = hash_at(in, at);
        if (at >= matched_to) {
            Match const match = best_candidate(in, at, hash, end);
            if (match.length >= kMinimumMatch) {
                add_sequence(work, at - anchor, match.length, match.offset);
                anchor = matched_to = at + match.length;
            }
        }
        insert(hash, at);
    }
    add_sequence(work, in.size() - anchor, 0, 0);
}

}  // namespace netzip
