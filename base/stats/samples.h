#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/stats/stats_table.h"

namespace netzip {

/// Exact distribution of whole numbers: nothing is binned, nothing is estimated.
///
/// Memory grows with the number of different values (16 B each), not with the number of samples: times of a clocked
/// pipeline repeat.
class Samples {
public:
    void add(std::uint64_t value);
    void add(Duration value) { add(value.count()); }
    void add(Samples const& other);

    std::uint64_t count() const { return count_; }
    /// The following throw RunError when there is no sample.
    std::uint64_t min() const { return rank(1); }
    std::uint64_t max() const { return rank(count_); }
    double mean() const;
    /// Nearest rank: the smallest sample that at least `numerator` / `denominator` of all samples do not exceed.
    std::uint64_t percentile(std::uint64_t numerator, std::uint64_t denominator) const;

    /// Writes `name`.count, .min, .mean, .p50, .p90, .p99, .p999 and .max; only .count when there is no sample.
    /// `unit` is that of a sample.
    void write(StatsTable& table, std::string const& name, std::string const& unit,
               Better better = Better::lower) const;
    /// As `write`, of samples in femtoseconds, in ns.
    void write_times(StatsTable& table, std::string const& name, Better better = Better::lower) const;

private:
    __extension__ using Wide = unsigned __int128;

    std::uint64_t rank(std::uint64_t n) const;  ///< the n-th smallest, from 1
    void settle() const;
    template <class Write>
    void write_all(StatsTable& table, std::string const& name, Better better, Write const& write_value) const;

    mutable std::vector<std::pair<std::uint64_t, std::uint64_t>> counts_;  ///< value and how often, sorted
    mutable std::vector<std::uint64_t> recent_;                            ///< not yet in `counts_`
    std::uint64_t count_ = 0;
    Wide sum_ = 0;
};

}  // namespace netzip
