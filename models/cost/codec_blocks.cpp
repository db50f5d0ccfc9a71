#include "models/cost/codec_blocks.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace netzip {

namespace {

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
}

/// Bits that tell `values` values apart.
std::uint64_t address_bits(std::uint64_t values) {
    return values <= 1 ? 1 : static_cast<std::uint64_t>(std::bit_width(values - 1));
}

Number exact(double value, Provenance provenance = Provenance::derived) {
    return {Estimate::exact(value), provenance, false};
}

/// 1 - share + share * factor: a part of the logic that is there once, and a part that grows.
Number grown(Number const& share, double factor) {
    auto const scale = [factor](double s) { return 1.0 - s + s * factor; };
    double const a = scale(share.value.low);
    double const b = scale(share.value.high);
    Number result = share.with({std::min(a, b), scale(share.value.typical), std::max(a, b)});
    if (factor == 1.0) result.provenance = Provenance::quoted;
    return result;
}

/// A FIFO or window of `bytes` that is read and written `width` bytes at a time.
MemoryShape byte_memory(Bytes bytes, std::uint64_t width, std::uint64_t copies = 1) {
    return {divide_up(bytes.count(), width), 8 * width, copies};
}

Block lz_compressor(CostTables const& tables, Placement const& placement, std::string const& kind,
                    LzEngineConfig const& lz, EngineShape const& shape) {
    std::uint64_t const width = shape.bytes_per_cycle;
    auto const w = static_cast<double>(width);
    BlockBuilder builder(tables, kind + " engine", placement, shape.engines);
    builder.condition("width", w)
        .condition("clock_mhz", placement.clock_hz * 1e-6)
        .condition("candidates", static_cast<double>(lz.candidates))
        .condition("candidate_bytes", static_cast<double>(lz.candidate_bytes));
    // One comparison per candidate byte and per byte of the input taken in a cycle; the rest grows with the width.
    double const compared =
        static_cast<double>(lz.candidates * lz.candidate_bytes) / tables.typical(kind + ".candidate_bytes", "B");
    builder.logic(kind, grown(builder.number(kind + ".match_share_lut", "ratio"), compared) * w,
                  grown(builder.number(kind + ".match_share_ff", "ratio"), compared) * w);

    std::uint64_t const entry = hash_entry_bits(lz, shape.packet_bytes);
    std::uint64_t const entries = std::uint64_t{1} << lz.hash_bits;
    builder.memory("hash table", {divide_up(entries, width), entry, width}, Provenance::derived);
    builder.access("hash table", Counter::bytes_in, static_cast<double>(2 * entry));

    bool const shared = tables.typical(kind + ".literal_fifo_in_history", "flag") != 0.0;
    builder.memory("history", byte_memory(shared ? std::max(lz.history, lz.literal_fifo) : lz.history, width),
                   Provenance::derived);
    builder.access("history", Counter::bytes_in, 16);
    if (!shared) {
        builder.memory("literal FIFO", byte_memory(lz.literal_fifo, width), Provenance::derived);
        builder.access("literal FIFO", Counter::literals, 16);
    }
    std::uint64_t const sequence = 3 * (address_bits(shape.packet_bytes) + 1);  // literals, match length, offset
    builder.memory("sequence FIFO", {lz.sequence_fifo, sequence, 1}, Provenance::derived);
    return builder.work(Counter::busy_cycles, 1.0).speed(kind, w).block();
}

Block lz_decompressor(CostTables const& tables, Placement const& placement, std::string const& kind,
                      EngineShape const& shape) {
    auto const w = static_cast<double>(shape.bytes_per_cycle);
    BlockBuilder builder(tables, kind + " engine", placement, shape.engines);
    builder.condition("width", w).condition("clock_mhz", placement.clock_hz * 1e-6);
    double const wider = w / tables.typical(kind + ".width", "B/cycle");
    builder.logic(kind, grown(builder.number(kind + ".width_share_lut", "ratio"), wider),
                  grown(builder.number(kind + ".width_share_ff", "ratio"), wider));
    builder.counted_memory("FIFOs", Resource::bram36, builder.number(kind + ".bram36", "BRAM36"));
    auto const copies = static_cast<std::uint64_t>(tables.typical(kind + ".history_copies", "ratio"));
    builder.memory("history", byte_memory(shape.history, shape.bytes_per_cycle, copies), Provenance::derived);
    builder.access("history", Counter::bytes_out, static_cast<double>(8 * copies));  // every byte into every copy
    builder.access("history", Counter::match_bytes, 8);
    return builder.work(Counter::busy_cycles, 1.0).speed(kind, w).block();
}

