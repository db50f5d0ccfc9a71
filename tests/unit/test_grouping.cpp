#include <algorithm>

#include "models/transform/delta.h"
#include "models/transform/grouping.h"
#include "models/transform/simd.h"
#include "support/algorithms.h"
#include "support/catch.h"
#include "support/packet_bytes.h"

using namespace netzip;

namespace {

/// The contract, bit by bit: plane k holds bit k of every value of the groups of eight.
ByteBuffer bit_planes(ByteBuffer const& in, std::size_t size, bool high_first) {
    std::size_t const values = in.size() / size / 8 * 8;
    std::size_t const planes = 8 * size;
    ByteBuffer out = in;
    std::fill(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(values * size), std::uint8_t{0});
    for (std::size_t i = 0; i < values; ++i)
        for (std::size_t k = 0; k < planes; ++k) {
            unsigned const bit = in[i * size + k / 8] >> (k % 8) & 1U;
            std::size_t const plane = high_first ? planes - 1 - k : k;
            out[plane * values / 8 + i / 8] |= static_cast<std::uint8_t>(bit << (i % 8));
        }
    return out;
}

ByteBuffer byte_planes(ByteBuffer const& in, std::size_t size, bool high_first) {
    std::size_t const values = in.size() / size;
    ByteBuffer out = in;
    for (std::size_t i = 0; i < values; ++i)
        for (std::size_t b = 0; b < size; ++b) out[(high_first ? size - 1 - b : b) * values + i] = in[i * size + b];
    return out;
}

/// Puts the level back that the processor has.
struct LimitedSimd {
    explicit LimitedSimd(SimdLevel level) { limit_simd_level(level); }
    ~LimitedSimd() { limit_simd_level(best_simd_level()); }
};

}  // namespace

TEST_CASE("groups lie where the contract says, at every SIMD level, and come apart again", "[grouping]") {
    for (auto const level : all_of<SimdLevel>()) {
        LimitedSimd const limited(level);
        INFO(enum_name(level));
        for (auto const type : all_of<DataType>()) {
            std::size_t const element = element_bytes(type);
            for (std::size_t const size : {0, 1, 3, 15, 16, 17, 31, 64, 127, 128, 255, 1000, 4095, 4096, 4097, 8209}) {
                ByteBuffer const in = random_bytes(size, static_cast<unsigned>(size));
                for (auto const order : all_of<GroupOrder>()) {
                    bool const high = order == GroupOrder::high_first;
                    for (auto const kind : all_of<GroupingKind>()) {
                        ByteBuffer out(size);
                        ByteBuffer back(size);
                        group(kind, order, type, in, out);
                        if (kind == GroupingKind::none) REQUIRE(out == in);
                        if (kind == GroupingKind::byte) REQUIRE(out == byte_planes(in, element, high));
                        if (kind == GroupingKind::bit) REQUIRE(out == bit_planes(in, element, high));
                        ungroup(kind, order, type, out, back);
                        REQUIRE(back == in);
                    }
                }
            }
        }
    }
}

TEST_CASE("the layout names every group and the rest", "[grouping]") {
    // 37 B of bf16: 18 values and a byte; two groups of eight values in 16 planes of 2 B, 5 B of rest.
    auto const bits = group_layout(GroupingKind::bit, DataType::bf16, 37);
    REQUIRE(bits.size() == 17);
    CHECK(bits[15].offset == 30);
    CHECK(bits[15].size == 2);
    CHECK(bits[16].offset == 32);
    CHECK(bits[16].size == 5);
    auto const bytes = group_layout(GroupingKind::byte, DataType::fp32, 8);
    REQUIRE(bytes.size() == 4);
    CHECK(bytes[3].offset == 6);
    CHECK(group_layout(GroupingKind::none, DataType::bf16, 37).size() == 1);
    CHECK(group_layout(GroupingKind::bit, DataType::fp8_e4m3, 7).size() == 1);
}

TEST_CASE("every delta gives the same bytes at every SIMD level", "[delta]") {
    for (auto const kind : all_of<DeltaKind>()) {
        for (auto const type : all_of<DataType>()) {
            std::vector<ByteBuffer> results;
            for (auto const level : all_of<SimdLevel>()) {
                LimitedSimd const limited(level);
                DeltaEncoder encoder(kind);
                ByteBuffer all;
                for (unsigned round = 0; round < 4; ++round) {
                    ByteBuffer packet = round % 2 == 0 ? random_bytes(1027, round) : dense_bytes(1027, round);
                    DeltaBase const base = encoder.encode({0, true, 0, type}, packet);
                    all.insert(all.end(), packet.begin(), packet.end());
                    all.insert(all.end(), base.span().begin(), base.span().end());
                }
                results.push_back(all);
            }
            INFO(enum_name(kind) << " " << enum_name(type));
            CHECK(results[0] == results[1]);
            CHECK(results[0] == results[2]);
        }
    }
}
