#include <algorithm>
#include <cmath>
#include <lz4.h>
#include <numeric>

#include "models/codec/canonical_code.h"
#include "models/codec/codec.h"
#include "models/codec/prefix_tables.h"
#include "models/transform/simd.h"
#include "support/catch.h"
#include "support/packet_bytes.h"

using namespace netzip;

namespace {

struct Coded {
    ByteBuffer block;
    BlockWork work;
};

Coded code(AlgorithmConfig const& config, ByteSpan in, DataType type = DataType::bf16) {
    Coded coded;
    make_codec(config)->compress({0, true, 0, type}, in, coded.block, coded.work);
    REQUIRE(coded.work.bytes_in == in.size());
    REQUIRE(coded.work.bytes_out == coded.block.size());
    return coded;
}

AlgorithmConfig codec_config(CodecKind kind) {
    AlgorithmConfig config;
    config.codec = kind;
    return config;
}

/// Text with repeats of many distances and lengths.
ByteBuffer repetitive_bytes(std::size_t size) {
    ByteBuffer bytes = random_bytes(size, 3);
    std::mt19937 generator(4);
    for (std::size_t at = 64; at + 80 < size; at += 20 + generator() % 90) {
        std::size_t const from = generator() % at;
        std::size_t const length = 4 + generator() % 70;
        for (std::size_t k = 0; k < length; ++k) bytes[at + k] = bytes[from + k];
    }
    return bytes;
}

ByteBuffer liblz4_decode(ByteBuffer const& block, std::size_t original) {
    ByteBuffer out(original);
    int const size =
        LZ4_decompress_safe(reinterpret_cast<char const*>(block.data()), reinterpret_cast<char*>(out.data()),
                            static_cast<int>(block.size()), static_cast<int>(original));
    REQUIRE(size == static_cast<int>(original));
    return out;
}

}  // namespace

TEST_CASE("liblz4 decodes both LZ4 codecs", "[codec]") {
    for (auto const kind : {CodecKind::lz4, CodecKind::lz4_hw})
        for (std::size_t const size : {1, 12, 13, 64, 65, 80, 4096, 9000, 65535})
            for (auto const& in : {repetitive_bytes(size), ByteBuffer(size, 0), random_bytes(size, 1)})
                CHECK(liblz4_decode(code(codec_config(kind), in).block, size) == in);
}

TEST_CASE("hardware LZ4 of every size of table, history and end rule is decoded by liblz4", "[codec]") {
    ByteBuffer const in = repetitive_bytes(6000);
    for (std::uint64_t const hash_bits : {4, 12, 16})
        for (std::uint64_t const candidates : {1, 6, 16})
            for (std::uint64_t const history : {64, 1024, 65536})
                for (std::uint64_t const tail : {5, 64, 4096}) {
                    AlgorithmConfig config = codec_config(CodecKind::lz4_hw);
                    config.lz.hash_bits = hash_bits;
                    config.lz.candidates = candidates;
                    config.lz.history = Bytes{history};
                    config.lz.tail_literals = Bytes{tail};
                    Coded const coded = code(config, in);
                    CHECK(liblz4_decode(coded.block, in.size()) == in);
                    std::size_t at = 0;
                    for (auto const& s : coded.work.sequences) {
                        at += s.literals + s.match_length;
                        if (s.match_length == 0) continue;
                        CHECK(s.offset <= history);
                        CHECK(s.offset >= config.lz.minimum_distance.count());
                        CHECK(at <= in.size() - tail);
                    }
                    CHECK(at == in.size());
                }
}

// 200 equal bytes: position 0 is a literal; with minimum_distance 2 position 1 too; the match at position 2 with
// offset 2 reaches to the last 64 bytes, 200 - 64 - 2 = 134 bytes.
TEST_CASE("hardware LZ4 matches a run from the smallest distance to the literal tail", "[codec]") {
    Coded const coded = code(codec_config(CodecKind::lz4_hw), ByteBuffer(200, 9));
    REQUIRE(coded.work.sequences.size() == 2);
    CHECK(coded.work.sequences[0].literals == 2);
    CHECK(coded.work.sequences[0].offset == 2);
    CHECK(coded.work.sequences[0].match_length == 134);
    CHECK(coded.work.sequences[1].literals == 64);
    CHECK(coded.work.short_offset_bytes == 134);
}

TEST_CASE("blocks do not see each other's positions", "[codec]") {
    AlgorithmConfig const config = codec_config(CodecKind::lz4_hw);
    auto const codec = make_codec(config);
    ByteBuffer const in = repetitive_bytes(4096);
    ByteBuffer once;
    ByteBuffer again;
    BlockWork work;
    codec->compress({}, in, once, work);
    codec->compress({}, in, again, work);
    CHECK(once == again);
}

