#include <algorithm>
#include <bit>
#include <cmath>
#include <iomanip>
#include <random>
#include <sstream>

#include "models/codec/codec.h"
#include "models/timing/block_engines.h"
#include "models/timing/compressor_bank.h"
#include "models/timing/lz_engine.h"
#include "models/transform/grouping.h"
#include "support/catch.h"
#include "support/documented_table.h"

using namespace netzip;
using namespace netzip::literals;

namespace {

constexpr std::size_t kPacket = 4096;

/// The match finder of the RTL in rtl.md's measurements: one candidate, 1024 entries, 8 KiB of history.
LzEngineConfig rtl_matcher(std::uint64_t fifo = 256) {
    LzEngineConfig config;
    config.hash_bits = 10;
    config.candidates = 1;
    config.candidate_bytes = 4;
    config.epoch_bits = 8;
    config.history = Bytes{8192};
    config.literal_fifo = Bytes{65536};
    config.sequence_fifo = fifo;
    config.tail_literals = Bytes{5};
    config.minimum_distance = Bytes{1};
    return config;
}

/// Its pipeline: two cycles and two bytes from a match's end to its token.
LzEngine rtl_engine(std::uint64_t fifo = 256) {
    return {rtl_matcher(fifo), LzTiming{}, LzFormat::lz4};
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

BlockWork all_literals(std::uint32_t bytes) {
    return block(bytes, {{static_cast<std::uint16_t>(bytes), 0, 0}});
}

CodecWork packet_of(BlockWork work) {
    CodecWork packet;
    packet.blocks.push_back(std::move(work));
    return packet;
}

/// Packets of normal bf16 values, grouped by bits as the transmit path does, and what the match finder made of them.
std::vector<BlockWork> bit_planes(std::size_t count, double sigma, bool relu = false) {
    AlgorithmConfig algorithm;
    algorithm.codec = CodecKind::lz4_hw;
    algorithm.lz = rtl_matcher();
    auto const codec = make_codec(algorithm);
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0, static_cast<float>(sigma));
    std::vector<BlockWork> works(count);
    for (BlockWork& work : works) {
        ByteBuffer packet(kPacket);
        for (std::size_t i = 0; i < kPacket; i += 2) {
            float value = normal(random);
            if (relu && value < 0) value = 0;
            auto const bits = std::bit_cast<std::uint32_t>(value) >> 16;
            packet[i] = static_cast<std::uint8_t>(bits);
            packet[i + 1] = static_cast<std::uint8_t>(bits >> 8);
        }
        ByteBuffer grouped(kPacket);
        group(GroupingKind::bit, GroupOrder::artifact, DataType::bf16, packet, grouped);
        ByteBuffer out;
        codec->compress({}, grouped, out, work);
    }
    return works;
}

/// Cycles per block of blocks back to back, after the first ones.
double mean_interval(LzEngine engine, std::vector<BlockWork> const& works) {
    std::size_t const skip = works.size() / 4;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < works.size(); ++i) {
        last = engine.admit(0, 64, works[i]).done;
        if (i + 1 == skip) first = last;
    }
    return static_cast<double>(last - first) / static_cast<double>(works.size() - skip);
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
    EngineStamps t = engine.admit(0, 64, all_literals(4096));
    CHECK(t.first_out == 4097);
    CHECK(t.done == 4097 + 4114);
    // Back to back the output is the slower side: 4114 cycles each.
    for (int i = 0; i < 20; ++i) {
        EngineStamps const next = engine.admit(0, 64, all_literals(4096));
        CHECK(next.done == t.done + 4114);
        t = next;
    }
    CHECK(engine.interval(all_literals(4096)) == Approx(4114).epsilon(0.002));
}

