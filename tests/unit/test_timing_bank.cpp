#include "models/timing/compressor_bank.h"
#include "support/catch.h"

using namespace netzip;
using namespace netzip::literals;

namespace {

/// The engine of the RTL in tests/rtl: two cycles and two bytes from a match's end to its token.
LzEngine rtl_engine(std::uint64_t fifo = 256) {
    LzEngineConfig config;
    config.hash_bits = 10;
    config.epoch_bits = 8;
    config.history = Bytes{8192};
    config.literal_fifo = Bytes{65536};
    config.sequence_fifo = fifo;
    return {config, LzTiming{}, LzFormat::lz4};
}

BlockWork block(std::uint32_t bytes, std::vector<LzSequence> sequences) {
    BlockWork work;
    work.bytes_in = bytes;
    work.sequences = std::move(sequences);
    for (LzSequence const& s : work.sequences) {
        work.literals += s.literals;
        work.match_bytes += s.match_length;
        work.matches += s.match_length > 0;
    }
    return work;
}

}  // namespace

// 4096 zeros: 1 literal, a match up to 5 bytes before the end, 5 literals. The match ends before byte 4091, its end is
// known with byte 4093, its token leaves 2 cycles later. 1 + 1 + 2 + 16 bytes and 1 + 5 bytes follow.
TEST_CASE("a token waits for the end of its match", "[timing]") {
    LzEngine engine = rtl_engine();
    EngineStamps const t = engine.admit(0, 64, block(4096, {{1, 4090, 1}, {5, 0, 0}}));
    CHECK(t.first_out == 4095);
    CHECK(t.done == 4095 + 20 + 6);
    CHECK(t.taken == 4096);
}

// 4096 literals: the token leaves 2 cycles after the last byte (4095), then 1 + 17 + 4096 bytes.
TEST_CASE("a block without matches leaves after its last byte, and at one byte per cycle", "[timing]") {
    LzEngine engine = rtl_engine();
    EngineStamps t = engine.admit(0, 64, block(4096, {{4096, 0, 0}}));
    CHECK(t.first_out == 4097);
    CHECK(t.done == 4097 + 4114);
    // Back to back the output is the slower side: 4114 cycles each.
    for (int i = 0; i < 20; ++i) {
        EngineStamps const next = engine.admit(0, 64, block(4096, {{4096, 0, 0}}));
        CHECK(next.done == t.done + 4114);
        t = next;
    }
    CHECK(engine.interval(block(4096, {{4096, 0, 0}})) == Approx(4114).epsilon(0.002));
}
