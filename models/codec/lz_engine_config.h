#pragma once

#include <cstdint>

#include "base/config/range.h"

namespace netzip {

/// The match finder of an LZ engine as hardware builds it: what it finds, what it costs and how fast it is.
///
/// The `lz4_hw` codec finds exactly these matches; the timing and area of every LZ engine read the same values.
struct LzEngineConfig {
    std::uint64_t hash_bits = 12;
    std::uint64_t candidates = 6;
    std::uint64_t candidate_bytes = 6;
    Bytes history{16 * 1024};
    Bytes literal_fifo{4096};
    std::uint64_t sequence_fifo = 256;
    std::uint64_t epoch_bits = 12;
    bool flush_per_block = false;
    Bytes tail_literals{64};
    Bytes minimum_distance{2};

    template <class V>
    void fields(V& v) {
        v("hash_bits", hash_bits, between(4, 16), "Hash table entries are 2^hash_bits.",
          "Vitis data compression library, lz_compress.hpp: 4096 entries");
        v("candidates", candidates, between(1, 16), "Positions kept and compared per hash entry.",
          "Vitis data compression library, lz_compress.hpp: MATCH_LEVEL 6");
        v("candidate_bytes", candidate_bytes, between(4, 16), "Bytes of data kept beside each candidate position.",
          "Vitis data compression library, lz_compress.hpp: MATCH_LEN 6");
        v("history", history, between(Bytes{64}, Bytes{65536}), "Window that a match may reach back into.",
          "Vitis data compression library, lz_optional.hpp: 16 KB booster");
        v("literal_fifo", literal_fifo, between(Bytes{16}, Bytes{65536}), "Literals held while their token waits.",
          "Vitis data compression library, lz4_compress.hpp: MAX_LIT_COUNT 4096");
        v("sequence_fifo", sequence_fifo, between(1, 65536),
          "Sequences held between matcher and emitter; the matcher stalls when it is full.",
          "own RTL: 16 entries cost 60 % of the throughput on bit planes, 256 none");
        v("epoch_bits", epoch_bits, between(1, 32),
          "Bits of the block tag in a table entry, beside the position; the table is cleared each time the tag wraps.",
          "Vitis data compression library, lz_compress.hpp: 24-bit index, 12 of them the position in 4 KiB");
        v("flush_per_block", flush_per_block, any(), "Clear the hash table before every block instead of tagging.",
          "Vitis data compression library: older kernels flush, 2022 and later do not");
        v("tail_literals", tail_literals, between(Bytes{5}, Bytes{4096}), "Last bytes of a block that never match.",
          "Vitis data compression library, lz_compress.hpp: LEFT_BYTES 64; the LZ4 block format asks for 5");
        v("minimum_distance", minimum_distance, between(Bytes{1}, Bytes{64}), "Smallest match offset.",
          "Vitis data compression library, lz_compress.hpp: MIN_OFFSET");
    }
};

}  // namespace netzip
