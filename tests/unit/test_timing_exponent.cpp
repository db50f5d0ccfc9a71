#include "models/timing/exponent_emission.h"
#include "models/timing/exponent_encoder.h"
#include "support/catch.h"
#include "support/exponent_blocks.h"

using namespace netzip;
using namespace netzip::test;

namespace {

/// 2,048 bf16 values, all inside the window of 3-bit codes.
BlockWork window_block() {
    return block_of(4096, {2, 2048, 768, 0, 0});
}

/// 2,048 bf16 values in `lanes` lanes of `bytes` each.
BlockWork prefix_block(std::size_t lanes, std::uint32_t bytes) {
    std::vector<std::uint32_t> parts{10, static_cast<std::uint32_t>(lanes - 1), 2048};
    parts.insert(parts.end(), lanes, bytes);
    parts.push_back(0);
    return block_of(4096, parts);
}

ExponentEncoder::Timing window_timing() {
    ExponentEncoder::Timing timing;
    timing.scan = 1;
    timing.code = 5;
    timing.gap = 1;
    timing.pack = 4;
    return timing;
}

ExponentEncoder::Timing prefix_timing(std::uint64_t lanes) {
    ExponentEncoder::Timing timing;
    timing.coder_width = 2 * lanes;
    timing.lanes = lanes;
    timing.slots = 2;
    timing.scan_block = 256;
    timing.scan = 6;
    timing.code = 6;
    timing.gap = 2;
    timing.pack = 4;
    return timing;
}

}  // namespace

// In at 0..63; coder 65..128 and its end 129; header at 134, 32 pieces of rests, 12 of codes, the last at 178. 2 bytes
// are in the beat before every piece, so that the first beat is full with the second piece and the last one overflows.
TEST_CASE("a lone window packet passes input, coder and emitter one after the other", "[timing]") {
    ExponentEncoder engine(window_timing());
    EngineStamps const s = engine.admit(0, 0, window_block());
    CHECK(s.start == 0);
    CHECK(s.taken == 64);
    CHECK(s.first_out == 135 + 4);
    CHECK(s.done == 178 + 1 + 4 + 1);
}

// The first block of 256 B is in after 4 cycles; the coder follows the input 6 behind: 10..73, end 74; header at 80,
// lengths, 32 pieces of rests, 32 lanes of 20 B: the last at 145. 10 + 31 + 64 bytes fill the first beat at 82. The
// turner has its first lanes 8 cycles after the header, long before the rests have left.
TEST_CASE("a prefix coder follows the input block by block", "[timing]") {
    ExponentEncoder engine(prefix_timing(32));
    EngineStamps const s = engine.admit(0, 0, prefix_block(32, 20));
    CHECK(s.taken == 64);
    CHECK(s.first_out == 82 + 4);
    CHECK(s.done == 145 + 4 + 1 + ((10 + 31 + 2048 + 31 * 20) % 64 + 20 > 64));
}

// 8 lanes of a value per cycle: 256 cycles of 16 B each and one to end the packet.
TEST_CASE("fewer lanes code fewer bytes per cycle", "[timing]") {
    CHECK(ExponentEncoder(prefix_timing(8)).interval(prefix_block(8, 80)) == 257);
    CHECK(mean_interval(ExponentEncoder(prefix_timing(8)), prefix_block(8, 80)) == Approx(257));
}

TEST_CASE("an encoder is as busy as its busiest loop", "[timing]") {
    ExponentEncoder few(prefix_timing(8));
    ExponentEncoder many(prefix_timing(64));
    for (std::uint64_t n = 0; n < 10; ++n) {
        few.admit(0, 0, prefix_block(8, 80));
        many.admit(0, 0, prefix_block(64, 10));
    }
    CHECK(few.worked() == 10 * 257);
    CHECK(many.worked() == 10 * (1 + 1 + 32 + 64 + 2));  // header, lengths, rests, lanes, gap
}

// Groups of 8 lanes. The turner takes 16 cycles for lanes of two pieces and 8 for lanes of one, and a group leaves in
// as many; it is filled while the one before it leaves.
TEST_CASE("lanes wait for the turner", "[timing]") {
    std::vector<std::uint32_t> parts{10, 31, 0};
    parts.insert(parts.end(), 32, 100);
    parts.push_back(0);
    CHECK(exponent_emission(block_of(4096, parts), 64, 32).last == 16 + 4 * 16 - 1);
    for (std::size_t lane = 0; lane < 32; ++lane) parts[3 + lane] = 20;
    CHECK(exponent_emission(block_of(4096, parts), 64, 32).last == 8 + 4 * 8 - 1);
}

// One byte that says so, then the packet: 1 + 64 pieces.
TEST_CASE("a packet that does not shrink leaves as it came", "[timing]") {
    BlockWork work;
    work.bytes_in = 4096;
    work.bytes_out = 4097;
    work.stored_raw = true;
    ExponentEmission const emission = exponent_emission(work, 64, 32);
    CHECK(emission.last == 64);
    CHECK(emission.first_beat == 1);
    CHECK(emission.overflow);
}

TEST_CASE("an endless row of packets leaves an exponent encoder at its interval", "[timing]") {
    for (std::uint64_t const slots : {1, 2, 3, 4}) {
        for (std::uint64_t const width : {16, 64, 128}) {
            ExponentEncoder::Timing timing = window_timing();
            timing.slots = slots;
            timing.width = timing.coder_width = width;
            ExponentEncoder const window(timing);
            CAPTURE(slots, width);
            CHECK(mean_interval(window, window_block()) == Approx(window.interval(window_block())).epsilon(0.02));
            for (std::uint64_t const lanes : {1, 8, 32}) {
                timing = prefix_timing(lanes);
                timing.slots = slots;
                timing.width = width;
                timing.coder_width = std::min(width, 2 * lanes);
                ExponentEncoder const prefix(timing);
                auto const work = prefix_block(lanes, static_cast<std::uint32_t>(640 / lanes));
                CAPTURE(lanes);
                CHECK(mean_interval(prefix, work) == Approx(prefix.interval(work)).epsilon(0.02));
            }
        }
    }
}

TEST_CASE("an exponent encoder does not guess the parts of a block", "[timing]") {
    BlockWork work;
    work.bytes_in = 4096;
    work.bytes_out = 2700;
    CHECK_THROWS_WITH(ExponentEncoder(window_timing()).admit(0, 64, work), Catch::Contains("parts"));
}