TEST_CASE("the sequences of an LZ codec make up its block", "[codec]") {
    ByteBuffer const in = repetitive_bytes(5000);
    for (auto const kind : {CodecKind::lz4, CodecKind::lz4_hw, CodecKind::snappy}) {
        Coded const coded = code(codec_config(kind), in);
        // Play the sequences: literals come from the input, matches from what is already there.
        ByteBuffer out;
        for (auto const& s : coded.work.sequences) {
            for (std::size_t k = 0; k < s.literals; ++k) out.push_back(in[out.size()]);
            REQUIRE(s.offset <= out.size());
            for (std::size_t k = 0; k < s.match_length; ++k) out.push_back(out[out.size() - s.offset]);
        }
        CHECK(out == in);
        CHECK(coded.work.literals + coded.work.match_bytes == in.size());
        CHECK(coded.work.matches > 50);
        auto const codec = make_codec(codec_config(kind));
        ByteBuffer back(in.size());
        BlockWork work;
        codec->decompress({}, coded.block, back, work);
        CHECK(work.sequences.size() == coded.work.sequences.size());
        CHECK(work.matches == coded.work.matches);
    }
}

// 16 values of exponent field 127 and one of 100: base of the best window of 7 is 121 (lowest that holds 127), code 7
// = 0b111; first byte, base, 17 rests, ceil(17 * 3 / 8) = 7 B of codes, one escape.
TEST_CASE("an exponent-window block is laid out as documented", "[codec]") {
    ByteBuffer in;
    for (int i = 0; i < 16; ++i) in.insert(in.end(), {static_cast<std::uint8_t>(0x80 | i), 0x3F});
    in.insert(in.end(), {0x05, 0xB2});
    AlgorithmConfig config = codec_config(CodecKind::exponent_window);
    Coded const coded = code(config, in);
    REQUIRE(coded.block.size() == 2 + 17 + 7 + 1);
    CHECK(coded.block[0] == (34 % 15) << 3);
    CHECK(coded.block[1] == 121);
    CHECK(coded.block[2 + 3] == 3);
    CHECK(coded.block[2 + 16] == 0x85);
    CHECK(std::all_of(coded.block.begin() + 19, coded.block.begin() + 25, [](std::uint8_t b) { return b == 0xFF; }));
    CHECK(coded.block[25] == 0);
    CHECK(coded.block[26] == 100);
    CHECK(coded.work.escapes == 1);
    CHECK(coded.work.parts == std::vector<std::uint32_t>{2, 17, 7, 1, 0});
}

// ZipCCL: base = 127 + ceil(log2(sigma) + 1.2804) - 7; sigma = 0.02: log2 = -5.644, ceil(-4.36) = -4, base 116.
TEST_CASE("the window from sigma is that of ZipCCL", "[codec]") {
    ByteBuffer in;
    for (int i = 0; i < 512; ++i) {
        in.insert(in.end(), {0xA4, 0x3C});  // 0.02001953125
        in.insert(in.end(), {0xA4, 0xBC});
    }
    AlgorithmConfig config = codec_config(CodecKind::exponent_window);
    config.window_base = WindowBase::sigma;
    CHECK(code(config, in).block[1] == 116);
}

namespace {

/// Probability that a normal variable of standard deviation `sigma` has the exponent e.
double exponent_probability(int e, double sigma) {
    auto const below = [&](double x) { return std::erf(x / sigma / std::sqrt(2.0)); };
    return below(std::ldexp(1, e + 1)) - below(std::ldexp(1, e));
}

}  // namespace

TEST_CASE("the static prefix codes are the Huffman codes of a normal variable", "[codec]") {
    for (std::size_t table = 0; table < 2; ++table) {
        double const sigma = std::exp2(table == 0 ? 0.25 : 0.75);
        std::vector<std::uint64_t> weights;
        double inside = 0;
        constexpr double kScale = 1e9;
        for (int e = PrefixTable::kLowest; e <= PrefixTable::kHighest; ++e) {
            double const p = exponent_probability(e, sigma);
            inside += p;
            weights.push_back(static_cast<std::uint64_t>(std::max(p, 1e-5) * kScale));
        }
        weights.push_back(static_cast<std::uint64_t>(2e-3 * kScale));
        weights.push_back(static_cast<std::uint64_t>(std::max(1 - inside, 1e-3) * kScale));
        auto const lengths = limited_code_lengths(weights, PrefixTable::kLongest);
        CHECK(std::equal(lengths.begin(), lengths.end(), kPrefixLengths[table].begin()));
    }
}

