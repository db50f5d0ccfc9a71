#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace netzip {

/// One LZ sequence: a run of literals, then a match. The last one of a block has match_length 0.
struct LzSequence {
    std::uint16_t literals = 0;
    std::uint16_t match_length = 0;
    std::uint16_t offset = 0;
};

/// What one codec call did; the timing and energy models read nothing else.
struct BlockWork {
    std::uint32_t bytes_in = 0;
    std::uint32_t bytes_out = 0;           ///< of this block in the payload, its own length and mask bytes excluded
    std::uint32_t literals = 0;            ///< bytes
    std::uint32_t matches = 0;             ///< sequences with a match
    std::uint32_t match_bytes = 0;         ///< bytes produced by matches
    std::uint32_t short_offset_bytes = 0;  ///< match bytes with an offset below 16
    std::uint32_t escapes = 0;             ///< values coded verbatim by the exponent codecs
    bool stored_raw = false;               ///< the block travels as it came
    std::vector<LzSequence> sequences;     ///< LZ codecs only, in order
    /// Exponent codecs only, none when stored raw: bytes of the parts of the block as they follow each other
    /// (docs/formats.md). Header with tables; lengths of the lanes; a zero map per block of values when any is sparse
    /// (0: this one is not); rests; the codes, or the lanes one by one; escapes of a window; tail.
    std::vector<std::uint32_t> parts;

    /// Back to zero; the memory of the lists is kept for the next packet.
    void reset() {
        std::vector<LzSequence> kept_sequences = std::move(sequences);
        std::vector<std::uint32_t> kept_parts = std::move(parts);
        kept_sequences.clear();
        kept_parts.clear();
        *this = BlockWork{};
        sequences = std::move(kept_sequences);
        parts = std::move(kept_parts);
    }
};

/// What the codec did to one packet: one block, or one per group.
struct CodecWork {
    std::vector<BlockWork> blocks;
    void clear() { blocks.clear(); }
};

}  // namespace netzip
