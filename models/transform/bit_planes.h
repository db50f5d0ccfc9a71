#pragma once

#include <cstddef>
#include <cstdint>

namespace netzip {

/// Spreads `count` bytes (a multiple of 8) over eight bit planes of `count / 8` bytes each.
///
/// Plane p, at `plane0 + p * stride`, gets bit p of every byte; byte i goes to bit i mod 8 of plane byte i / 8.
void split_bits(std::uint8_t const* bytes, std::size_t count, std::uint8_t* plane0, std::ptrdiff_t stride);

/// The inverse of `split_bits`.
void join_bits(std::uint8_t const* plane0, std::ptrdiff_t stride, std::uint8_t* bytes, std::size_t count);

}  // namespace netzip
