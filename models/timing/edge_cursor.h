#pragma once

#include "base/clock.h"

namespace netzip {

/// ClockDomain with a memory: exactly the same edges, but conversions near the last anchor need multiplications and no
/// division. A packet asks for some edges in each stage, within microseconds of each other.
class EdgeCursor {
public:
    explicit EdgeCursor(Frequency frequency);

    ClockDomain const& clock() const { return clock_; }
    /// Index of the first edge at or after `time`.
    std::uint64_t index(Duration time) const { return rest_ == 0 ? whole_periods(time) : index_from_anchor(time); }
    /// The same, and moves the anchor there when time went on.
    std::uint64_t advance(Duration time) { return rest_ == 0 ? whole_periods(time) : advance_anchor(time); }
    /// Time of edge `n`.
    Duration edge(std::uint64_t n) const { return rest_ == 0 ? Duration{whole_} * n : edge_from_anchor(n); }

private:
    __extension__ using Wide = unsigned __int128;

    std::uint64_t index_from_anchor(Duration time) const;
    Duration edge_from_anchor(std::uint64_t n) const;
    std::uint64_t advance_anchor(Duration time);
    /// edge(n_ + d) = time_ + d * whole_ + ceil((d * rest_ - slack_) / frequency_): the last term.
    std::uint64_t round_up(std::uint64_t d) const {
        std::uint64_t const more = d * rest_;
        return more > slack_ ? by_frequency(more - slack_ + frequency_ - 1) : 0;
    }
    std::uint64_t by_frequency(std::uint64_t x) const { return divide(x, frequency_, of_frequency_); }
    /// Periods that begin before `time`, when a period is a whole number of femtoseconds.
    std::uint64_t whole_periods(Duration time) const {
        return time == Duration::zero() ? 0 : divide(time.count() - 1, whole_, of_whole_) + 1;
    }
    /// x / divisor. The product with the reciprocal is the quotient or one less.
    static std::uint64_t divide(std::uint64_t x, std::uint64_t divisor, std::uint64_t reciprocal) {
        auto const q = static_cast<std::uint64_t>((Wide{x} * reciprocal) >> 64);
        return q + (x - q * divisor >= divisor ? 1 : 0);
    }

    ClockDomain clock_;
    std::uint64_t frequency_;
    std::uint64_t whole_;  ///< femtoseconds of a period, rounded down
    std::uint64_t rest_;   ///< 10^15 mod frequency: what a period is longer, in 1/frequency fs
    std::uint64_t reach_;  ///< cycles and femtoseconds from the anchor within which 64 bits suffice
    std::uint64_t reach_time_;
    std::uint64_t of_frequency_;  ///< 2^64 / frequency, rounded down: its reciprocal
    std::uint64_t of_whole_;      ///< of a period
    // The anchor: edge n_ is at time_, and n_ * 10^15 = time_ * frequency - slack_, slack_ < frequency.
    std::uint64_t n_ = 0;
    std::uint64_t time_ = 0;
    std::uint64_t slack_ = 0;
};

}  // namespace netzip
