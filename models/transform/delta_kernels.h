#pragma once

#include <cstdint>
#include <span>

#include "models/algorithm.h"
#include "models/codec/codec.h"

namespace netzip {

/// "No number seen yet": larger than every ordered pattern that is a number, for every type.
inline constexpr std::uint32_t kNoMinimum = 0xFFFFFFFF;

/// Smallest ordered pattern of the packet, or kNoMinimum when it holds no number; NaNs do not count.
std::uint32_t ordered_minimum(DataType type, ByteSpan data);

/// Adds each value's 16 most significant ordered bits to `counts` (65,536 entries); NaNs do not count.
/// Returns the number of values added.
std::uint64_t count_ordered(DataType type, ByteSpan data, std::uint32_t* counts);

/// Largest exponent field of the packet.
std::uint32_t largest_exponent(DataType type, ByteSpan data);
/// Replaces every exponent field e by (largest - e) modulo its range: its own inverse.
void reflect_exponents(DataType type, std::uint32_t largest, std::span<std::uint8_t> data);

/// data - base, and back, for the kinds whose base is one value per layer.
void subtract_base(DeltaKind kind, DataType type, std::uint32_t base, std::span<std::uint8_t> data);
void add_base(DeltaKind kind, DataType type, std::uint32_t base, std::span<std::uint8_t> data);

/// data - history for the true deltas; `history` becomes the original data.
void subtract_tensor(DeltaKind kind, DataType type, std::span<std::uint8_t> history, std::span<std::uint8_t> data);
/// data + history; `history` becomes the restored data.
void add_tensor(DeltaKind kind, DataType type, std::span<std::uint8_t> history, std::span<std::uint8_t> data);

}  // namespace netzip
