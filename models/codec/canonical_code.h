#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace netzip {

/// A prefix code word, its first bit in bit 0; length 0 means that the symbol has none.
struct CodeWord {
    std::uint16_t bits = 0;
    std::uint8_t length = 0;
};

/// What the next bits of a stream begin with; length 0 means no code word.
struct DecodedSymbol {
    std::uint16_t symbol = 0;
    std::uint8_t length = 0;
};

/// Canonical code words: by length, then by symbol. Lengths are at most 15.
void assign_code_words(std::span<std::uint8_t const> lengths, std::span<CodeWord> words);

/// Table over the next `index_bits` bits of a stream; throws RunError when the lengths are no prefix code.
void build_decoder(std::span<std::uint8_t const> lengths, unsigned index_bits, std::vector<DecodedSymbol>& table);

/// Lengths of the shortest prefix code for `weights` (none zero) with at most `limit` bits per word.
std::vector<std::uint8_t> limited_code_lengths(std::span<std::uint64_t const> weights, unsigned limit);

}  // namespace netzip
