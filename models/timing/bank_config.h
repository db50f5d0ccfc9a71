#pragma once

#include <array>
#include <utility>

#include "base/config/range.h"
#include "models/timing/exponent_config.h"

namespace netzip {

/// How a bank shares its engines.
enum class Arrangement {
    packet,  ///< a whole packet per engine
    group,   ///< block k of the packet, a bit plane or byte group, to engine k mod engines, all arriving together
    slice,   ///< every block cut into equal slices, one per engine, arriving one after another
};

/// In which order results leave a bank.
enum class ResultOrder { queue_pair, global };

template <>
struct EnumNames<Arrangement> {
    static constexpr std::array values{std::pair{Arrangement::packet, "packet"}, std::pair{Arrangement::group, "group"},
                                       std::pair{Arrangement::slice, "slice"}};
};
template <>
struct EnumNames<ResultOrder> {
    static constexpr std::array values{std::pair{ResultOrder::queue_pair, "queue_pair"},
                                       std::pair{ResultOrder::global, "global"}};
};

/// Engines with an entropy coder behind the match finder.
struct EntropyEngineConfig {
    std::uint64_t encode_bytes_per_cycle = 1;
    Cycles zstd_table_build{237};
    Cycles deflate_table_build{63};

    template <class V>
    void fields(V& v) {
        v("encode_bytes_per_cycle", encode_bytes_per_cycle, between(1, 64),
          "Input bytes that the second pass, which writes the codes, covers per cycle.",
          "Vitis data compression library: 1 byte per cycle and engine");
        v("zstd_table_build", zstd_table_build, any(), "From the last byte of a block to its first Zstd code.",
          "Project Zipline: Huffman tree 33 + 27 + 17; assumption: FSE tables of 64 + 32 + 64 entries, one per cycle");
        v("deflate_table_build", deflate_table_build, any(), "From the last byte of a block to its first Deflate code.",
          "Project Zipline: Huffman tree for Deflate 19 + 27 + 17");
    }
};

/// The bank of compression engines.
struct CompressorConfig {
    std::uint64_t engines = 22;
    std::uint64_t bytes_per_cycle = 1;
    Arrangement arrangement = Arrangement::packet;
    ResultOrder order = ResultOrder::queue_pair;
    std::uint64_t input_width = 64;
    std::uint64_t engine_slots = 2;
    std::uint64_t in_flight = 64;
    Frequency clock{0};
    Cycles crossing{3};
    Cycles distribute{8};
    Cycles window_fill{69};
    Cycles matcher{14};
    Cycles match_filter{8};
    Cycles booster{5};
    Cycles sequence_split{3};
    Cycles formatter{4};
    Cycles packer{8};
    Cycles block_gap{69};
    std::uint64_t lookahead = 0;
    std::uint64_t clear_per_cycle = 1;
    EntropyEngineConfig entropy;
    ExponentEncoderConfig exponent;

    template <class V>
    void fields(V& v) {
        v("engines", engines, between(1, 1024), "Engines of the bank.",
          "50 Gb/s at 1 byte per cycle and 300 MHz, 4 KiB blocks with a gap of 69 cycles: 22, not 21");
        v("bytes_per_cycle", bytes_per_cycle, between(1, 64), "Bytes that one engine takes and sends per cycle.",
          "Vitis data compression library: LZ4 streaming kernel, 290 MB/s at 300 MHz");
        v("arrangement", arrangement, any(), "How packets are shared among the engines.", "assumption");
        v("order", order, any(), "Order in which compressed packets leave.",
          "reliable connections keep the order within a queue pair");
        v("input_width", input_width, between(1, 4096), "Bytes per cycle into the bank.",
          "Corundum: 512-bit data path");
        v("engine_slots", engine_slots, between(1, 64),
          "Packets an engine holds at its input, the one it takes included.", "assumption: double buffer");
        v("in_flight", in_flight, between(1, 4096), "Packets between the input of the bank and the merge.",
          "assumption: 256 KiB of result buffer");
        v("clock", clock, any(), "Clock of the engines; 0 Hz is the clock of the NIC.", "assumption");
        v("crossing", crossing, any(), "Synchroniser cycles, paid when the clock before the bank is another one.",
          "assumption: two-flop synchroniser of gray pointers and a FIFO read");
        v("distribute", distribute, any(), "Wide beats to the bytes of an engine.", "assumption");
        v("window_fill", window_fill, any(), "Fill of the match window and its delay line.",
          "Vitis data compression library, lz_compress.hpp: 5 + LEFT_BYTES 64");
        v("matcher", matcher, any(), "Hash 2, table read 4, compare 5, select 3.", "assumption");
        v("match_filter", match_filter, any(), "Best-match filter: 6 of look-ahead and 2.",
          "Vitis data compression library, lz_optional.hpp");
        v("booster", booster, any(), "Match extension: memory 2, extend 3.", "assumption");
        v("sequence_split", sequence_split, any(), "Literals apart from sequences.", "assumption");
        v("formatter", formatter, any(), "Bytes of the block format.", "assumption");
        v("packer", packer, any(), "Bytes to a wide beat.", "Vitis data compression library: 1 to 8 byte upsizer");
        v("block_gap", block_gap, any(), "Between the last byte of a block and the first of the next one in an engine.",
          "Vitis data compression library, lz_compress.hpp: the window is filled anew for every block; own RTL: 0");
        v("lookahead", lookahead, between(0, 64),
          "Bytes after a match that must be in before its end is known, beyond what window_fill waits for.",
          "own RTL: 2, with matcher 2 and nothing else; here part of window_fill");
        v("clear_per_cycle", clear_per_cycle, between(1, 4096), "Table entries cleared per cycle.",
          "own RTL: 1; older Vitis kernels: 2");
        v.section("entropy", entropy, "Zstd and Deflate engines.");
        v.section("exponent", exponent, "Engines of the exponent codecs.");
    }
};

/// The bank of decompression engines.
struct DecompressorConfig {
    std::uint64_t engines = 4;
    std::uint64_t bytes_per_cycle = 8;
    bool coupled = false;
    std::uint64_t short_offset = 16;
    std::uint64_t short_offset_bytes_per_cycle = 1;
    Bytes history{65536};
    Arrangement arrangement = Arrangement::packet;
    ResultOrder order = ResultOrder::queue_pair;
    std::uint64_t engine_slots = 2;
    std::uint64_t in_flight = 64;
    Frequency clock{0};
    Cycles crossing{3};
    Cycles align{4};
    Cycles latency{30};
    std::uint64_t zstd_bytes_per_100_cycles = 275;
    Cycles zstd_table_build{184};
    std::uint64_t deflate_bytes_per_100_cycles = 183;
    Cycles deflate_table_build{63};
    ExponentDecoderConfig exponent;

