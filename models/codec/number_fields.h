#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/codec.h"
#include "models/transform/number_format.h"

namespace netzip {

/// Exponent field of every value of `in`; at most 8 bits in every type.
void read_exponents(DataType type, ByteSpan in, std::vector<std::uint8_t>& exponents);

/// Bits of sign and mantissa.
unsigned rest_bits(DataType type);
/// Bytes of the packed rests of `values` values.
std::size_t rest_bytes(DataType type, std::size_t values);

/// Appends sign and mantissa of the values whose `keep` is not 0 (of all when `keep` is empty), packed.
void append_rests(DataType type, ByteSpan in, std::span<std::uint8_t const> keep, ByteBuffer& out);

/// Puts exponents and rests together again; values whose `keep` is 0 become +0. `rests` has the size that
/// `rest_bytes` says for the kept ones.
void join_fields(DataType type, std::span<std::uint8_t const> exponents, ByteSpan rests,
                 std::span<std::uint8_t const> keep, std::span<std::uint8_t> out);

}  // namespace netzip
