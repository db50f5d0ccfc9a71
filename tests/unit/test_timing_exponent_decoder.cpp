#include "models/timing/exponent_decoder.h"
#include "support/catch.h"
#include "support/exponent_blocks.h"

using namespace netzip;
using namespace netzip::test;

namespace {

/// 2,048 bf16 values in `lanes` lanes of `lane` bytes, `maps` zero maps.
BlockWork prefix_block(std::size_t lanes, std::uint32_t lane, std::size_t maps = 0) {
    std::vector<std::uint32_t> parts{10, static_cast<std::uint32_t>(lanes - 1)};
    parts.insert(parts.end(), maps, 16);
    parts.push_back(1500);
    parts.insert(parts.end(), lanes, lane);
    parts.push_back(0);
    return block_of(4096, parts);
}

ExponentDecoder::Timing window_timing() {
    ExponentDecoder::Timing timing;
    timing.latency = 6;
    timing.release = 3;
    return timing;
}

ExponentDecoder::Timing prefix_timing() {
    ExponentDecoder::Timing timing;
    timing.lanes = 32;
    return timing;
}

}  // namespace

// 2 + 2,048 + 768 bytes come in 45 cycles, 0..44; 64 rows follow at 45..108, each 6 cycles later at the output.
TEST_CASE("a window decoder restores a block when it is whole", "[timing]") {
    ExponentDecoder engine(window_timing());
    BlockWork const work = block_of(4096, {2, 2048, 768, 0, 0});
    EngineStamps const s = engine.admit(0, 0, work);
    CHECK(s.taken == 45);
    CHECK(s.first_out == 45 + 6);
    CHECK(s.done == 45 + 64 + 6);
    // Blocks that need no more input than the rows take leave without a gap.
    CHECK(engine.admit(0, 0, work).first_out == s.done);
}

// 10 + 31 + 1,500 + 640 bytes come in 35 cycles. Header 2, sums 1, then 8 groups of 4 lanes of 20 B, 4 cycles each: the
// loader ends at 35 + 3 + 32, the decoder begins 3 later.
TEST_CASE("a prefix decoder loads the lanes of a whole block, then decodes", "[timing]") {
    EngineStamps const s = ExponentDecoder(prefix_timing()).admit(0, 0, prefix_block(32, 20));
    CHECK(s.taken == 35);
    CHECK(s.first_out == 35 + 3 + 32 + 3 + 5);
    CHECK(s.done == s.first_out + 64);
}

// 16 maps take a cycle each and 2; lanes of 33 and of 100 bytes take two and four turns.
TEST_CASE("zero maps and long lanes take the loader longer", "[timing]") {
    auto const behind_input = [](BlockWork const& work) {
        EngineStamps const s = ExponentDecoder(prefix_timing()).admit(0, 0, work);
        return s.first_out - s.taken;
    };
    CHECK(behind_input(prefix_block(32, 20, 16)) == 3 + 18 + 32 + 3 + 5);
    CHECK(behind_input(prefix_block(32, 33)) == 3 + 64 + 3 + 5);
    BlockWork one_long = prefix_block(32, 20);
    one_long.parts[3 + 5] = 100;
    CHECK(behind_input(one_long) == 3 + 32 + 12 + 3 + 5);
}

// Its header alone is read.
TEST_CASE("a block stored raw needs no lanes", "[timing]") {
    BlockWork work;
    work.bytes_in = 4096;
    work.bytes_out = 4097;
    work.stored_raw = true;
    EngineStamps const s = ExponentDecoder(prefix_timing()).admit(0, 0, work);
    CHECK(s.taken == 65);
    CHECK(s.first_out == 65 + 2 + 5);
}

TEST_CASE("an endless row of blocks leaves an exponent decoder at its interval", "[timing]") {
    for (std::uint64_t const slots : {1, 2, 4}) {
        for (std::uint64_t const loads : {1, 2}) {
            for (std::uint64_t const lanes : {0, 8, 32}) {
                ExponentDecoder::Timing timing = prefix_timing();
                timing.slots = slots;
                timing.loads = loads;
                timing.lanes = lanes;
                if (lanes > 0) timing.decoder_width = 2 * lanes;
                for (std::uint32_t const lane : {20, 60, 100}) {
                    auto const work = prefix_block(lanes == 0 ? 1 : lanes, lane, lane == 60 ? 16 : 0);
                    CAPTURE(slots, loads, lanes, lane);
                    ExponentDecoder const engine(timing);
                    CHECK(mean_interval(engine, work) == Approx(engine.interval(work)).epsilon(0.02));
                }
            }
        }
    }
}

TEST_CASE("an exponent decoder is as busy as the busier of loader and decoder", "[timing]") {
    ExponentDecoder decodes(prefix_timing());
    ExponentDecoder loads(prefix_timing());
    for (int n = 0; n < 10; ++n) {
        decodes.admit(0, 0, prefix_block(32, 20));
        loads.admit(0, 0, prefix_block(32, 70));
    }
    CHECK(decodes.worked() == 10 * 64);
    CHECK(loads.worked() == 10 * (3 + 96));
}

TEST_CASE("an exponent decoder does not guess the parts of a block", "[timing]") {
    BlockWork work;
    work.bytes_in = 4096;
    work.bytes_out = 2700;
    CHECK_THROWS_WITH(ExponentDecoder(prefix_timing()).admit(0, 43, work), Catch::Contains("parts"));
}
