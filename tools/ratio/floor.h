#pragma once

#include "models/codec/codec.h"

namespace netzip {

/// Order-0 entropies of the parts of a value, in bits, over all values that were added: no code that looks at one
/// value at a time, with one table for all of them, spends less.
struct Floor {
    double exponent = 0;       ///< bits per value
    double sign_mantissa = 0;  ///< bits per value; of fp32 the upper 8 bits are counted, the others as they are
    double high_byte = 0;      ///< bits per value
    double bits = 0;           ///< of a value
    double weight = 0;         ///< bytes; for means

    /// Exponent coded, sign and mantissa raw: compressed / original.
    double exponent_coded() const { return (exponent + bits - exponent_bits) / bits; }
    /// Both coded, apart from each other: compressed / original.
    double both_coded() const { return (exponent + sign_mantissa) / bits; }
    double exponent_bits = 0;  ///< of the format
};

/// Counts the values of one tensor.
class FloorCounter {
public:
    explicit FloorCounter(DataType type);
    /// A trailing fraction of a value is left out.
    void add(ByteSpan bytes);
    Floor floor() const;

private:
    DataType type_;
    std::vector<std::uint64_t> exponent_;
    std::vector<std::uint64_t> sign_mantissa_;
    std::vector<std::uint64_t> high_byte_;
    std::uint64_t values_ = 0;
};

/// The mean of floors by their weight.
Floor mean_floor(std::vector<Floor> const& floors);

}  // namespace netzip
