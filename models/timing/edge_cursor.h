#pragma once

#include "base/clock.h"

namespace netzip {

/// ClockDomain with a memory: exactly the same edges, but conversions near the last anchor need a multiplication
/// instead of a 128-bit division. A packet asks for six edges within microseconds of each other.
class EdgeCursor {
public:
    explicit EdgeCursor(Frequency frequency);

    ClockDomain const& clock() const { return clock_; }
    /// Index of the first edge at or after `time`.
    std::uint64_t index(Duration time) const;
    /// The same, and moves the anchor there when time went on.
    std::uint64_t advance(Duration time);
    /// Time of edge `n`.
    Duration edge(std::uint64_t n) const;

private:
    std::uint64_t round_up(std::uint64_t d) const;
    std::uint64_t by_frequency(std::uint64_t x) const;

    ClockDomain clock_;
    std::uint64_t frequency_;
    std::uint64_t whole_;  ///< femtoseconds of a period, rounded down
    std::uint64_t rest_;   ///< 10^15 mod frequency: what a period is longer, in 1/frequency fs
    std::uint64_t reach_;  ///< cycles and femtoseconds from the anchor within which 64 bits suffice
    std::uint64_t reach_time_;
    std::uint64_t reciprocal_;  ///< 2^64 / frequency, rounded down
    // The anchor: edge n_ is at time_, and n_ * 10^15 = time_ * frequency - slack_, slack_ < frequency.
    std::uint64_t n_ = 0;
    std::uint64_t time_ = 0;
    std::uint64_t slack_ = 0;
};

}  // namespace netzip