/// Zstd and Deflate: published kernels, of which a share is one lane per byte per cycle.
Block counted_kernel(CostTables const& tables, Placement const& placement, std::string const& kind, bool compress,
                     EngineShape const& shape) {
    auto const w = static_cast<double>(shape.bytes_per_cycle);
    BlockBuilder builder(tables, kind + " engine", placement, shape.engines);
    builder.condition("width", w).condition("clock_mhz", placement.clock_hz * 1e-6);
    double const wider = w / tables.typical(kind + ".width", "B/cycle");
    Number const scale = grown(builder.number(kind + ".lane_share", "ratio"), wider);
    builder.logic(kind, scale, scale);
    Number const lanes = exact(wider, wider == 1.0 ? Provenance::quoted : Provenance::derived);
    auto const blocks = [&](std::string const& name, std::string const& unit) {
        Number scaled = builder.number(kind + name, unit) * lanes;
        // A RAMB18 is half a BRAM36; a URAM has no half.
        double const grain = unit == "URAM" ? 1.0 : 0.5;
        for (double* value : {&scaled.value.low, &scaled.value.typical, &scaled.value.high}) {
            *value = std::ceil(*value / grain) * grain;
        }
        return scaled;
    };
    Number const bram = blocks(".bram36", "BRAM36");
    Number const uram = blocks(".uram", "URAM");
    builder.counted_memory("block RAM", Resource::bram36, bram).counted_memory("URAM", Resource::uram, uram);
    // Which memory a byte touches is not published: a word of every block per active cycle is the upper bound.
    Counter const counter = compress ? Counter::bytes_in : Counter::bytes_out;
    constexpr double kBitsPerBlock = 36.0;  ///< assumption: one 36-bit port of each block is active
    if (bram.value.typical > 0.0) builder.access("block RAM", counter, bram.value.typical * kBitsPerBlock / w);
    if (uram.value.typical > 0.0) builder.access("URAM", counter, uram.value.typical * 2 * kBitsPerBlock / w);
    return builder.work(Counter::busy_cycles, 1.0).speed(kind, w).block();
}

/// Exponent codecs at `bytes_per_cycle`; an anchor or window that is found in the packet needs a histogram.
Block exponent_compressor(CostTables const& tables, Placement const& placement, AlgorithmConfig const& algorithm,
                          EngineShape const& shape) {
    bool const window = algorithm.codec == CodecKind::exponent_window;
    bool const huffman = algorithm.codec == CodecKind::exponent_huffman;
    std::string const kind = window ? "exponent_window_compress" : "exponent_prefix_compress";
    auto const w = static_cast<double>(shape.bytes_per_cycle);
    BlockBuilder builder(tables, enum_name(algorithm.codec) + " encoder", placement, shape.engines);
    builder.condition("clock_mhz", placement.clock_hz * 1e-6).condition("lanes", static_cast<double>(algorithm.lanes));
    builder.logic_at_width(kind, shape.bytes_per_cycle);
    bool const counts = huffman || (window && algorithm.window_base == WindowBase::best_of_packet);
    if (counts) builder.logic_at_width("exponent_histogram", shape.bytes_per_cycle);
    if (window && algorithm.window_base == WindowBase::sigma) {
        builder.logic_at_width("float_delta", shape.bytes_per_cycle);
        builder.remark("sigma: the sum of squares is counted as one floating-point subtractor per lane");
    }
    if (algorithm.codec == CodecKind::exponent_prefix) {
        builder.logic_at_width("exponent_scale", shape.bytes_per_cycle);
        constexpr std::uint64_t kScaleBits = 9;
        constexpr std::uint64_t kValueBytes = 2;
        std::uint64_t const blocks = divide_up(shape.packet_bytes, kValueBytes * algorithm.anchor_values);
        builder.memory("scales", {2 * blocks, kScaleBits, 1}, Provenance::derived);
    }
    // A packet waits until its block's size is known: it may have to leave as it came.
    builder.memory("waiting packets", byte_memory(Bytes{shape.slots * shape.packet_bytes}, shape.bytes_per_cycle),
                   Provenance::derived);
    builder.access("waiting packets", Counter::bytes_in, 16);
    if (!window) {
        // Each sub-stream of codes has its own length and its own output buffer of a packet's share.
        builder.memory("lane buffers", {divide_up(shape.packet_bytes, 4 * algorithm.lanes), 32, algorithm.lanes},
                       Provenance::derived);
        builder.access("lane buffers", Counter::bytes_in, 8);
    }
    if (huffman) {
        builder.logic("huffman_table_builder", 1.0);
        // Per layer: 256 counters of this iteration and 256 code lengths of the previous one.
        constexpr std::uint64_t kSymbols = 256;
        constexpr std::uint64_t kCounterBits = 16;
        constexpr std::uint64_t kLengthBits = 4;
        builder.memory("tables per layer", {shape.layers * kSymbols, kCounterBits + kLengthBits, 1},
                       Provenance::assumed);
        double const bits = static_cast<double>(2 * kSymbols * (kCounterBits + kLengthBits));
        builder.access("tables per layer", Counter::bytes_in, bits / static_cast<double>(shape.packet_bytes));
    }
    return builder.work(Counter::busy_cycles, 1.0).speed(kind, w).block();
}

