#pragma once

#include <bit>
#include <cstdint>

namespace netzip {

/// Divides by a number that is fixed at construction and nearly always a power of two: then a shift.
class Divider {
public:
    explicit Divider(std::uint64_t divisor)
        : divisor_(divisor), shift_(std::has_single_bit(divisor) ? std::countr_zero(divisor) : kNone) {}

    std::uint64_t down(std::uint64_t x) const { return shift_ == kNone ? x / divisor_ : x >> shift_; }
    /// Rounded up; `x` plus the divisor must fit 64 bits.
    std::uint64_t up(std::uint64_t x) const { return down(x + divisor_ - 1); }

private:
    static constexpr int kNone = -1;
    std::uint64_t divisor_;
    int shift_;
};

}  // namespace netzip
