#include "models/timing/exponent_encoder.h"

#include <algorithm>

#include "base/units.h"
#include "models/timing/exponent_emission.h"

namespace netzip {
namespace {

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    return beats(a, b).count();
}

constexpr std::uint64_t kPacketEnd = 1;  ///< cycles of the coder that end a packet

}  // namespace

ExponentEncoder::ExponentEncoder(Timing const& timing) : timing_(timing), released_(timing.slots, 0) {}

/// The cycle in which the coder ends the packet. Blocks are in evenly from `start` to `taken`, so that the first or the
/// last one holds the coder up most.
std::uint64_t ExponentEncoder::coder_end(std::uint64_t start, std::uint64_t taken, std::uint64_t bytes) const {
    if (bytes == 0) return std::max(taken + timing_.scan, coder_free_);
    std::uint64_t const block = timing_.scan_block == 0 ? bytes : std::min(timing_.scan_block, bytes);
    std::uint64_t const rows = ceil_div(bytes, timing_.coder_width);
    std::uint64_t const beats_in = ceil_div(bytes, timing_.width);
    std::uint64_t const first_in = start + ceil_div((taken - start) * ceil_div(block, timing_.width), beats_in);
    std::uint64_t const last = (bytes - 1) / block * block;  // where the last block begins
    std::uint64_t const after_first = std::max(first_in + timing_.scan, coder_free_) + rows;
    return std::max(after_first, taken + timing_.scan + rows - last / timing_.coder_width);
}

std::uint64_t ExponentEncoder::coder_cycles(BlockWork const& work) const {
    return ceil_div(work.bytes_in, timing_.coder_width) + kPacketEnd;
}

EngineStamps ExponentEncoder::admit(std::uint64_t head, std::uint64_t tail, BlockWork const& work) {
    std::uint64_t const start = std::max({head, taken_, released_[at_]});
    taken_ = std::max(start + ceil_div(work.bytes_in, timing_.width), tail);
    std::uint64_t const coded = coder_end(start, taken_, work.bytes_in);
    coder_free_ = coded + kPacketEnd;
    std::uint64_t const begin = std::max(coded + timing_.code, emitter_free_);
    ExponentEmission const emission = exponent_emission(work, timing_.width, timing_.lanes);
    released_[at_] = begin + emission.last + 1;
    emitter_free_ = released_[at_] + timing_.gap;
    coded_ += coder_cycles(work);
    emitted_ += emission.last + 1 + timing_.gap;
    at_ = at_ + 1 == released_.size() ? 0 : at_ + 1;
    std::uint64_t const last_beat = begin + emission.last + timing_.pack + (emission.overflow ? 1 : 0);
    return {start, taken_, begin + emission.first_beat + timing_.pack, last_beat + 1};
}

double ExponentEncoder::interval(BlockWork const& work) const {
    ExponentEncoder lone(timing_);
    std::uint64_t const emission = exponent_emission(work, timing_.width, timing_.lanes).last + 1;
    EngineStamps const stamps = lone.admit(0, 0, work);
    std::uint64_t const held = stamps.taken == 0 ? 0 : lone.released_[0];
    auto const busiest = static_cast<double>(std::max({stamps.taken, coder_cycles(work), emission + timing_.gap}));
    return std::max(busiest, static_cast<double>(held) / static_cast<double>(timing_.slots));
}

}  // namespace netzip
