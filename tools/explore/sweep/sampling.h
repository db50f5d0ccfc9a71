#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace netzip {

/// The values between two ends, spelled like the ends: with a unit, as a whole number or as a decimal.
struct SampleRange {
    std::string from;
    std::string to;    ///< included
    std::string step;  ///< samples are `from` plus whole steps; empty: one base unit, or continuous for decimals
    bool logarithmic = false;  ///< equal shares for equal ratios; needs from > 0
};

/// A seeded generator whose numbers are the same with every compiler and library (SplitMix64).
class SampleSource {
public:
    explicit SampleSource(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next();
    /// Uniform in [0, 1), a multiple of 2^-53.
    double unit();
    /// Uniform in 0 … n-1 without bias; n > 0.
    std::uint64_t below(std::uint64_t n);

private:
    std::uint64_t state_;
};

/// Whether the range can be sampled; the reason why not, or an empty string.
std::string problem_of(SampleRange const& range);

/// The value at `position` in [0, 1) of the range, on its step.
std::string value_at(SampleRange const& range, double position);

/// `samples` rows of positions, one per dimension, independent of each other.
std::vector<std::vector<double>> random_positions(std::uint64_t seed, std::size_t samples, std::size_t dimensions);

/// As above, but in each dimension every one of `samples` equal strata holds exactly one row
/// (McKay, Beckman, Conover 1979).
std::vector<std::vector<double>> latin_hypercube_positions(std::uint64_t seed, std::size_t samples,
                                                           std::size_t dimensions);

}  // namespace netzip
