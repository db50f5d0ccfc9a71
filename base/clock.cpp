#include "base/clock.h"

#include "base/error.h"

namespace netzip {

__extension__ using Wide = unsigned __int128;

ClockDomain::ClockDomain(Frequency frequency) : frequency_(frequency) {
    if (frequency == Frequency::zero() || frequency.count() > kFemtosecondsPerSecond) {
        throw UsageError("a clock needs a frequency above 0 and at most 1 PHz, got " + to_string(frequency));
    }
    if (kFemtosecondsPerSecond % frequency.count() == 0) whole_period_ = kFemtosecondsPerSecond / frequency.count();
}

Duration ClockDomain::edge_in_128_bits(std::uint64_t n) const {
    Wide const f = frequency_.count();
    Wide const time = (Wide{n} * kFemtosecondsPerSecond + f - 1) / f;
    if (time > Wide{~std::uint64_t{0}}) throw_quantity_overflow();
    return Duration{static_cast<std::uint64_t>(time)};
}

std::uint64_t ClockDomain::index_in_128_bits(Duration time) const {
    // The smallest n with ceil(n * P) >= t. Since t is an integer, ceil(n * P) >= t  <=>  n * P > t - 1,
    // with P = 10^15 / f, so n = floor((t - 1) * f / 10^15) + 1 for t > 0.
    return static_cast<std::uint64_t>(Wide{time.count() - 1} * frequency_.count() / kFemtosecondsPerSecond) + 1;
}

}  // namespace netzip
