// The LZ4 engine: byte for byte what lz4_hw makes with its parameters, decoded by liblz4, and when.
#include <lz4.h>

#include "Vlz4_compressor.h"
#include "Vlz4_compressor_small.h"
#include "byte_bench.h"
#include "engine_difference.h"
#include "models/codec/codec.h"
#include "models/timing/lz_engine.h"
#include "models/transform/grouping.h"
#include "packets.h"
#include "support/catch.h"

using namespace netzip;
using namespace netzip::rtl;

namespace {

constexpr std::size_t kPacket = 4096;
constexpr unsigned kClearing = 1100;

/// What the C++ models call the engine of sv/lz4_compressor.sv.
LzEngineConfig engine_config(std::uint64_t hash_bits, std::uint64_t epoch_bits, std::uint64_t sequence_fifo) {
    LzEngineConfig config;
    config.hash_bits = hash_bits;
    config.candidates = 1;
    config.candidate_bytes = 4;
    config.history = Bytes{8192};
    config.literal_fifo = Bytes{65536};  // the history holds the literals
    config.sequence_fifo = sequence_fifo;
    config.epoch_bits = epoch_bits;
    config.tail_literals = Bytes{5};
    config.minimum_distance = Bytes{1};
    return config;
}

struct Coded {
    ByteBuffer data;
    BlockWork work;
};

std::vector<Coded> expected(LzEngineConfig const& engine, std::vector<ByteBlock> const& blocks) {
    AlgorithmConfig config;
    config.codec = CodecKind::lz4_hw;
    config.lz = engine;
    auto const codec = make_codec(config);
    std::vector<Coded> out(blocks.size());
    for (std::size_t n = 0; n < blocks.size(); ++n) codec->compress({}, blocks[n].data, out[n].data, out[n].work);
    return out;
}

bool liblz4_decodes(ByteBuffer const& coded, ByteBuffer const& original) {
    ByteBuffer back(original.size());
    int const n = LZ4_decompress_safe(reinterpret_cast<char const*>(coded.data()), reinterpret_cast<char*>(back.data()),
                                      static_cast<int>(coded.size()), static_cast<int>(back.size()));
    return n == static_cast<int>(original.size()) && back == original;
}

ByteBuffer planes(ByteBuffer const& packet) {
    ByteBuffer out(packet.size());
    group(GroupingKind::bit, GroupOrder::high_first, DataType::bf16, packet, out);
    return out;
}

/// Recorded and adversarial packets, raw and as bit planes, whole and short.
std::vector<ByteBlock> mixed_blocks(std::size_t count, Random& random, std::size_t most = kPacket) {
    std::vector<ByteBuffer> const recorded = recorded_packets(count);
    std::vector<ByteBlock> blocks(count);
    for (std::size_t n = 0; n < count; ++n) {
        std::size_t const size = random.chance(110) ? 1 + random.below(static_cast<std::uint32_t>(most)) : most;
        ByteBuffer data =
            random.chance(128) ? recorded[n % recorded.size()] : adversarial_packet(random.next(), size, random);
        data.resize(std::min(size, data.size()));
        blocks[n].data = random.chance(160) ? planes(data) : data;
    }
    return blocks;
}

template <class Dut>
std::size_t count_wrong(LzEngineConfig const& engine, std::vector<ByteBlock> const& blocks, Stalls stalls) {
    Dut dut;
    warm_up(dut, kClearing);
    auto const rtl = run_bytes(dut, blocks, stalls, 5);
    auto const model = expected(engine, blocks);
    std::size_t wrong = 0;
    for (std::size_t n = 0; n < blocks.size(); ++n)
        wrong += rtl[n].data != model[n].data || !liblz4_decodes(rtl[n].data, blocks[n].data);
    return wrong;
}

LzEngineConfig const kDefault = engine_config(10, 8, 256);
LzEngineConfig const kSmall = engine_config(6, 3, 4);

}  // namespace

TEST_CASE("the LZ4 engine sends what lz4_hw makes of every block, whatever stalls", "[rtl][lz4]") {
    for (Stalls const stalls : {Stalls{0, 0}, Stalls{90, 0}, Stalls{0, 90}, Stalls{120, 200}, Stalls{200, 60}}) {
        Random random(21 + stalls.source);
        INFO("stalls " << stalls.source << " " << stalls.sink);
        CHECK(count_wrong<Vlz4_compressor>(kDefault, mixed_blocks(60, random), stalls) == 0);
        CHECK(count_wrong<Vlz4_compressor_small>(kSmall, mixed_blocks(60, random), stalls) == 0);
    }
}

TEST_CASE("blocks of every length from 1 to 300 bytes come through the LZ4 engine", "[rtl][lz4]") {
    Random random(22);
    std::vector<ByteBlock> blocks;
    for (std::size_t size = 1; size <= 300; ++size)
        for (unsigned const kind : {0u, 3u, 6u}) blocks.push_back({adversarial_packet(kind, size, random)});
    CHECK(count_wrong<Vlz4_compressor>(kDefault, blocks, {}) == 0);
}