// RTL of an engine with one candidate per hash, measured on other packets of the same distributions: normal bf16 values
// in bit planes, with or without a rectifier before them. The hash functions differ, so the sequences do: where a
// packet has about as many sequences as the FIFO holds (64), that decides on which side it is.
TEST_CASE("a short FIFO of sequences costs the throughput that the RTL showed", "[timing]") {
    struct Row {
        char const* data;
        bool rectified;
        std::uint64_t fifo;
        double rtl, tolerance;
    };
    std::ostringstream table;
    table << std::fixed << std::setprecision(0);
    for (Row const& row :
         {Row{"normal", false, 16, 6560, 0.03}, Row{"normal", false, 64, 5895, 0.12},
          Row{"normal", false, 256, 4096 + 1024. / 255, 0.005}, Row{"normal", false, 1024, 4096 + 1024. / 255, 0.005},
          Row{"rectified", true, 16, 5783, 0.03}, Row{"rectified", true, 64, 4100, 0.01},
          Row{"rectified", true, 256, 4097, 0.005}}) {
        double const interval = mean_interval(rtl_engine(row.fifo), bit_planes(200, 1e-3, row.rectified));
        CHECK(interval == Approx(row.rtl).epsilon(row.tolerance));
        table << "| " << row.data << " | " << row.fifo << " | " << row.rtl << " | " << interval << " |\n";
    }
    test::check_documented("validation.md", table.str());
    // The first byte after 2569 to 2602 cycles, a lone packet done after about 5700.
    EngineStamps const alone = rtl_engine(256).admit(0, 64, bit_planes(1, 1e-3)[0]);
    CHECK(static_cast<double>(alone.first_out) == Approx(2575).epsilon(0.01));
    CHECK(static_cast<double>(alone.done) == Approx(5700).epsilon(0.03));
}

// 8 bits of block tag: 255 blocks, then 1024 cycles to clear 2^10 entries. Flushing every block pays it every time.
TEST_CASE("the table is cleared when the block tag wraps, or before every block", "[timing]") {
    BlockWork const zeros = block(4096, {{1, 4090, 1}, {5, 0, 0}});
    LzEngine tagged = rtl_engine();
    EngineStamps t;
    for (int i = 0; i < 256; ++i) t = tagged.admit(0, 64, zeros);
    CHECK(t.taken == 256 * 4096 + 1024);
    LzEngineConfig config = rtl_matcher();
    config.flush_per_block = true;
    LzEngine flushed(config, LzTiming{}, LzFormat::lz4);
    for (int i = 0; i < 3; ++i) t = flushed.admit(0, 64, zeros);
    CHECK(t.taken == 3 * (4096 + 1024));
}

// Sequences (literals, match, offset): (10,20,100): parse 1+2+1+1 (20-4=16: one more byte) = 5, copy 2+3 = 5.
// (0,40,4): parse 1+1+1 = 3, copy 40+1 = 41 (offset below 16 goes byte by byte, below 8 waits a cycle). (5): 1+1, 1.
TEST_CASE("the LZ decompressor pays for parsing and copying, and short offsets go byte by byte", "[timing]") {
    BlockWork const work = block(75, {{10, 20, 100}, {0, 40, 4}, {5, 0, 0}});
    LzDecoder decoder(LzDecoder::Timing{});
    CHECK(decoder.cycles(work) == 5 + 41 + 1);
    LzDecoder patterned(LzDecoder::Timing{8, 0, 1, 30});
    CHECK(patterned.cycles(work) == 12);  // copy 5 + 6 + 1 = 12 against parse 5 + 3 + 2 = 10
    EngineStamps const t = decoder.admit(10, 12, work);
    CHECK(t.first_out == 40);
    CHECK(t.done == 10 + 47 + 30);
    CHECK(decoder.admit(10, 12, work).start == 57);
}

