#pragma once

#include <array>
#include <string>
#include <utility>

#include "base/config/range.h"
#include "base/data_type.h"
#include "base/error.h"
#include "models/codec/lz_engine_config.h"

namespace netzip {

class UnusedParameters;

/// What is subtracted from every value before grouping.
enum class DeltaKind {
    none,
    packet_exponent,       ///< the packet's own largest exponent field; one byte, no history
    min_previous,          ///< minimum of the layer's previous iteration, integer mod 2^n on bit patterns
    min_previous_ordered,  ///< the same on the order-preserving mapping of the patterns to integers
    p1_previous,           ///< 1st percentile of the previous iteration, integer
    true_integer,          ///< same element of the previous iteration, integer
    true_xor,              ///< same element of the previous iteration, exclusive or
    float_min,             ///< lossy: float difference to the minimum of the previous iteration
    float_p1,              ///< lossy: the NetZIP artifact's diff_min, which takes the 1st percentile
    float_true,            ///< lossy: the NetZIP artifact's diff_bfloat16
};

/// How the bits of a packet are laid out before the codec.
enum class GroupingKind { none, byte, bit };

/// Which group comes first.
enum class GroupOrder {
    high_first,  ///< most significant byte or plane first
    artifact,    ///< least significant first, as the NetZIP artifact stores them
};

/// How groups meet the codec.
enum class GroupPolicy {
    one_block,         ///< all groups as one block
    per_group,         ///< each group a block of its own
    per_group_or_raw,  ///< each group compressed or stored raw, whichever is smaller; a mask tells
};

enum class CodecKind {
    none,
    lz4,     ///< liblz4, LZ4_compress_default
    lz4_hw,  ///< our match finder as hardware builds it, LZ4 block format
    snappy,
    zstd,
    deflate,
    exponent_window,   ///< ZipCCL's fixed window of exponents
    exponent_prefix,   ///< static prefix code of exponents, anchored per block of values
    exponent_huffman,  ///< canonical Huffman table per layer from its previous iteration
};

/// Where the exponent window of `exponent_window` lies.
enum class WindowBase { best_of_packet, packet_maximum, previous_iteration, sigma };

template <>
struct EnumNames<DeltaKind> {
    static constexpr std::array values{std::pair{DeltaKind::none, "none"},
                                       std::pair{DeltaKind::packet_exponent, "packet_exponent"},
                                       std::pair{DeltaKind::min_previous, "min_previous"},
                                       std::pair{DeltaKind::min_previous_ordered, "min_previous_ordered"},
                                       std::pair{DeltaKind::p1_previous, "p1_previous"},
                                       std::pair{DeltaKind::true_integer, "true_integer"},
                                       std::pair{DeltaKind::true_xor, "true_xor"},
                                       std::pair{DeltaKind::float_min, "float_min"},
                                       std::pair{DeltaKind::float_p1, "float_p1"},
                                       std::pair{DeltaKind::float_true, "float_true"}};
};
template <>
struct EnumNames<GroupingKind> {
    static constexpr std::array values{std::pair{GroupingKind::none, "none"}, std::pair{GroupingKind::byte, "byte"},
                                       std::pair{GroupingKind::bit, "bit"}};
};
template <>
struct EnumNames<GroupOrder> {
    static constexpr std::array values{std::pair{GroupOrder::high_first, "high_first"},
                                       std::pair{GroupOrder::artifact, "artifact"}};
};
template <>
struct EnumNames<GroupPolicy> {
    static constexpr std::array values{std::pair{GroupPolicy::one_block, "one_block"},
                                       std::pair{GroupPolicy::per_group, "per_group"},
                                       std::pair{GroupPolicy::per_group_or_raw, "per_group_or_raw"}};
};
template <>
struct EnumNames<CodecKind> {
    static constexpr std::array values{std::pair{CodecKind::none, "none"},
                                       std::pair{CodecKind::lz4, "lz4"},
                                       std::pair{CodecKind::lz4_hw, "lz4_hw"},
                                       std::pair{CodecKind::snappy, "snappy"},
                                       std::pair{CodecKind::zstd, "zstd"},
                                       std::pair{CodecKind::deflate, "deflate"},
                                       std::pair{CodecKind::exponent_window, "exponent_window"},
                                       std::pair{CodecKind::exponent_prefix, "exponent_prefix"},
                                       std::pair{CodecKind::exponent_huffman, "exponent_huffman"}};
};
template <>
struct EnumNames<WindowBase> {
    static constexpr std::array values{std::pair{WindowBase::best_of_packet, "best_of_packet"},
                                       std::pair{WindowBase::packet_maximum, "packet_maximum"},
                                       std::pair{WindowBase::previous_iteration, "previous_iteration"},
                                       std::pair{WindowBase::sigma, "sigma"}};
};

/// The NetZIP-algorithm of one design: delta, grouping and codec.
struct AlgorithmConfig {
    DeltaKind delta = DeltaKind::min_previous;
    GroupingKind grouping = GroupingKind::bit;
    GroupOrder group_order = GroupOrder::high_first;
    GroupPolicy group_policy = GroupPolicy::one_block;
    CodecKind codec = CodecKind::lz4;
    std::uint64_t level = 1;
    std::uint64_t window_bits = 3;
    WindowBase window_base = WindowBase::best_of_packet;
    std::uint64_t lanes = 4;
    std::uint64_t anchor_values = 128;
    LzEngineConfig lz;

    template <class V>
    void fields(V& v) {
        v("delta", delta, any(), "What is subtracted from every value before grouping.",
          "NetZIP paper (MICRO 2025): minimum of the layer's previous iteration");
        v("grouping", grouping, any(), "Layout of the packet before the codec.", "NetZIP paper (MICRO 2025)");
        v("group_order", group_order, any(), "Which group comes first.", "assumption");
        v("group_policy", group_policy, any(), "How the groups meet the codec.", "assumption");
        v("codec", codec, any(), "Codec of the compressor.", "NetZIP paper (MICRO 2025)");
        v("level", level, between(1, 19), "Effort of zstd (1 to 19) and deflate (1 to 9).", "NetZIP artifact: level 1");
        v("window_bits", window_bits, between(2, 4), "Bits of an exponent-window code.", "ZipCCL (arXiv 2604.27844)");
        v("window_base", window_base, any(), "Where the exponent window lies.", "ZipCCL (arXiv 2604.27844)");
        v("lanes", lanes, between(1, 64), "Interleaved sub-streams of the exponent-prefix and Huffman codecs.",
          "assumption");
        v("anchor_values", anchor_values, between(32, 32768),
          "Values that share one anchor of the exponent-prefix code.",
          "own measurement on recorded tensors: 128 is best, 64 and 256 cost 0.1 to 0.3 % more");
        v.section("lz", lz, "Match finder of an LZ engine.");
    }

    /// Adds a line to `problems` for every combination that makes no sense, with the reason.
    /// `place` is the key path of this section, with a dot behind it.
    void check(std::string const& place, Problems& problems) const;
    void unused(std::string const& place, UnusedParameters& unused) const;

    /// True when every bit comes back.
    bool lossless() const {
        return delta != DeltaKind::float_min && delta != DeltaKind::float_p1 && delta != DeltaKind::float_true;
    }
    /// "min_previous+bit+lz4"; for tables.
    std::string name() const;
};

}  // namespace netzip
