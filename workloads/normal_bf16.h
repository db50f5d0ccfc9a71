#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace netzip {

/// bf16 values of a normal variable with mean 0, drawn by inverting the distribution of the rounded magnitude.
///
/// The table is computed once with `erf`; a draw is a search in integers, so equal bits in give equal bits out.
/// Approximates: probabilities are multiples of 2^-31, so magnitudes beyond 6.2 sigma never come.
class NormalBf16 {
public:
    explicit NormalBf16(double sigma);
    /// The bit pattern for 32 uniform bits.
    std::uint16_t operator()(std::uint32_t uniform) const;

private:
    static constexpr unsigned kMagnitudeBits = 31;
    static constexpr unsigned kGuideBits = 10;

    std::uint32_t first_ = 0;                ///< magnitude of thresholds_[0]
    std::vector<std::uint32_t> thresholds_;  ///< draws below thresholds_[i] have at most magnitude first_ + i
    std::array<std::uint32_t, (1u << kGuideBits) + 1> guide_{};  ///< bounds of the search by a draw's highest bits
};

}  // namespace netzip
