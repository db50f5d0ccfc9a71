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

Duration ClockDomain::edge(std::uint64_t n) const {
    if (whole_period_ != 0) return Duration{whole_period_} * n;
    Wide const f = frequency_.count();
    Wide const time = (Wide{n} * kFemtosecondsPerSecond + f - 1) / f;
    if (time > Wide{~std::uint64_t{0}}) throw_quantity_overflow();
    return Duration{static_cast<std::uint64_t>(time)};
}

std::uint64_t ClockDomain::index_at_or_after(Duration time) const {
    // The smallest n with ceil(n * P) >= t. Since t is an integer, ceil(n * P) >= t  <=>  n * P > t - 1,
    // with P = 10^15 / f, so n = floor((t - 1) * f / 10^15) + 1 for t > 0.
    std::uint64_t const t = time.count();
    if (t == 0) return 0;
    if (whole_period_ != 0) return (t - 1) / whole_period_ + 1;
    return static_cast<std::uint64_t>(Wide{t - 1} * frequency_.count() / kFemtosecondsPerSecond) + 1;
}

}  // namespace netzip
