#include "models/algorithm.h"

#include "base/config/unused.h"

namespace netzip {
namespace {

bool codes_exponents(CodecKind codec) {
    return codec == CodecKind::exponent_window || codec == CodecKind::exponent_prefix ||
           codec == CodecKind::exponent_huffman;
}

/// Largest level of zlib.
constexpr std::uint64_t kDeflateLevels = 9;

}  // namespace

void AlgorithmConfig::check(std::string const& place, Problems& problems) const {
    std::string const codec_name = enum_name(codec);
    if (codes_exponents(codec) && delta != DeltaKind::none)
        problems.add(place + "delta: " + codec_name +
                     " codes the exponents as they are and finds its own base: "
                     "expected \"none\", got \"" +
                     enum_name(delta) + "\"");
    if (codes_exponents(codec) && grouping != GroupingKind::none)
        problems.add(place + "grouping: " + codec_name +
                     " separates exponents from the rest by itself: expected "
                     "\"none\", got \"" +
                     enum_name(grouping) + "\"");
    if (grouping == GroupingKind::none && group_policy != GroupPolicy::one_block)
        problems.add(place + "group_policy: without grouping a packet is one block: expected \"one_block\", got \"" +
                     enum_name(group_policy) + "\"");
    if (codec == CodecKind::deflate && level > kDeflateLevels)
        problems.add(place + "level: deflate has levels 1 to 9, got " + std::to_string(level));
    if (codec == CodecKind::none && delta != DeltaKind::none)
        problems.add(place + "delta: without a codec a base only makes packets longer: expected \"none\", got \"" +
                     enum_name(delta) + "\"");
}

void AlgorithmConfig::unused(std::string const& place, UnusedParameters& unused) const {
    std::string const reason = place + "codec is \"" + enum_name(codec) + "\"";
    if (codec != CodecKind::zstd && codec != CodecKind::deflate) unused.add(place + "level", reason);
    if (codec != CodecKind::exponent_window) {
        unused.add(place + "window_bits", reason);
        unused.add(place + "window_base", reason);
    }
    if (codec != CodecKind::exponent_prefix) unused.add(place + "anchor_values", reason);
    if (codec != CodecKind::exponent_prefix && codec != CodecKind::exponent_huffman) {
        unused.add(place + "lanes", reason);
    }
    if (grouping == GroupingKind::none) {
        unused.add(place + "group_order", place + "grouping is \"none\"");
    }
}

std::string AlgorithmConfig::name() const {
    std::string text = enum_name(codec);
    if (codec == CodecKind::zstd || codec == CodecKind::deflate) text += std::to_string(level);
    if (codec == CodecKind::exponent_window) text += std::to_string(window_bits) + "_" + enum_name(window_base);
    if (codec == CodecKind::exponent_prefix || codec == CodecKind::exponent_huffman)
        text += "_" + std::to_string(lanes) + (lanes == 1 ? "lane" : "lanes");
    if (codec == CodecKind::exponent_prefix && anchor_values != AlgorithmConfig{}.anchor_values)
        text += "_" + std::to_string(anchor_values) + "values";
    if (grouping != GroupingKind::none) {
        std::string layout = enum_name(grouping);
        if (group_order == GroupOrder::artifact) layout += "_low_first";
        if (group_policy != GroupPolicy::one_block) layout += "_" + enum_name(group_policy);
        text = layout + "+" + text;
    }
    if (delta != DeltaKind::none) text = enum_name(delta) + "+" + text;
    return text;
}

}  // namespace netzip
