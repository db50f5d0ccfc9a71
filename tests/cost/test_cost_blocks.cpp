#include "cost_bench.h"
#include "models/cost/stage_blocks.h"

using namespace netzip;

namespace {

Placement const kTransmit{"compressor", Direction::transmit, 300e6};
Placement const kReceive{"decompressor", Direction::receive, 300e6};

Resources lz4_engine(LzEngineConfig const& lz, std::uint64_t width = 1, CostTables const& tables = vitis()) {
    AlgorithmConfig algorithm;
    algorithm.lz = lz;
    EngineShape shape;
    shape.bytes_per_cycle = width;
    return compressor_block(tables, kTransmit, algorithm, shape).per_instance();
}

}  // namespace

// UltraScale+: RAMB18 is 512 x 36 .. 16384 x 1, URAM288 is 4096 x 72.
TEST_CASE("memories take the block RAM and URAM that their shape needs", "[cost]") {
    CHECK(ramb18_count(512, 36) == 1);
    CHECK(ramb18_count(512, 37) == 2);
    CHECK(ramb18_count(513, 36) == 2);
    CHECK(ramb18_count(16384, 8) == 8);    // 16 KB history: 8 x (2048 x 9)
    CHECK(ramb18_count(4096, 8) == 2);     // 4 KB literal FIFO
    CHECK(ramb18_count(128, 32) == 1);     // one bank of the grouper's staging buffer
    CHECK(ramb18_count(32768, 16) == 32);  // base registers: 2^19 bits / 2^14
    CHECK(uram_count(vitis(), 4096, 432) == 6);
    CHECK(uram_count(vitis(), 4097, 72) == 2);
    CHECK(lutram_count(32, 14) == 8);
    CHECK(lutram_count(64, 8) == 16);
}

TEST_CASE("a memory goes to URAM from half full, to flip-flops when tiny, to small macros below 64 Kbit", "[cost]") {
    CHECK(map_memory(vitis(), {2048, 72, 1}).uram == 1.0);
    CHECK(map_memory(vitis(), {2047, 72, 1}).uram == 0.0);
    CHECK(map_memory(vitis(), {2047, 72, 1}).bram36 == 4.0);  // 8 RAMB18 of 2048 x 9
    CHECK(map_memory(vitis(), {64, 8, 3}).flop_bits == 1536.0);
    CHECK(map_memory(vitis(), {64, 9, 1}).sram_small == 576.0);
    CHECK(map_memory(vitis(), {4096, 15, 1}).sram_small == 61440.0);
    CHECK(map_memory(vitis(), {4096, 16, 2}).sram_large == 131072.0);
    CHECK(map_memory(vitis(), {0, 8, 1}).bram36 == 0.0);
}

// Vitis lz4_compress: 2816 LUT, 3214 FF, 10 RAMB18, 6 URAM; 6 x (48 + 24) = 432 bits an entry.
TEST_CASE("the default LZ4 engine is the Vitis kernel", "[cost]") {
    LzEngineConfig lz;
    CHECK(hash_entry_bits(lz, 4096) == 432);
    lz.sequence_fifo = 8;  // the kernel's streams are 8 deep, in LUTs: ceil(39 / 14) x 8
    Resources const engine = lz4_engine(lz);
    CHECK(typical(engine, Resource::lut) == Approx(2816 + 24));
    CHECK(typical(engine, Resource::ff) == Approx(3214));
    CHECK(typical(engine, Resource::bram36) == 5.0);
    CHECK(typical(engine, Resource::uram) == 6.0);
    // 4096 x 432 + 16 KB + 4 KB = 1.933 Mb, of which the FIFO is a small macro; 8 x 39 bits of flip-flops.
    CHECK(typical(engine, Resource::sram_large) == 4096 * 432 + 131072);
    CHECK(typical(engine, Resource::sram_small) == 32768);
    CHECK(typical(engine, Resource::flop_bits) == Approx(3214 + 312));
    CHECK(typical(engine, Resource::gates) == Approx(2816 * 8));
}

// 1024 entries of 2 x (32 + 12 + 8) = 104 bits.
TEST_CASE("an LZ4 engine for 4 KiB packets has a hash table of 13 KB and no URAM", "[cost]") {
    NicConfig config;
    trim_to_packets(config);
    CHECK(hash_entry_bits(config.algorithm.lz, 4096) == 104);
    Resources const engine = lz4_engine(config.algorithm.lz);
    CHECK(typical(engine, Resource::uram) == 0.0);
    CHECK(typical(engine, Resource::sram_large) == 106496);  // 104 x 1024 bits = 13 KB
    // 0.21 of the LUTs stay, 0.79 shrink to 8 of 36 compared bytes.
    CHECK(typical(engine, Resource::lut) == Approx(2816 * (0.21 + 0.79 * 8 / 36)));
    CHECK(typical(engine, Resource::ff) == Approx(3214 * (0.22 + 0.78 * 8 / 36)));
}

TEST_CASE("a wider LZ4 engine has its match logic per byte, its table in as many banks, and is out of range",
          "[cost]") {
    LzEngineConfig const lz;
    Resources const one = lz4_engine(lz);
    Resources const eight = lz4_engine(lz, 8);
    CHECK_FALSE(one[Resource::lut].out_of_range);
    CHECK(eight[Resource::lut].out_of_range);
    CHECK(typical(eight, Resource::lut) == Approx(8 * 2816));
    // Same bits, 8 banks of 512 x 432: 12 RAMB18 each; history and FIFO keep their bits.
    CHECK(typical(eight, Resource::uram) == 0.0);
    double const bits = typical(one, Resource::sram_large) + typical(one, Resource::sram_small);
    CHECK(typical(eight, Resource::sram_large) + typical(eight, Resource::sram_small) == bits);
}