// A plane of 256 literals: known with byte 255, token 2 cycles later, 1 + 1 + 256 bytes: 515 cycles; the RTL measured
// 514 to its last byte, that is 515 to the end of that cycle.
TEST_CASE("sixteen engines with a plane each finish a packet in the time of one plane", "[timing]") {
    CompressorConfig config;
    config.engines = 16;
    config.arrangement = Arrangement::group;
    config.distribute = config.window_fill = config.match_filter = config.booster = Cycles{0};
    config.sequence_split = config.formatter = config.packer = config.block_gap = Cycles{0};
    config.matcher = Cycles{2};
    AlgorithmConfig algorithm;
    CompressorBank bank(config, algorithm, 1_GHz);
    CodecWork work;
    for (int i = 0; i < 16; ++i) work.blocks.push_back(all_literals(256));
    BankTimes const t = bank.admit(0_ns, 64_ns, work);
    CHECK(t.first_out == 257_ns);
    CHECK(t.complete == 515_ns);
    CHECK(t.taken == 256_ns);
    CHECK(bank.capacity(work) == Approx(4096 / 258e-9).epsilon(0.005));
}

// 4096 + 69 cycles per packet and engine at 300 MHz: 22 engines 51.9 Gb/s, 21 engines 49.6 Gb/s.
TEST_CASE("22 engines at 300 MHz carry 50 Gb/s and 21 do not", "[timing]") {
    CodecWork const zeros = packet_of(block(4096, {{1, 4031, 1}, {64, 0, 0}}));
    for (std::uint64_t engines : {21, 22}) {
        CompressorConfig config;
        config.engines = engines;
        CompressorBank bank(config, AlgorithmConfig{}, 300_MHz);
        double const expected = static_cast<double>(engines) * 300e6 * 8 * 4096 / 4165;
        CHECK(bank.capacity(zeros) * 8 == Approx(expected).epsilon(0.001));
        CHECK((expected > 50e9) == (engines == 22));
        // The bank, packet by packet, offered as fast as it takes them.
        Duration head{0};
        Duration first{0};
        Duration last{0};
        std::uint64_t const packets = 2200;
        for (std::uint64_t n = 0; n < packets; ++n) {
            head = std::max(head, bank.next_slot());
            last = bank.admit(head, head + 213_ns, zeros).complete;
            bank.depart(last);
            if (n + 1 == packets / 2) first = last;
            head += 213_ns;
        }
        double const rate = mean_rate(Bytes{4096} * (packets / 2), last - first);
        CHECK(rate == Approx(expected).epsilon(0.01));
    }
}

TEST_CASE("a bank has the same cycles at every clock", "[timing]") {
    auto const works = bit_planes(40, 1e-3);
    CompressorConfig config;
    config.engines = 3;
    AlgorithmConfig algorithm;
    algorithm.lz = rtl_matcher();
    CompressorBank slow(config, algorithm, 250_MHz);
    CompressorBank fast(config, algorithm, 1_GHz);
    for (BlockWork const& work : works) {
        CodecWork const packet = packet_of(work);
        BankTimes const s = slow.admit(slow.next_slot(), slow.next_slot() + 256_ns, packet);
        BankTimes const f = fast.admit(fast.next_slot(), fast.next_slot() + 64_ns, packet);
        CHECK(s.complete == f.complete * 4);
        CHECK(s.first_out == f.first_out * 4);
        CHECK(s.engine == f.engine);
        slow.depart(s.complete);
        fast.depart(f.complete);
    }
}

// 8 + 69 + 14 + 8 + 5 + 3 + 4 + 8 cycles of pipeline around the engine's own wait.
TEST_CASE("the pipeline of a compressor adds 119 cycles to what the data cost", "[timing]") {
    CompressorBank bank(CompressorConfig{}, AlgorithmConfig{}, 1_GHz);
    BankTimes const t = bank.admit(1000_ns, 1064_ns, packet_of(block(4096, {{100, 3932, 1}, {64, 0, 0}})));
    CHECK(t.start == 1008_ns);
    CHECK(t.first_out == 1000_ns + 4032_ns + 119_ns);
}