    template <class V>
    void fields(V& v) {
        v("engines", engines, between(1, 1024), "Engines of the bank.",
          "Vitis data compression library: 1.8 GB/s each, four carry 57.6 Gb/s");
        v("bytes_per_cycle", bytes_per_cycle, between(1, 64), "Bytes an LZ engine parses and copies per cycle.",
          "Vitis data compression library: 64-bit LZ4 decompressor");
        v("coupled", coupled, any(),
          "LZ4: parser and copier without a FIFO between them, every offset at full width; short_offset is not used.",
          "own RTL, its latency is 2; the Vitis decompressor has FIFOs");
        v("short_offset", short_offset, between(0, 65536), "Match offsets below this are copied slowly.",
          "Vitis data compression library, lz_decompress.hpp: offset < 2 * PARALLEL_BYTES");
        v("short_offset_bytes_per_cycle", short_offset_bytes_per_cycle, between(1, 64),
          "Bytes per cycle of a match with a short offset.", "Vitis data compression library, lz_decompress.hpp");
        v("history", history, between(Bytes{64}, Bytes{65536}),
          "How far back a match may reach: memory of an LZ engine, without effect on time.",
          "Vitis data compression library, lz_decompress.hpp: 64 KB; packets of 4 KiB need 4 KiB");
        v("arrangement", arrangement, any(), "How packets are shared among the engines.", "assumption");
        v("order", order, any(), "Order in which restored packets leave.",
          "reliable connections keep the order within a queue pair");
        v("engine_slots", engine_slots, between(1, 64),
          "Packets an engine holds at its input, the one it takes included.", "assumption: double buffer");
        v("in_flight", in_flight, between(1, 4096), "Packets between the input of the bank and its output.",
          "assumption: 256 KiB of result buffer");
        v("clock", clock, any(), "Clock of the engines; 0 Hz is the clock of the NIC.", "assumption");
        v("crossing", crossing, any(), "Synchroniser cycles, paid when the clock before the bank is another one.",
          "assumption: two-flop synchroniser of gray pointers and a FIFO read");
        v("align", align, any(), "Wide beats to the bytes of an engine.", "assumption");
        v("latency", latency, any(), "First byte in to first byte out of an engine, tables excluded.",
          "CAST LZ4SNP-D data sheet: about 30 cycles");
        v("zstd_bytes_per_100_cycles", zstd_bytes_per_100_cycles, between(1, 6400), "Restored bytes of a Zstd engine.",
          "Vitis data compression library: 658.86 MB/s at 240 MHz");
        v("zstd_table_build", zstd_table_build, any(), "Code tables of a Zstd block before its first byte.",
          "calibrated: NetZIP paper (MICRO 2025), LZ4 first byte after 0.14 of Zstd's time; 30 / 0.14 - 30");
        v("deflate_bytes_per_100_cycles", deflate_bytes_per_100_cycles, between(1, 6400),
          "Restored bytes of a Deflate engine.", "Vitis data compression library: 518 MB/s at 283 MHz");
        v("deflate_table_build", deflate_table_build, any(), "Code tables of a Deflate block before its first byte.",
          "Project Zipline: Huffman tree for Deflate 19 + 27 + 17");
        v.section("exponent", exponent, "Engines of the exponent codecs.");
    }
};

}  // namespace netzip
