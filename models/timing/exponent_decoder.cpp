#include "models/timing/exponent_decoder.h"

#include <span>
#include <string>

#include "base/error.h"
#include "base/units.h"

namespace netzip {
namespace {

constexpr std::uint64_t kWord = 8;  ///< bytes of a lane that it is given per cycle

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    return beats(a, b).count();
}

std::size_t next_of(std::size_t at, std::size_t size) {
    return at + 1 == size ? 0 : at + 1;
}

}  // namespace

ExponentDecoder::ExponentDecoder(Timing const& timing)
    : timing_(timing), slot_free_(timing.slots, 0), memory_free_(timing.loads, 0) {}

std::uint64_t ExponentDecoder::load_cycles(BlockWork const& work) const {
    if (timing_.lanes == 0) return 0;
    if (work.stored_raw) return timing_.header;
    // Header, lengths, zero maps if any, and rests before the lanes, the tail behind them.
    std::size_t const fixed = timing_.lanes + 4;
    if (work.parts.size() < fixed)
        throw RunError("an exponent decoder needs the parts of the block, got " + std::to_string(work.parts.size()));
    std::size_t const maps = work.parts.size() - fixed;
    std::uint64_t cycles = timing_.header + timing_.sums + (maps > 0 ? maps + timing_.count : 0);
    std::span<std::uint32_t const> lanes = std::span(work.parts).last(timing_.lanes + 1).first(timing_.lanes);
    std::uint64_t const group = std::max<std::uint64_t>(timing_.load_width / kWord, 1);
    while (!lanes.empty()) {
        auto const members = lanes.first(std::min<std::size_t>(group, lanes.size()));
        lanes = lanes.subspan(members.size());
        std::uint64_t const longest = *std::max_element(members.begin(), members.end());
        cycles += std::max<std::uint64_t>(ceil_div(longest, timing_.load_width), 1) * group;
    }
    return cycles;
}

EngineStamps ExponentDecoder::admit(std::uint64_t head, std::uint64_t tail, BlockWork const& work) {
    std::uint64_t const start = std::max({head, taken_, slot_free_[slot_]});
    taken_ = std::max(start + ceil_div(work.bytes_out, timing_.width), tail);
    std::uint64_t ready = taken_;
    if (timing_.lanes > 0) {
        std::uint64_t const cycles = load_cycles(work);
        last_.load_begin = std::max({taken_, last_.load_end, memory_free_[memory_]});
        last_.load_end = last_.load_begin + cycles;
        loaded_ += cycles;
        ready = last_.load_end + (work.stored_raw ? 0 : timing_.turn);
    }
    std::uint64_t const rows = ceil_div(work.bytes_in, timing_.decoder_width);
    std::uint64_t const begin = std::max(ready, last_.decoder_end);
    last_.decoder_end = begin + rows;
    decoded_ += rows;
    slot_free_[slot_] = last_.decoder_end + timing_.release;
    memory_free_[memory_] = last_.decoder_end + timing_.lanes_release;
    slot_ = next_of(slot_, slot_free_.size());
    memory_ = next_of(memory_, memory_free_.size());
    return {start, taken_, begin + timing_.latency, last_.decoder_end + timing_.latency};
}

/// The busiest loop, or how long a block is held over the blocks that can be.
double ExponentDecoder::interval(BlockWork const& work) const {
    ExponentDecoder lone(timing_);
    lone.admit(0, 0, work);
    auto const held = [](std::uint64_t cycles, std::uint64_t blocks) {
        return static_cast<double>(cycles) / static_cast<double>(blocks);
    };
    auto const busiest = static_cast<double>(std::max({lone.taken_, lone.loaded_, lone.decoded_}));
    double const slot = held(lone.slot_free_[0], timing_.slots);
    double const memory = held(timing_.lanes > 0 ? lone.memory_free_[0] - lone.last_.load_begin : 0, timing_.loads);
    return std::max({busiest, slot, memory});
}

}  // namespace netzip