// Vitis: two copies of 64 KB = 4 URAM; 4654 to 6700 LUT from 8 to 16 bytes.
TEST_CASE("an LZ4 decompressor keeps two copies of its window and grows with its width", "[cost]") {
    AlgorithmConfig const algorithm;
    EngineShape shape;
    shape.bytes_per_cycle = 8;
    Resources const eight = decompressor_block(vitis(), kReceive, algorithm, shape).per_instance();
    CHECK(typical(eight, Resource::uram) == 4.0);
    CHECK(typical(eight, Resource::sram_large) == 2 * 65536 * 8);
    CHECK(typical(eight, Resource::lut) == Approx(5500));
    shape.bytes_per_cycle = 16;
    Resources const sixteen = decompressor_block(vitis(), kReceive, algorithm, shape).per_instance();
    CHECK(typical(sixteen, Resource::lut) == Approx(5500 * 1.44));
    shape.bytes_per_cycle = 8;
    shape.history = Bytes{4096};
    Resources const trimmed = decompressor_block(vitis(), kReceive, algorithm, shape).per_instance();
    CHECK(typical(trimmed, Resource::uram) == 0.0);
    CHECK(typical(trimmed, Resource::sram_small) == 2 * 4096 * 8);
    CHECK(typical(trimmed, Resource::bram36) == 2.0);  // 512 x 64: 2 RAMB18, twice
}

// yosys: delta and grouper together 3624 LUT, 1569 FF, 16 RAMB18 for both halves of the staging buffer.
TEST_CASE("delta, grouper and staging buffer are those of the synthesised RTL", "[cost]") {
    StageShape shape;
    Resources sum =
        stage_block(vitis(), "grouper", {"grouper", Direction::transmit, 300e6}, {"grouper", "integer_delta"}, shape)
            .total();
    CHECK(typical(sum, Resource::lut) == 3624.0);
    CHECK(typical(sum, Resource::ff) == 1569.0);
    shape.packets = 2;
    Block const staging = stage_block(vitis(), "staging", {"staging_buffer", Direction::transmit, 300e6}, {}, shape);
    CHECK(typical(staging.total(), Resource::bram36) == 8.0);
    CHECK(typical(staging.total(), Resource::sram_small) == 2 * 4096 * 8);
    shape.latency = 10;
    Block const deep = stage_block(vitis(), "deep", {"grouper", Direction::transmit, 300e6}, {"grouper"}, shape);
    CHECK(typical(deep.total(), Resource::ff) == 10 * 512.0);  // a register of 512 bits for each of ten stages
}

// 32,768 layers x 16 bits, the base in use and the one being found.
TEST_CASE("base registers cost two values per layer, and nothing without history", "[cost]") {
    Placement const place{"delta_encoder", Direction::transmit, 300e6};
    auto const bits = [&](DeltaKind kind, std::uint64_t layers) {
        return typical(base_register_block(vitis(), place, kind, layers, 16, 4096).total(), Resource::sram_large);
    };
    CHECK(bits(DeltaKind::min_previous, 32768) == 2 * 524288.0);
    CHECK(bits(DeltaKind::min_previous, 16384) == 524288.0);
    CHECK(bits(DeltaKind::packet_exponent, 32768) == 0.0);
    CHECK(bits(DeltaKind::none, 32768) == 0.0);
    Block const true_delta = delta_block(vitis(), place, DeltaKind::true_integer, {});
    REQUIRE(true_delta.remarks.size() == 1);
    CHECK(true_delta.remarks[0].find("not counted") != std::string::npos);
}

TEST_CASE("a Huffman table per layer costs 256 counters and lengths for each of them", "[cost]") {
    AlgorithmConfig algorithm;
    algorithm.codec = CodecKind::exponent_huffman;
    EngineShape shape;
    shape.bytes_per_cycle = 64;
    auto const bits = [&](std::uint64_t layers) {
        shape.layers = layers;
        return typical(compressor_block(vitis(), kTransmit, algorithm, shape).total(), Resource::sram_large);
    };
    CHECK(bits(2048) - bits(1024) == 1024 * 256 * 20.0);
}

TEST_CASE("a window found in the packet costs a histogram, one from the iteration before costs none", "[cost]") {
    AlgorithmConfig algorithm;
    algorithm.codec = CodecKind::exponent_window;
    EngineShape shape;
    shape.bytes_per_cycle = 64;
    auto const luts = [&](WindowBase base) {
        algorithm.window_base = base;
        return typical(compressor_block(vitis(), kTransmit, algorithm, shape).total(), Resource::lut);
    };
    CHECK(luts(WindowBase::best_of_packet) - luts(WindowBase::previous_iteration) == 20000.0);
    CHECK(luts(WindowBase::packet_maximum) == luts(WindowBase::previous_iteration));  // its RTL has the maximum in it
}

TEST_CASE("lanes of a prefix decoder each cost a decoder and carry a value per cycle", "[cost]") {
    AlgorithmConfig algorithm;
    algorithm.codec = CodecKind::exponent_prefix;
    EngineShape shape;
    shape.bytes_per_cycle = 64;
    algorithm.lanes = 8;
    Block const eight = decompressor_block(vitis(), kReceive, algorithm, shape);
    algorithm.lanes = 16;
    Block const sixteen = decompressor_block(vitis(), kReceive, algorithm, shape);
    CHECK(eight.bytes_per_second == Approx(300e6 * 2 * 8));
    CHECK(sixteen.bytes_per_second == 2 * eight.bytes_per_second);
    // Own RTL of 32 lanes: 65,972 gates.
    CHECK(typical(sixteen.total(), Resource::gates) - typical(eight.total(), Resource::gates) ==
          Approx(8 * 65972 / 32.0).epsilon(0.001));
}
