#include "models/codec/lz_sequences.h"

#include <algorithm>

namespace netzip {
namespace {

/// Offsets below this make a decoder that copies 16 bytes per cycle slow down.
constexpr std::size_t kShortOffset = 16;
constexpr std::size_t kLz4MinimumMatch = 4;
/// A nibble of an LZ4 token with this value is continued in further bytes.
constexpr std::size_t kLz4NibbleFull = 15;

/// A cursor over untrusted bytes.
struct Reader {
    ByteSpan in;
    std::size_t at = 0;

    bool done() const { return at == in.size(); }
    bool has(std::size_t n) const { return in.size() - at >= n; }
    std::size_t little_endian(std::size_t bytes) {
        std::size_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i) value |= std::size_t{in[at++]} << (8 * i);
        return value;
    }
};

bool read_lz4_length(Reader& r, std::size_t& length) {
    if (length != kLz4NibbleFull) return true;
    std::uint8_t more = 255;
    while (more == 255) {
        if (r.done()) return false;
        more = r.in[r.at++];
        length += more;
    }
    return true;
}

}  // namespace

void add_sequence(BlockWork& work, std::size_t literals, std::size_t match_length, std::size_t offset) {
    work.literals += static_cast<std::uint32_t>(literals);
    if (match_length != 0) {
        ++work.matches;
        work.match_bytes += static_cast<std::uint32_t>(match_length);
        if (offset < kShortOffset) work.short_offset_bytes += static_cast<std::uint32_t>(match_length);
    }
    work.sequences.push_back({static_cast<std::uint16_t>(literals), static_cast<std::uint16_t>(match_length),
                              static_cast<std::uint16_t>(offset)});
}

bool read_lz4_sequences(ByteSpan block, std::size_t original, BlockWork& work) {
    Reader r{block};
    std::size_t produced = 0;
    while (!r.done()) {
        std::uint8_t const token = block[r.at++];
        std::size_t literals = token >> 4;
        if (!read_lz4_length(r, literals) || !r.has(literals)) return false;
        r.at += literals;
        produced += literals;
        if (r.done()) {
            add_sequence(work, literals, 0, 0);
            return produced == original;
        }
        if (!r.has(2)) return false;
        std::size_t const offset = r.little_endian(2);
        std::size_t length = token & kLz4NibbleFull;
        if (!read_lz4_length(r, length)) return false;
        length += kLz4MinimumMatch;
        if (offset == 0 || offset > produced || length > original - std::min(original, produced)) return false;
        produced += length;
        add_sequence(work, literals, length, offset);
    }
    return false;
}

bool read_snappy_sequences(ByteSpan block, BlockWork& work) {
    Reader r{block};
    while (!r.done() && block[r.at++] >= 128) {
    }
    std::size_t literals = 0;
    while (!r.done()) {
        std::uint8_t const tag = block[r.at++];
        std::size_t const kind = tag & 3;
        if (kind == 0) {
            std::size_t length = tag >> 2;
            if (length >= 60) {
                std::size_t const extra = length - 59;
                if (!r.has(extra)) return false;
                length = r.little_endian(extra);
            }
            ++length;
            if (!r.has(length)) return false;
            r.at += length;
            literals += length;
            continue;
        }
        std::size_t const offset_bytes = kind == 3 ? 4 : kind;
        if (!r.has(offset_bytes)) return false;
        std::size_t offset = r.little_endian(offset_bytes);
        if (kind == 1) offset |= std::size_t{static_cast<std::size_t>(tag) >> 5} << 8;
        add_sequence(work, literals, kind == 1 ? 4 + ((tag >> 2) & 7) : std::size_t{1} + (tag >> 2), offset);
        literals = 0;
    }
    add_sequence(work, literals, 0, 0);
    return true;
}

}  // namespace netzip
