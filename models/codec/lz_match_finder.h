#pragma once

#include <cstdint>
#include <vector>

#include "models/codec/codec.h"

namespace netzip {

/// The greedy match finder of an LZ engine: a hash table of recent positions and no search beyond it.
///
/// Every position of a block enters the table, also those inside matches, as an engine that shifts its input through
/// does. At a position, the candidates of its 4-byte hash are compared over their stored `candidate_bytes`; the
/// longest wins, the nearest among equals; the winner is then extended byte by byte. No skip acceleration.
/// Cost: at most candidates * candidate_bytes comparisons per input byte, plus one per matched byte.
class LzMatchFinder {
public:
    explicit LzMatchFinder(LzEngineConfig const& config);
    /// Appends the sequences of `in` to `work`; the last one has no match.
    void find(ByteSpan in, BlockWork& work);

    /// Bytes at the end of a block where no match may begin (LZ4 block format).
    static constexpr std::size_t kLz4EndDistance = 12;
    static constexpr std::size_t kMinimumMatch = 4;

private:
    struct Match {
        std::size_t length = 0;
        std::size_t offset = 0;
    };
    std::size_t hash_at(ByteSpan in, std::size_t at) const;
    Match best_candidate(ByteSpan in, std::size_t at, std::size_t hash, std::size_t end) const;
    void insert(std::size_t hash, std::size_t at);
    void start_block(std::size_t bytes);

    std::size_t candidates_;
    std::size_t candidate_bytes_;
    std::size_t history_;
    std::size_t tail_literals_;
    std::size_t minimum_distance_;
    unsigned hash_bits_;
    std::uint32_t block_start_ = 1;  ///< number of the block's first position; smaller ones are stale
    std::uint32_t block_end_ = 1;
    std::vector<std::uint32_t> positions_;  ///< `candidates_` per entry, a ring
    std::vector<std::uint8_t> newest_;      ///< per entry, where the ring's latest position is
};

}  // namespace netzip
