#include "models/timing/edge_cursor.h"

namespace netzip {

EdgeCursor::EdgeCursor(Frequency frequency)
    : clock_(frequency),
      frequency_(frequency.count()),
      whole_(kFemtosecondsPerSecond / frequency_),
      rest_(kFemtosecondsPerSecond % frequency_) {
    // d * rest_ + frequency_ and dt * frequency_ + slack_ must stay below 2^63, and so must d * whole_.
    std::uint64_t const limit = std::uint64_t{1} << 62;
    reach_ = limit / (rest_ > whole_ ? rest_ + 1 : whole_ + 1);
    reach_time_ = limit / frequency_;
    of_frequency_ = ~std::uint64_t{0} / frequency_;
    of_whole_ = ~std::uint64_t{0} / whole_;
}

std::uint64_t EdgeCursor::index_from_anchor(Duration time) const {
    std::uint64_t const t = time.count();
    if (t == time_) return n_;
    if (t < time_ || t - time_ > reach_time_) return clock_.index_at_or_after(time);
    // Smallest d with edge(n_ + d) >= t:  d * 10^15 > (t - 1 - time_) * f + slack_.
    return n_ + ((t - 1 - time_) * frequency_ + slack_) / kFemtosecondsPerSecond + 1;
}

Duration EdgeCursor::edge_from_anchor(std::uint64_t n) const {
    if (n < n_ || n - n_ > reach_) return clock_.edge(n);
    std::uint64_t const d = n - n_;
    return Duration{time_} + Duration{d * whole_ + round_up(d)};
}

std::uint64_t EdgeCursor::advance_anchor(Duration time) {
    std::uint64_t const n = index_from_anchor(time);
    if (n <= n_) return n;
    std::uint64_t const d = n - n_;
    if (d > reach_) {
        time_ = clock_.edge(n).count();
        slack_ = static_cast<std::uint64_t>(Wide{time_} * frequency_ - Wide{n} * kFemtosecondsPerSecond);
    } else {
        std::uint64_t const up = round_up(d);
        time_ += d * whole_ + up;
        slack_ += up * frequency_ - d * rest_;
    }
    return n_ = n;
}

}  // namespace netzip
