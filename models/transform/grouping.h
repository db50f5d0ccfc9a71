#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/codec/codec.h"

namespace netzip {

/// Where the groups of a grouped packet lie; the last entry may be the ungrouped tail (bytes beyond the last
/// whole group of eight values for bit grouping, beyond the last whole value for byte grouping).
struct GroupExtent {
    std::size_t offset;
    std::size_t size;
};

/// Groups of a packet of `bytes` bytes; one extent of all bytes when `kind` is none.
std::vector<GroupExtent> group_layout(GroupingKind kind, DataType type, std::size_t bytes);

/// Lays `in` out in groups; `out` has the same size and does not overlap. A bijection for every length.
void group(GroupingKind kind, GroupOrder order, DataType type, ByteSpan in, std::span<std::uint8_t> out);

/// The inverse of `group`.
void ungroup(GroupingKind kind, GroupOrder order, DataType type, ByteSpan in, std::span<std::uint8_t> out);

}  // namespace netzip
