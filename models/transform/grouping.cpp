#include "models/transform/grouping.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "models/transform/bit_planes.h"
#include "models/transform/simd.h"

namespace netzip {
namespace {

/// Values handled at a time, so that the byte planes of a piece stay on the stack.
constexpr std::size_t kPiece = 1024;

void copy(std::uint8_t const* from, std::size_t count, std::uint8_t* to) {
    if (count != 0) std::memcpy(to, from, count);
}

/// Byte b of value i goes to `to + b * stride + i`.
template <std::size_t Size>
void split_bytes(std::uint8_t const* in, std::size_t values, std::uint8_t* to, std::ptrdiff_t stride) {
    for (std::size_t b = 0; b < Size; ++b) {
        std::uint8_t* const plane = to + static_cast<std::ptrdiff_t>(b) * stride;
        for (std::size_t i = 0; i < values; ++i) plane[i] = in[Size * i + b];
    }
}

template <class Word>
void join_bytes(std::uint8_t const* from, std::ptrdiff_t stride, std::uint8_t* out, std::size_t values) {
    std::array<std::uint8_t const*, sizeof(Word)> planes;
    for (std::size_t b = 0; b < sizeof(Word); ++b) planes[b] = from + static_cast<std::ptrdiff_t>(b) * stride;
    for (std::size_t i = 0; i < values; ++i) {
        Word word = 0;
        for (std::size_t b = 0; b < sizeof(Word); ++b) word = static_cast<Word>(word | Word{planes[b][i]} << (8 * b));
        std::memcpy(out + i * sizeof(Word), &word, sizeof(Word));
    }
}

void split_bytes(std::size_t size, std::uint8_t const* in, std::size_t values, std::uint8_t* to,
                 std::ptrdiff_t stride) {
    if (size == 1) return copy(in, values, to);
    if (size == 2) return run_vectorised<split_bytes<2>>(in, values, to, stride);
    run_vectorised<split_bytes<4>>(in, values, to, stride);
}

void join_bytes(std::size_t size, std::uint8_t const* from, std::ptrdiff_t stride, std::uint8_t* out,
                std::size_t values) {
    if (size == 1) return copy(from, values, out);
    if (size == 2) return run_vectorised<join_bytes<std::uint16_t>>(from, stride, out, values);
    run_vectorised<join_bytes<std::uint32_t>>(from, stride, out, values);
}

/// Where the groups of a packet lie, least significant first.
struct Planes {
    std::size_t size;       ///< bytes of a value
    std::size_t values;     ///< values in groups
    std::size_t bytes;      ///< bytes of one group
    std::size_t first;      ///< offset of the least significant group
    std::ptrdiff_t stride;  ///< from a group to the next more significant one
    std::size_t grouped() const { return values * size; }
};

Planes planes_of(GroupingKind kind, GroupOrder order, DataType type, std::size_t bytes) {
    Planes p{};
    p.size = element_bytes(type);
    bool const bits = kind == GroupingKind::bit;
    p.values = bytes / p.size;
    if (bits) p.values -= p.values % 8;
    p.bytes = bits ? p.values / 8 : p.values;
    std::size_t const groups = bits ? 8 * p.size : p.size;
    bool const low_first = order == GroupOrder::artifact;
    p.first = low_first ? 0 : (groups - 1) * p.bytes;
    p.stride = low_first ? static_cast<std::ptrdiff_t>(p.bytes) : -static_cast<std::ptrdiff_t>(p.bytes);
    return p;
}

}  // namespace

std::vector<GroupExtent> group_layout(GroupingKind kind, DataType type, std::size_t bytes) {
    if (kind == GroupingKind::none) return {{0, bytes}};
    Planes const p = planes_of(kind, GroupOrder::artifact, type, bytes);
    std::vector<GroupExtent> layout;
    for (std::size_t at = 0; at < p.grouped(); at += p.bytes) layout.push_back({at, p.bytes});
    if (p.grouped() < bytes) layout.push_back({p.grouped(), bytes - p.grouped()});
    return layout;
}

void group(GroupingKind kind, GroupOrder order, DataType type, ByteSpan in, std::span<std::uint8_t> out) {
    if (kind == GroupingKind::none) return copy(in.data(), in.size(), out.data());
    Planes const p = planes_of(kind, order, type, in.size());
    std::uint8_t* const low = out.data() + p.first;
    if (kind == GroupingKind::byte) {
        split_bytes(p.size, in.data(), p.values, low, p.stride);
    } else {
        std::array<std::uint8_t, 4 * kPiece> piece;
        for (std::size_t i = 0; i < p.values; i += kPiece) {
            std::size_t const n = std::min(kPiece, p.values - i);
            split_bytes(p.size, in.data() + i * p.size, n, piece.data(), kPiece);
            for (std::size_t b = 0; b < p.size; ++b)
                split_bits(&piece[b * kPiece], n, low + static_cast<std::ptrdiff_t>(8 * b) * p.stride + i / 8,
                           p.stride);
        }
    }
    copy(in.data() + p.grouped(), in.size() - p.grouped(), out.data() + p.grouped());
}

void ungroup(GroupingKind kind, GroupOrder order, DataType type, ByteSpan in, std::span<std::uint8_t> out) {
    if (kind == GroupingKind::none) return copy(in.data(), in.size(), out.data());
    Planes const p = planes_of(kind, order, type, in.size());
    std::uint8_t const* const low = in.data() + p.first;
    if (kind == GroupingKind::byte) {
        join_bytes(p.size, low, p.stride, out.data(), p.values);
    } else {
        std::array<std::uint8_t, 4 * kPiece> piece;
        for (std::size_t i = 0; i < p.values; i += kPiece) {
            std::size_t const n = std::min(kPiece, p.values - i);
            for (std::size_t b = 0; b < p.size; ++b)
                join_bits(low + static_cast<std::ptrdiff_t>(8 * b) * p.stride + i / 8, p.stride, &piece[b * kPiece], n);
            join_bytes(p.size, piece.data(), kPiece, out.data() + i * p.size, n);
        }
    }
    copy(in.data() + p.grouped(), in.size() - p.grouped(), out.data() + p.grouped());
}

}  // namespace netzip
