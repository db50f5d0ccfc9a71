#include <set>

#include "support/catch.h"
#include "tools/ratio/combination.h"

using namespace netzip;

namespace {

std::string refusal(std::string const& text) {
    try {
        return "accepted as " + parse_combination(text).name();
    } catch (UsageError const& e) {
        return e.what();
    }
}

}  // namespace

TEST_CASE("every name of a combination is read back to the same combination", "[ratio]") {
    std::set<std::string> names;
    for (AlgorithmConfig const& algorithm : all_combinations()) {
        std::string const name = algorithm.name();
        CHECK(names.insert(name).second);
        CHECK(parse_combination(name).name() == name);
        Problems problems;
        algorithm.check("", problems);
        CHECK(problems.empty());
    }
    // Deltas 10 x (no grouping 1 + byte 3 + bit 3) x codecs lz4, lz4_hw, snappy, zstd, deflate; without a codec 7;
    // exponent_prefix, exponent_huffman; exponent_window with 3 widths x 4 bases.
    CHECK(names.size() == 10 * 7 * 5 + 7 + 2 + 12);
    for (AlgorithmConfig const& algorithm : default_combinations()) CHECK(names.contains(algorithm.name()));
}

TEST_CASE("a combination may be written in full, in short and with options", "[ratio]") {
    CHECK(parse_combination("none+none+lz4").name() == "lz4");
    CHECK(parse_combination("min_previous+bit+lz4").name() == "min_previous+bit+lz4");
    CHECK(parse_combination("byte+zstd3:per_group_or_raw:artifact").name() == "byte_low_first_per_group_or_raw+zstd3");
    CHECK(parse_combination("true_xor+deflate9").name() == "true_xor+deflate9");
    CHECK(parse_combination("exponent_window4_sigma").name() == "exponent_window4_sigma");
    CHECK(parse_combination("exponent_prefix_1lane").lanes == 1);
}

TEST_CASE("a combination that is misspelt or makes no sense is refused with the reason", "[ratio][bad-input]") {
    CHECK(refusal("lz5") == "--combo lz5: expected a codec, got \"lz5\" (did you mean \"lz4\"?)");
    CHECK(refusal("min_prev+bit+lz4") == "--combo min_prev+bit+lz4: expected a delta, got \"min_prev\"");
    CHECK(refusal("bits+lz4") ==
          "--combo bits+lz4: expected a delta or a grouping, got \"bits\" (did you mean \"bit\"?)");
    CHECK(refusal("a+b+c+d") == "--combo a+b+c+d: expected delta+grouping+codec, got more than three parts");
    CHECK(refusal("byte+lz4:per_grup") ==
          "--combo byte+lz4:per_grup: expected a group policy or order behind ':', got \"per_grup\" (did you mean "
          "\"per_group\"?)");
    CHECK(refusal("zstd20") == "--combo zstd20: level: expected 1 to 19, got 20");
    CHECK_THAT(refusal("bit+exponent_window3"), Catch::StartsWith("--combo bit+exponent_window3: grouping: "));
    CHECK_THAT(refusal("lz4:per_group"), Catch::Contains("without grouping a packet is one block"));
    CHECK(refusal("") == "--combo : expected a codec, got \"\"");
}
