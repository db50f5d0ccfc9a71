#include "models/algorithm.h"
#include "support/catch.h"

using namespace netzip;

namespace {

std::string refusal(AlgorithmConfig const& config) {
    Problems problems;
    config.check("nic.algorithm.", problems);
    return problems.joined();
}

}  // namespace

TEST_CASE("the default algorithm is the paper's and is accepted", "[algorithm]") {
    CHECK(refusal({}).empty());
    CHECK(AlgorithmConfig{}.name() == "min_previous+bit+lz4");
}

TEST_CASE("a combination without sense is refused with its reason", "[algorithm]") {
    AlgorithmConfig config;
    config.codec = CodecKind::exponent_prefix;
    CHECK(refusal(config) ==
          "nic.algorithm.delta: exponent_prefix codes the exponents as they are and finds its own base: expected "
          "\"none\", got \"min_previous\"\n"
          "nic.algorithm.grouping: exponent_prefix separates exponents from the rest by itself: expected \"none\", got "
          "\"bit\"");
    config = {};
    config.grouping = GroupingKind::none;
    config.group_policy = GroupPolicy::per_group;
    CHECK(refusal(config) ==
          "nic.algorithm.group_policy: without grouping a packet is one block: expected \"one_block\", got "
          "\"per_group\"");
    config = {};
    config.codec = CodecKind::deflate;
    config.level = 10;
    CHECK(refusal(config) == "nic.algorithm.level: deflate has levels 1 to 9, got 10");
    config = {};
    config.codec = CodecKind::none;
    CHECK(refusal(config) ==
          "nic.algorithm.delta: without a codec a base only makes packets longer: expected \"none\", got "
          "\"min_previous\"");
}

TEST_CASE("names tell algorithms apart", "[algorithm]") {
    AlgorithmConfig config;
    config.group_order = GroupOrder::artifact;
    config.group_policy = GroupPolicy::per_group_or_raw;
    config.codec = CodecKind::zstd;
    config.level = 3;
    CHECK(config.name() == "min_previous+bit_low_first_per_group_or_raw+zstd3");
    config = {};
    config.delta = DeltaKind::none;
    config.grouping = GroupingKind::none;
    config.codec = CodecKind::exponent_window;
    CHECK(config.name() == "exponent_window3_best_of_packet");
    config.codec = CodecKind::exponent_huffman;
    CHECK(config.name() == "exponent_huffman_4lanes");
    config.codec = CodecKind::exponent_prefix;
    config.lanes = 1;
    config.anchor_values = 2048;
    CHECK(config.name() == "exponent_prefix_1lane_2048values");
}

TEST_CASE("the float deltas are lossy, all others lossless", "[algorithm]") {
    std::size_t lossy = 0;
    for (auto const& [kind, name] : EnumNames<DeltaKind>::values) {
        AlgorithmConfig config;
        config.delta = kind;
        if (!config.lossless()) ++lossy;
        CHECK(config.lossless() != std::string(name).starts_with("float_"));
    }
    CHECK(lossy == 3);
}