// A word that comes once per block, in each of more than 2^epoch_bits blocks, at places that vary: an entry of a block
// 2^epoch_bits - 1 blocks ago looks like one of this block when the table was not cleared in between.
TEST_CASE("a stale table entry is never taken for one of this block when the tag wraps", "[rtl][lz4]") {
    Random random(23);
    std::vector<ByteBlock> blocks;
    for (unsigned n = 0; n < 600; ++n) {
        ByteBlock block{adversarial_packet(7, 24 + random.below(40), random)};
        std::size_t const at = random.below(8);
        for (std::size_t i = 0; i < 4; ++i) block.data[at + i] = static_cast<std::uint8_t>(0xA0 + i);
        blocks.push_back(block);
    }
    CHECK(count_wrong<Vlz4_compressor>(kDefault, blocks, {}) == 0);
    CHECK(count_wrong<Vlz4_compressor_small>(kSmall, blocks, {}) == 0);
}

// A run of literals of exactly 15 + 255 k bytes, and matches of 19 + 255 k, end their length with a zero byte.
TEST_CASE("lengths at the borders of the length bytes are spelled right", "[rtl][lz4]") {
    Random random(24);
    std::vector<ByteBlock> blocks;
    for (std::size_t const literals : {0, 1, 14, 15, 16, 269, 270, 271, 525, 526}) {
        for (std::size_t const match : {4, 18, 19, 20, 273, 274, 275, 529}) {
            ByteBlock block{adversarial_packet(7, literals + 8, random)};
            for (std::size_t i = 0; i < match; ++i) block.data.push_back(block.data[block.data.size() - 8]);
            for (std::size_t i = 0; i < 16; ++i) block.data.push_back(static_cast<std::uint8_t>(random.next()));
            blocks.push_back(block);
        }
    }
    CHECK(count_wrong<Vlz4_compressor>(kDefault, blocks, {}) == 0);
}

namespace {

LzTiming engine_timing() {
    LzTiming timing;
    timing.lookahead = 3;
    timing.match_latency = 3;
    timing.fifo_turn = 3;
    return timing;
}

EngineDifference compare(LzEngineConfig const& config, LzTiming const& timing, std::vector<ByteBlock> const& blocks,
                         std::vector<Coded> const& model, std::vector<ByteResult> const& rtl) {
    LzEngine engine(config, timing, LzFormat::lz4);
    EngineDifference difference;
    std::uint64_t free = 0;
    for (std::size_t n = 0; n < blocks.size(); ++n) {
        std::uint64_t const head = std::max(blocks[n].offer, free);
        EngineStamps const s = engine.admit(head, head + blocks[n].data.size(), model[n].work);
        difference.add(s, rtl[n].stamps);
        free = s.taken;
    }
    return difference;
}

/// Back to back, or with gaps.
std::vector<ByteBlock> timed_blocks(std::size_t count, std::size_t most, bool gaps, std::uint64_t seed) {
    Random random(seed);
    std::vector<ByteBlock> blocks = mixed_blocks(count, random, most);
    std::uint64_t offer = 0;
    for (ByteBlock& block : blocks) {
        if (gaps) offer += random.below(static_cast<std::uint32_t>(2 * most));
        block.offer = offer;
    }
    return blocks;
}

/// The constants are right, and `matters`, when it is changed by one, is seen.
template <class Dut>
void check_timing(LzEngineConfig const& config, std::vector<ByteBlock> const& blocks,
                  std::uint64_t LzTiming::*matters) {
    Dut dut;
    warm_up(dut, kClearing);
    auto const rtl = run_bytes(dut, blocks, {}, 6);
    auto const model = expected(config, blocks);
    CHECK(compare(config, engine_timing(), blocks, model, rtl) == EngineDifference{});

    LzTiming wrong = engine_timing();
    ++(wrong.*matters);
    CHECK(compare(config, wrong, blocks, model, rtl).done > blocks.size() / 4);
}

}  // namespace

TEST_CASE("the sequence recurrence predicts every stamp of the LZ4 engine", "[rtl][lz4][timing]") {
    check_timing<Vlz4_compressor>(kDefault, timed_blocks(600, kPacket, false, 31), &LzTiming::match_latency);
    check_timing<Vlz4_compressor>(kDefault, timed_blocks(600, kPacket, true, 32), &LzTiming::lookahead);
    check_timing<Vlz4_compressor>(kDefault, timed_blocks(10000, 256, false, 33), &LzTiming::match_latency);
}

TEST_CASE("the sequence recurrence predicts the engine with a FIFO of four sequences", "[rtl][lz4][timing]") {
    check_timing<Vlz4_compressor_small>(kSmall, timed_blocks(600, kPacket, false, 34), &LzTiming::fifo_turn);
    check_timing<Vlz4_compressor_small>(kSmall, timed_blocks(2000, 256, true, 35), &LzTiming::match_latency);
}

// Noise grows by 18 bytes per block of 4096, so the emitter falls behind until the history is full of literals that
// have not left; from then on it alone sets the pace.
TEST_CASE("the sequence recurrence predicts the engine whose history is full of literals", "[rtl][lz4][timing]") {
    Random random(36);
    std::vector<ByteBlock> blocks;
    for (unsigned n = 0; n < 300; ++n) blocks.push_back({adversarial_packet(7, kPacket, random)});
    check_timing<Vlz4_compressor>(kDefault, blocks, &LzTiming::match_latency);
    auto const model = expected(kDefault, blocks);
    Vlz4_compressor dut;
    warm_up(dut, kClearing);
    auto const rtl = run_bytes(dut, blocks, {}, 6);
    LzEngineConfig wrong = kDefault;
    wrong.history = Bytes{8193};
    CHECK(compare(wrong, engine_timing(), blocks, model, rtl).start > 30);
}
