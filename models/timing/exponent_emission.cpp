#include "models/timing/exponent_emission.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/error.h"
#include "base/units.h"

namespace netzip {
namespace {

constexpr std::uint64_t kWord = 8;  ///< bytes of a lane that the turner takes per cycle

class Emitter {
public:
    Emitter(std::uint64_t width, std::uint64_t total) : width_(width), left_(total) {}

    /// At least `pieces` cycles, unless the block has ended.
    void part(std::uint64_t bytes, std::uint64_t pieces) {
        pieces = std::max(pieces, beats(bytes, width_).count());
        for (; pieces > 0 && left_ > 0; --pieces) {
            std::uint64_t const piece = std::min(bytes, width_);
            bytes -= piece;
            left_ -= piece;
            filled_ += piece;
            if (filled_ >= width_ && !has_beat_) {
                has_beat_ = true;
                result_.first_beat = now_;
            }
            result_.last = now_++;
            result_.overflow = filled_ > width_;
            if (filled_ >= width_) filled_ -= width_;
        }
    }

    void lanes(std::span<std::uint32_t const> lanes) {
        std::uint64_t const group = std::max<std::uint64_t>(width_ / kWord, 1);
        std::uint64_t filled = 0;                 // the turner has the group's last word
        std::array<std::uint64_t, 2> left{0, 0};  // this half of the turner is free
        for (std::size_t g = 0; g * group < lanes.size() && left_ > 0; ++g) {
            auto const members = lanes.subspan(g * group, std::min(group, lanes.size() - g * group));
            std::uint64_t const longest = *std::max_element(members.begin(), members.end());
            filled = std::max(filled, left[g % 2]) + std::max(beats(longest, width_).count(), std::uint64_t{1}) * group;
            now_ = std::max(now_, filled);
            for (std::uint32_t const bytes : members) part(bytes, 1);
            left[g % 2] = now_;
        }
    }

    /// What is left, without a name.
    void rest() { part(left_, 0); }

    ExponentEmission result() const {
        ExponentEmission result = result_;
        if (!has_beat_) result.first_beat = result.last;
        return result;
    }

private:
    std::uint64_t width_;
    std::uint64_t left_;
    std::uint64_t filled_ = 0;  ///< bytes of the beat that is not complete
    std::uint64_t now_ = 0;
    bool has_beat_ = false;
    ExponentEmission result_;
};

}  // namespace

ExponentEmission exponent_emission(BlockWork const& work, std::uint64_t width, std::uint64_t lanes) {
    Emitter emitter(width, work.bytes_out);
    if (work.stored_raw) {
        emitter.part(1, 1);
        emitter.rest();
        return emitter.result();
    }
    // Header, lengths and rests before the lanes, the tail behind them; for a window header, rests, codes and escapes.
    std::size_t const fixed = lanes == 0 ? 5 : lanes + 4;
    if (work.parts.size() < fixed)
        throw RunError("an exponent encoder needs the parts of the block, got " + std::to_string(work.parts.size()));
    std::span<std::uint32_t const> parts(work.parts);
    emitter.part(parts[0], 1);
    if (lanes == 0) {
        for (std::uint32_t const bytes : parts.subspan(1)) emitter.part(bytes, 0);
        return emitter.result();
    }
    emitter.part(parts[1], 0);
    std::size_t const maps = parts.size() - fixed;
    for (std::uint32_t const bytes : parts.subspan(2, maps)) emitter.part(bytes, 1);
    emitter.part(parts[2 + maps], 0);
    emitter.lanes(parts.subspan(3 + maps, lanes));
    emitter.part(parts.back(), 0);
    return emitter.result();
}

}  // namespace netzip
