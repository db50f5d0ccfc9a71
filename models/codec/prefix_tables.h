#pragma once

#include <array>
#include <cstdint>

#include "models/codec/canonical_code.h"
#include "models/codec/codec.h"

namespace netzip {

/// One of the two static codes of the exponent_prefix codec: exponents relative to an anchor, the exponent field 0,
/// and an escape.
class PrefixTable {
public:
    static constexpr int kLowest = -9;
    static constexpr int kHighest = 5;
    static constexpr std::size_t kSymbols = kHighest - kLowest + 3;
    static constexpr unsigned kLongest = 8;
    /// The escape is the last of the longest code words: all ones.
    static constexpr unsigned kEscapeBits = 0xFF;

    enum class Kind : std::uint8_t { relative, zero, escape };
    struct Decoded {
        std::int8_t relative = 0;
        std::uint8_t length = 0;
        Kind kind = Kind::escape;
    };

    explicit PrefixTable(std::array<std::uint8_t, kSymbols> const& lengths);
    CodeWord word(std::uint8_t exponent, int anchor) const {
        if (exponent == 0) return zero_;
        return by_distance_[static_cast<std::size_t>(exponent - anchor + kFarthest)];
    }
    /// What the next 8 bits of a lane begin with.
    Decoded decoded(std::uint64_t next) const { return decoder_[next]; }

private:
    static constexpr int kFarthest = 255;
    std::array<CodeWord, 2 * kFarthest + 1> by_distance_;
    CodeWord zero_;
    std::array<Decoded, 256> decoder_;
};

/// Lengths of the code words, from kLowest up, then exponent field 0, then escape.
extern std::array<std::array<std::uint8_t, PrefixTable::kSymbols>, 2> const kPrefixLengths;

/// The table of a scale s = 2 anchor + table.
PrefixTable const& prefix_table(int scale);

/// What the encoder's rule needs to know of a block of values.
struct BlockSums {
    std::uint32_t exponents = 0;  ///< sum of the exponent fields above 0
    std::uint32_t nonzero = 0;    ///< values with an exponent field above 0
    std::uint32_t zeros = 0;      ///< values that are +0

    /// Half octaves from the mean exponent of a normal variable to its scale: 2 * 1.375.
    int wished_scale(int otherwise) const {
        return nonzero == 0 ? otherwise : static_cast<int>((8 * exponents + 11 * nonzero) / (4 * nonzero));
    }
};
BlockSums sum_block(DataType type, ByteSpan values, std::size_t first, std::size_t count);

}  // namespace netzip
