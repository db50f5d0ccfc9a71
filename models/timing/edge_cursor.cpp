#include "models/timing/edge_cursor.h"

namespace netzip {

__extension__ using Wide = unsigned __int128;

EdgeCursor::EdgeCursor(Frequency frequency)
    : clock_(frequency),
      frequency_(frequency.count()),
      whole_(kFemtosecondsPerSecond / frequency_),
      rest_(kFemtosecondsPerSecond % frequency_) {
    // d * rest_ + frequency_ and dt * frequency_ + slack_ must stay below 2^63, and so must d * whole_.
    std::uint64_t const limit = std::uint64_t{1} << 62;
    reach_ = limit / (rest_ > whole_ ? rest_ + 1 : whole_ + 1);
    reach_time_ = limit / frequency_;
}

void EdgeCursor::anchor(std::uint64_t n, Duration time) {
    n_ = n;
    time_ = time.count();
    slack_ = static_cast<std::uint64_t>(Wide{time_} * frequency_ - Wide{n} * kFemtosecondsPerSecond);
}

std::uint64_t EdgeCursor::index(Duration time) {
    std::uint64_t const t = time.count();
    if (rest_ == 0) return clock_.index_at_or_after(time);
    if (t == time_) return n_;
    if (t < time_ || t - time_ > reach_time_) {
        std::uint64_t const n = clock_.index_at_or_after(time);
        // Going back is for a single question; the anchor stays ahead only when time does.
        if (t > time_) anchor(n, clock_.edge(n));
        return n;
    }
    // Smallest d with edge(n_ + d) >= t:  d * 10^15 > (t - 1 - time_) * f + slack_.
    std::uint64_t const d = ((t - 1 - time_) * frequency_ + slack_) / kFemtosecondsPerSecond + 1;
    if (d > reach_) {
        anchor(n_ + d, clock_.edge(n_ + d));
        return n_;
    }
    std::uint64_t const more = d * rest_;  // edge = time_ + d * whole_ + ceil((more - slack_) / f)
    std::uint64_t const up = more > slack_ ? (more - slack_ + frequency_ - 1) / frequency_ : 0;
    n_ += d;
    time_ += d * whole_ + up;
    slack_ = slack_ + up * frequency_ - more;
    return n_;
}

Duration EdgeCursor::edge(std::uint64_t n) const {
    if (rest_ == 0 || n < n_ || n - n_ > reach_) return clock_.edge(n);
    std::uint64_t const d = n - n_;
    std::uint64_t const more = d * rest_;
    std::uint64_t const up = more > slack_ ? (more - slack_ + frequency_ - 1) / frequency_ : 0;
    return Duration{time_} + Duration{d * whole_ + up};
}

}  // namespace netzip