Block exponent_decompressor(CostTables const& tables, Placement const& placement, AlgorithmConfig const& algorithm,
                            EngineShape const& shape) {
    bool const window = algorithm.codec == CodecKind::exponent_window;
    std::string const kind = window ? "exponent_window_decompress" : "exponent_prefix_decompress";
    auto const w = static_cast<double>(shape.bytes_per_cycle);
    BlockBuilder builder(tables, enum_name(algorithm.codec) + " decoder", placement, shape.engines);
    builder.condition("clock_mhz", placement.clock_hz * 1e-6).condition("lanes", static_cast<double>(algorithm.lanes));
    // Codes and escapes, or lanes, come last in a block: it is whole before its first value is known.
    builder.memory("waiting blocks", byte_memory(Bytes{shape.slots * shape.packet_bytes}, shape.bytes_per_cycle),
                   Provenance::derived);
    builder.access("waiting blocks", Counter::bytes_in, 16);
    if (window) {
        builder.logic_at_width(kind, shape.bytes_per_cycle);
    } else {
        builder.logic(kind, static_cast<double>(algorithm.lanes));  // a serial decoder per sub-stream
        std::uint64_t const words = divide_up(shape.packet_bytes, 4 * algorithm.lanes) * shape.lane_memories;
        builder.memory("lane buffers", {words, 32, algorithm.lanes}, Provenance::derived);
        builder.access("lane buffers", Counter::bytes_in, 16);
    }
    if (algorithm.codec == CodecKind::exponent_huffman) {
        builder.memory("tables per layer", {shape.layers * 256, 4, 1}, Provenance::assumed);
        builder.access("tables per layer", Counter::bytes_out, 1024.0 / static_cast<double>(shape.packet_bytes));
    }
    builder.work(Counter::busy_cycles, 1.0);
    return window ? builder.speed(kind, w).block() : builder.speed(kind, static_cast<double>(algorithm.lanes)).block();
}

}  // namespace

std::uint64_t hash_entry_bits(LzEngineConfig const& lz, std::uint64_t packet_bytes) {
    return lz.candidates * (8 * lz.candidate_bytes + address_bits(packet_bytes) + lz.epoch_bits);
}

Block compressor_block(CostTables const& tables, Placement const& placement, AlgorithmConfig const& algorithm,
                       EngineShape const& shape) {
    switch (algorithm.codec) {
        case CodecKind::lz4:
        case CodecKind::lz4_hw:
            return lz_compressor(tables, placement, "lz4_compress", algorithm.lz, shape);
        case CodecKind::snappy:
            return lz_compressor(tables, placement, "snappy_compress", algorithm.lz, shape);
        case CodecKind::zstd:
            return counted_kernel(tables, placement, "zstd_compress", true, shape);
        case CodecKind::deflate:
            return counted_kernel(tables, placement, "deflate_compress", true, shape);
        case CodecKind::exponent_window:
        case CodecKind::exponent_prefix:
        case CodecKind::exponent_huffman:
            return exponent_compressor(tables, placement, algorithm, shape);
        case CodecKind::none:
            break;
    }
    return BlockBuilder(tables, "no compressor", placement).block();
}

Block decompressor_block(CostTables const& tables, Placement const& placement, AlgorithmConfig const& algorithm,
                         EngineShape const& shape) {
    switch (algorithm.codec) {
        case CodecKind::lz4:
        case CodecKind::lz4_hw:
            return lz_decompressor(tables, placement, "lz4_decompress", shape);
        case CodecKind::snappy:
            return lz_decompressor(tables, placement, "snappy_decompress", shape);
        case CodecKind::zstd:
            return counted_kernel(tables, placement, "zstd_decompress", false, shape);
        case CodecKind::deflate:
            return counted_kernel(tables, placement, "deflate_decompress", false, shape);
        case CodecKind::exponent_window:
        case CodecKind::exponent_prefix:
        case CodecKind::exponent_huffman:
            return exponent_decompressor(tables, placement, algorithm, shape);
        case CodecKind::none:
            break;
    }
    return BlockBuilder(tables, "no decompressor", placement).block();
}

Block feeder_block(CostTables const& tables, Placement const& placement, FeederShape const& shape) {
    BlockBuilder builder(tables, "engine feeders", placement, shape.engines);
    builder.condition("width", static_cast<double>(shape.stream_width));
    auto const width = static_cast<double>(shape.stream_width);
    if (shape.stream_width != shape.engine_width) {
        builder.logic("downsizer", width / tables.typical("downsizer.width", "B/cycle"));
        builder.logic("upsizer", width / tables.typical("upsizer.width", "B/cycle"));
    }
    // Filled at the width of the stream, so it is a memory of that width, whatever the engine takes per cycle.
    if (shape.input_packets > 0) {
        builder.packet_memory("input packets", shape.input_packets, shape.packet_bytes, shape.stream_width);
        builder.access("input packets", Counter::bytes_in, 16);
    }
    // One wide word in and one out for every `stream_width` bytes.
    return builder.work(Counter::bytes_in, 2.0 / width).block();
}

}  // namespace netzip
