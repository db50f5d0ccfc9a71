#pragma once

#include "base/units.h"

namespace netzip {

/// The rising edges of one clock, computed exactly.
///
/// Edge n is at ceil(n * 10^15 / f) femtoseconds, in 128 bits, never the sum of a rounded period:
/// 300 MHz has no integer period in any power of ten, and a sum would drift.
/// `edge(index_at_or_after(edge(n))) == edge(n)` for every n.
class ClockDomain {
public:
    /// `frequency` must be above zero and at most 10^15 Hz; throws UsageError otherwise.
    explicit ClockDomain(Frequency frequency);

    Frequency frequency() const { return frequency_; }

    /// Time of edge n.
    Duration edge(std::uint64_t n) const {
        return whole_period_ != 0 ? Duration{whole_period_} * n : edge_in_128_bits(n);
    }
    /// Index of the first edge at or after `time`.
    std::uint64_t index_at_or_after(Duration time) const {
        if (time == Duration::zero()) return 0;
        return whole_period_ != 0 ? (time.count() - 1) / whole_period_ + 1 : index_in_128_bits(time);
    }
    /// Time of the first edge at or after `time`.
    Duration edge_at_or_after(Duration time) const { return edge(index_at_or_after(time)); }
    /// Time of the edge that is `cycles` after the first edge at or after `time`.
    Duration after(Duration time, Cycles cycles) const { return edge(index_at_or_after(time) + cycles.count()); }
    /// Length of `cycles` from edge 0; for reports.
    Duration span(Cycles cycles) const { return edge(cycles.count()); }

private:
    Duration edge_in_128_bits(std::uint64_t n) const;
    std::uint64_t index_in_128_bits(Duration time) const;

    Frequency frequency_;
    std::uint64_t whole_period_ = 0;  ///< femtoseconds when the period is an integer, else 0: the common fast path
};

}  // namespace netzip
