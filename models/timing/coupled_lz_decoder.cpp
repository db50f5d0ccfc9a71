#include "models/timing/coupled_lz_decoder.h"

#include <algorithm>

#include "base/error.h"
#include "base/units.h"

namespace netzip {
namespace {

// The end of a block and the load of the next one's first word.
constexpr std::uint64_t kBlockEnd = 2;

std::uint64_t chunks(std::uint64_t bytes, std::uint64_t width) {
    return beats(bytes, width).count();
}

// LZ4 block format: a length of 15 and more goes on in bytes of up to 255.
std::uint64_t extension_bytes(std::uint64_t length) {
    return length < 15 ? 0 : (length - 15) / 255 + 1;
}

}  // namespace

CoupledLzDecoder::Walk CoupledLzDecoder::walk(BlockWork const& work) const {
    std::uint64_t const width = timing_.bytes_per_cycle;
    Walk walk;
    std::uint64_t parsed = 1;
    std::uint64_t copied = 1;
    std::uint64_t produced = 0;
    bool begun = false;
    // A chunk never fills less than the rest of the first word, except where its run ends.
    auto const issue = [&](std::uint64_t from, std::uint64_t bytes) {
        walk.last = from + chunks(bytes, width) - 1;
        if (!begun && produced + bytes >= width) {
            walk.first = from + chunks(width - produced, width) - 1;
            begun = true;
        }
        std::uint64_t const last_chunk = (bytes - 1) % width + 1;
        walk.spills = (produced + bytes - last_chunk) % width + last_chunk > width;
        produced += bytes;
        copied = walk.last + 1;
    };
    for (LzSequence const& s : work.sequences) {
        parsed += 1 + extension_bytes(s.literals);
        if (s.literals > 0) {
            issue(std::max(parsed, copied), s.literals);
            parsed = copied;
        }
        if (s.match_length == 0) break;
        parsed =
            std::max(parsed + 1 + extension_bytes(s.match_length - std::min<std::uint64_t>(s.match_length, 4)), copied);
        issue(parsed, s.match_length);
    }
    if (!begun) walk.first = walk.last;
    return walk;
}

EngineStamps CoupledLzDecoder::admit(std::uint64_t head, std::uint64_t tail, BlockWork const& work) {
    std::uint64_t const start = std::max(head, free_);
    if (work.stored_raw) {
        std::uint64_t const raw = std::max(start + chunks(work.bytes_in, timing_.bytes_per_cycle), tail);
        free_ = raw;
        return {start, raw, start + timing_.latency, raw + timing_.latency};
    }
    if (work.sequences.empty()) throw RunError("an LZ decompressor needs the sequences of the block");
    Walk const w = walk(work);
    std::uint64_t const taken = std::max(start + w.last + kBlockEnd, tail);
    free_ = taken;
    return {start, taken, start + w.first + timing_.latency,
            taken - kBlockEnd + timing_.latency + 1 + (w.spills ? 1 : 0)};
}

double CoupledLzDecoder::interval(BlockWork const& work) const {
    if (work.stored_raw) return static_cast<double>(chunks(work.bytes_in, timing_.bytes_per_cycle));
    return static_cast<double>(walk(work).last + kBlockEnd);
}

}  // namespace netzip