// Two passes: 4096 cycles in, 63 + 237 tables, 4096 out; the next packet's first pass runs beside the second.
TEST_CASE("a Zstd engine writes after it has seen the whole block", "[timing]") {
    AlgorithmConfig algorithm;
    algorithm.codec = CodecKind::zstd;
    CompressorConfig config;
    config.engines = 1;
    CompressorBank bank(config, algorithm, 1_GHz);
    BlockWork work;
    work.bytes_in = 4096;
    work.bytes_out = 3000;
    BankTimes const t = bank.admit(0_ns, 64_ns, packet_of(work));
    CHECK(t.first_out == Duration{1'000'000} * (8 + 4096 + 99 + 237 + 12));
    CHECK(t.complete == t.first_out + 4096_ns);
    CHECK(bank.admit(64_ns, 128_ns, packet_of(work)).start == 8_ns + 4096_ns + 69_ns);
}

// NetZIP paper: the first byte of LZ4 after 0.14 of the time of Zstd.
TEST_CASE("the first restored byte of LZ4 comes after 0.14 of Zstd's time", "[timing]") {
    AlgorithmConfig algorithm;
    DecompressorConfig config;
    config.align = Cycles{0};
    DecompressorBank lz4(config, algorithm, 1_GHz);
    algorithm.codec = CodecKind::zstd;
    DecompressorBank zstd(config, algorithm, 1_GHz);
    CodecWork const work = packet_of(all_literals(4096));
    double const fast = to_nanoseconds(lz4.admit(0_ns, 64_ns, work).first_out);
    double const slow = to_nanoseconds(zstd.admit(0_ns, 64_ns, work).first_out);
    CHECK(fast / slow == Approx(0.14).epsilon(0.01));
}

// 4 lanes of 2 bytes: 512 cycles for 4096 B; a fixed window keeps 64 B per cycle. The block of 3,000 B is in after 47
// cycles; then a window needs 5; lanes of 235 B the header 2, sums 1, 8 pieces of 32 B of four lanes 32, turn 3, and 5.
TEST_CASE("codes of variable length restore as fast as their lanes", "[timing]") {
    AlgorithmConfig algorithm;
    algorithm.lanes = 4;
    BlockWork work;
    work.bytes_in = 4096;
    work.bytes_out = 3000;
    work.parts = {10, 3, 2048, 235, 235, 235, 234, 0};
    using Row = std::tuple<CodecKind, std::uint64_t, std::uint64_t>;
    for (auto [codec, first, cycles] :
         {Row{CodecKind::exponent_prefix, 47 + 2 + 1 + 32 + 3 + 5, 512}, Row{CodecKind::exponent_window, 47 + 5, 64}}) {
        algorithm.codec = codec;
        DecompressorConfig config;
        config.align = Cycles{0};
        DecompressorBank bank(config, algorithm, 1_GHz);
        BankTimes const t = bank.admit(0_ns, 10_ns, packet_of(work));
        CHECK(t.first_out == 1_ns * first);
        CHECK(t.complete == 1_ns * (first + cycles));
    }
}

TEST_CASE("more engines never finish the traffic later", "[timing]") {
    auto const works = bit_planes(120, 1e-3);
    AlgorithmConfig algorithm;
    algorithm.lz = rtl_matcher();
    Duration before = Duration::max();
    for (std::uint64_t engines = 1; engines <= 24; ++engines) {
        CompressorConfig config;
        config.engines = engines;
        CompressorBank bank(config, algorithm, 300_MHz);
        Duration head{0};
        Duration last{0};
        for (BlockWork const& work : works) {
            head = std::max(head, bank.next_slot());
            BankTimes const t = bank.admit(head, head + 213_ns, packet_of(work));
            bank.depart(t.complete);
            last = std::max(last, t.complete);
            head += 213_ns;
        }
        CHECK(last <= before);
        before = last;
    }
}

TEST_CASE("slices share one packet among all engines", "[timing]") {
    CodecWork const packet = packet_of(block(4096, {{2000, 1000, 500}, {1096, 0, 0}}));
    CompressorConfig config;
    config.engines = 8;
    Duration whole{0};
    for (Arrangement arrangement : {Arrangement::packet, Arrangement::slice}) {
        config.arrangement = arrangement;
        CompressorBank bank(config, AlgorithmConfig{}, 1_GHz);
        BankTimes const t = bank.admit(0_ns, 64_ns, packet);
        if (arrangement == Arrangement::packet) {
            whole = t.complete;
        } else {
            // The longest slice is 512 literals: in, 119 cycles of pipeline, 515 bytes out.
            CHECK(t.complete <= 64_ns + 512_ns + 119_ns + 515_ns);
            CHECK(t.complete < whole);
        }
    }
}