// Kraft: a complete prefix code has sum 2^-length = 1. Weights 1, 1, 2, 4, 8, 16 make Huffman lengths 5, 5, 4, 3, 2, 1;
// limited to 4 bits the cheapest is 4, 4, 4, 4, 2, 1 (cost 4 * (1+1+2+4) + 2 * 8 + 16 = 64).
TEST_CASE("length-limited codes are complete and cheapest", "[codec]") {
    std::vector<std::uint64_t> const weights{1, 1, 2, 4, 8, 16};
    CHECK(limited_code_lengths(weights, 15) == std::vector<std::uint8_t>{5, 5, 4, 3, 2, 1});
    CHECK(limited_code_lengths(weights, 4) == std::vector<std::uint8_t>{4, 4, 4, 4, 2, 1});
    std::vector<std::uint64_t> steep;
    for (unsigned i = 0; i < 40; ++i) steep.push_back(std::uint64_t{1} << i);
    double kraft = 0;
    for (auto const length : limited_code_lengths(steep, 12)) {
        CHECK(length <= 12);
        kraft += std::exp2(-length);
    }
    CHECK(kraft == 1);
}

// A block of 128 values: exponent field 127 everywhere. Rule: S = 127 * 128, scale = floor((8 S + 11 n) / (4 n)) =
// floor(1027 / 4) = 256 = 2 * 128 + 0: anchor 128, table 0, every code "00" (-1). One lane: 256 bits.
TEST_CASE("an exponent-prefix block is laid out as documented", "[codec]") {
    ByteBuffer in;
    for (int i = 0; i < 128; ++i) in.insert(in.end(), {static_cast<std::uint8_t>(0x80 | i), 0x3F});
    in.resize(in.size() + 256, 0);  // a second block, all zeros
    AlgorithmConfig config = codec_config(CodecKind::exponent_prefix);
    config.lanes = 2;
    Coded const coded = code(config, in);
    REQUIRE(coded.block.size() == 1 + 1 + 1 + 1 + 128 + 32);
    CHECK(coded.block[0] == ((512 % 15) << 3 | 4));  // flag 2: bit 8 of the scale
    CHECK(coded.block[1] == 0);                      // 256 & 255
    CHECK(coded.block[2] == 0x08);                   // steps: 8, then 0
    CHECK(coded.block[3] == 16);                     // bytes of lane 0
    CHECK(coded.block[4 + 5] == 5);                  // the rest of value 5
    CHECK(coded.work.parts == std::vector<std::uint32_t>{3, 1, 128, 16, 16, 0});
    CHECK(std::all_of(coded.block.begin() + 132, coded.block.end(), [](std::uint8_t b) { return b == 0; }));
}

// In a packet with a sparse block every block of 128 values has an entry for its map, 0 or 16 bytes.
TEST_CASE("both sides of an exponent codec name the same parts of a block, and they are all of it", "[codec]") {
    for (auto const kind : {CodecKind::exponent_window, CodecKind::exponent_prefix, CodecKind::exponent_huffman}) {
        for (std::size_t const size : {1, 2, 255, 600, 4095, 4096}) {
            AlgorithmConfig const config = codec_config(kind);
            Coded const coded = code(config, sparse_bytes(size, 6));
            ByteBuffer back(size);
            BlockWork work;
            make_codec(config)->decompress({}, coded.block, back, work);
            CHECK(work.parts == coded.work.parts);
            CHECK(coded.work.parts.empty() == coded.work.stored_raw);
            if (coded.work.stored_raw) continue;
            CHECK(std::accumulate(work.parts.begin(), work.parts.end(), 0u) == coded.block.size());
            if (kind == CodecKind::exponent_prefix && size == 4096)
                CHECK(work.parts.size() == 2 + 16 + 1 + config.lanes + 1);
        }
    }
}

TEST_CASE("the exponent codecs give the same bytes at every SIMD level", "[codec]") {
    for (auto const kind : {CodecKind::exponent_window, CodecKind::exponent_prefix, CodecKind::exponent_huffman})
        for (auto const type : {DataType::bf16, DataType::fp16, DataType::fp32, DataType::fp8_e5m2}) {
            auto const best = code(codec_config(kind), sparse_bytes(4095, 6), type);
            limit_simd_level(SimdLevel::portable);
            auto const portable = code(codec_config(kind), sparse_bytes(4095, 6), type);
            limit_simd_level(best_simd_level());
            CHECK(best.block == portable.block);
        }
}

TEST_CASE("an exponent codec never makes a block more than one byte longer", "[codec]") {
    for (auto const kind : {CodecKind::exponent_window, CodecKind::exponent_prefix, CodecKind::exponent_huffman})
        for (auto const type : {DataType::bf16, DataType::fp16, DataType::fp32, DataType::fp8_e4m3}) {
            Coded const coded = code(codec_config(kind), random_bytes(4096, 11), type);
            CHECK(coded.block.size() <= 4097);
            CHECK(code(codec_config(kind), {}, type).block.size() == 1);
        }
}
