#pragma once

#include "base/config/range.h"

namespace netzip {

/// Compression engines of the exponent codecs (models/timing/exponent_encoder.h).
struct ExponentEncoderConfig {
    std::uint64_t bytes_per_cycle = 64;
    std::uint64_t bytes_per_lane = 2;
    std::uint64_t slots = 2;
    Cycles scan{6};
    Cycles code{6};
    Cycles gap{2};
    Cycles pack{4};

    template <class V>
    void fields(V& v) {
        v("bytes_per_cycle", bytes_per_cycle, between(1, 4096), "Width of an engine's input and output.",
          "own RTL: 64; assumption: other widths are built likewise");
        v("bytes_per_lane", bytes_per_lane, between(1, 64),
          "Tensor bytes that a lane codes per cycle; codes of variable length only, fixed windows keep the width.",
          "own RTL: one bf16 value per lane and cycle");
        v("slots", slots, between(1, 64), "Packets in an engine, from their first byte in to their last byte out.",
          "own RTL: 2 for the prefix code, 4 for the window");
        v("scan", scan, any(), "From the last byte of a block of values, or of the packet, to its first code.",
          "own RTL: prefix code 6, sums 2 and divider 4; window 1, the maximum runs along");
        v("code", code, any(), "From the cycle that ends the coder's pass to the first part of the block.",
          "own RTL: prefix code 6, window 5");
        v("gap", gap, any(), "Cycles without a part between two blocks.", "own RTL: prefix code 2, window 1");
        v("pack", pack, any(), "From a part's bytes to a beat of the output.", "own RTL: memory 1, packer 3");
    }
};

/// Decompression engines of the exponent codecs (models/timing/exponent_decoder.h).
struct ExponentDecoderConfig {
    std::uint64_t bytes_per_cycle = 64;
    std::uint64_t bytes_per_lane = 2;
    std::uint64_t slots = 4;
    std::uint64_t lane_memories = 2;
    std::uint64_t load_width = 32;
    Cycles header{2};
    Cycles turn{3};
    Cycles latency{5};

    template <class V>
    void fields(V& v) {
        v("bytes_per_cycle", bytes_per_cycle, between(1, 4096), "Width of an engine's input and output.",
          "own RTL: 64; assumption: other widths are built likewise");
        v("bytes_per_lane", bytes_per_lane, between(1, 64),
          "Tensor bytes that a lane restores per cycle; codes of variable length only, fixed windows keep the width.",
          "own RTL: one bf16 value per lane and cycle");
        v("slots", slots, between(1, 64), "Blocks in an engine, from their first byte in until they have been read.",
          "own RTL: 4");
        v("lane_memories", lane_memories, between(1, 64), "Blocks whose lanes are loaded or being loaded.",
          "own RTL: 2, one is filled while the other is read");
        v("load_width", load_width, between(1, 4096),
          "Bytes of a lane that are loaded per cycle, of as many lanes at a time as this has words of 8 bytes.",
          "own RTL: 32, so four lanes");
        v("header", header, any(), "From a whole block to its header's fields; codes in lanes only.", "own RTL: 2");
        v("turn", turn, any(), "From the last read of the lanes to their first code.", "own RTL: 3");
        v("latency", latency, any(), "From a row's codes to its values at the output.",
          "own RTL: prefix code 5, window 6");
    }
};

}  // namespace netzip