TEST_CASE("a bank with buffers of one, two or all but one packet neither stops nor loses", "[timing]") {
    auto const works = bit_planes(60, 1e-3);
    AlgorithmConfig algorithm;
    algorithm.lz = rtl_matcher();
    for (std::uint64_t in_flight : {1, 2, 59}) {
        for (std::uint64_t engine_slots : {1, 2, 59}) {
            CompressorConfig config;
            config.engines = 4;
            config.in_flight = in_flight;
            config.engine_slots = engine_slots;
            CompressorBank bank(config, algorithm, 300_MHz);
            std::vector<Duration> inside;
            Duration head{0};
            Duration last{0};
            for (BlockWork const& work : works) {
                if (!bank.has_slot()) {
                    REQUIRE(inside.size() == in_flight);
                    auto const first = std::min_element(inside.begin(), inside.end());
                    bank.depart(*first);
                    inside.erase(first);
                }
                head = std::max(head, bank.next_slot());
                BankTimes const t = bank.admit(head, head + 213_ns, packet_of(work));
                CHECK((t.start >= head && t.taken > t.start && t.first_out > t.start && t.complete >= t.first_out));
                if (in_flight == 1) CHECK(head >= last);  // one after the other
                last = t.complete;
                inside.push_back(t.complete);
                head += 213_ns;
            }
        }
    }
}

TEST_CASE("a bank never carries more than its capacity", "[timing]") {
    AlgorithmConfig algorithm;
    for (CodecKind codec : {CodecKind::none, CodecKind::lz4, CodecKind::snappy, CodecKind::zstd, CodecKind::deflate,
                            CodecKind::exponent_window, CodecKind::exponent_prefix}) {
        algorithm.codec = codec;
        BlockWork work = all_literals(4096);
        work.bytes_out = 3000;
        if (codec == CodecKind::exponent_window) work.parts = {2, 2048, 768, 182, 0};
        if (codec == CodecKind::exponent_prefix) {
            work.parts = {10, 3, 2048, 235, 235, 235, 234, 0};
            REQUIRE(algorithm.lanes == 4);
        }
        CodecWork const packet = packet_of(work);
        for (Arrangement arrangement : {Arrangement::packet, Arrangement::group, Arrangement::slice}) {
            CompressorConfig compressor;
            compressor.arrangement = arrangement;
            DecompressorConfig decompressor;
            decompressor.arrangement = arrangement;
            CompressorBank tx(compressor, algorithm, 1_GHz);
            DecompressorBank rx(decompressor, algorithm, 1_GHz);
            for (EngineBank* bank : {static_cast<EngineBank*>(&tx), static_cast<EngineBank*>(&rx)}) {
                Duration first{0};
                Duration last{0};
                constexpr std::uint64_t kPackets = 440;  // a multiple of the engines
                for (std::uint64_t n = 0; n < 2 * kPackets; ++n) {
                    Duration const head = bank->next_slot();
                    last = std::max(last, bank->admit(head, head, packet).taken);
                    bank->depart(head);
                    if (n + 1 == kPackets) first = last;
                }
                double const rate = mean_rate(Bytes{4096} * kPackets, last - first) / 8;
                CAPTURE(enum_name(codec), enum_name(arrangement), bank == &tx);
                CHECK(rate <= bank->capacity(packet) * 1.004);  // a table clear in 4095 blocks is not in every run
                // A slice is a few cycles of a wide engine: there the two input slots and the distribution limit.
                if (arrangement != Arrangement::slice) CHECK(rate >= bank->capacity(packet) * 0.98);
            }
        }
    }
}
