#include "workloads/normal_bf16.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace netzip {
namespace {

constexpr std::uint32_t kLargestFinite = 0x7f7f;  ///< magnitude of the largest finite bf16

double value_of(std::uint32_t magnitude) {
    return static_cast<double>(std::bit_cast<float>(magnitude << 16));
}

}  // namespace

NormalBf16::NormalBf16(double sigma) {
    double const scale = std::ldexp(1.0, kMagnitudeBits);
    auto const full = static_cast<std::uint32_t>(scale);
    for (std::uint32_t magnitude = 0; magnitude <= kLargestFinite; ++magnitude) {
        double const above = magnitude == kLargestFinite ? INFINITY : value_of(magnitude + 1);
        double const edge = (value_of(magnitude) + above) / 2;
        auto const threshold = static_cast<std::uint32_t>(std::floor(scale * std::erf(edge / sigma * M_SQRT1_2) + 0.5));
        if (threshold == 0) continue;
        if (thresholds_.empty()) first_ = static_cast<std::uint16_t>(magnitude);
        thresholds_.push_back(threshold);
        if (threshold == full) break;
    }
    std::uint32_t at = 0;
    for (std::uint32_t i = 0; i + 1 < guide_.size(); ++i) {
        while (thresholds_[at] <= i << (kMagnitudeBits - kGuideBits)) ++at;
        guide_[i] = at;
    }
    guide_.back() = static_cast<std::uint32_t>(thresholds_.size() - 1);
}

std::uint16_t NormalBf16::operator()(std::uint32_t uniform) const {
    std::uint32_t const draw = uniform & ((1u << kMagnitudeBits) - 1);
    std::uint32_t const bin = draw >> (kMagnitudeBits - kGuideBits);
    auto const found = std::upper_bound(thresholds_.begin() + guide_[bin], thresholds_.begin() + guide_[bin + 1], draw);
    auto const magnitude = static_cast<std::uint32_t>(found - thresholds_.begin()) + first_;
    return static_cast<std::uint16_t>(uniform >> kMagnitudeBits << 15 | magnitude);
}

}  // namespace netzip
