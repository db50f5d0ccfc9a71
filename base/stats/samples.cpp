#include "base/stats/samples.h"

#include <algorithm>

#include "base/error.h"

namespace netzip {
namespace {

constexpr std::size_t kRecent = 16384;  ///< samples sorted in at a time; 128 KiB

using Counts = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// Adds to a list that is sorted; `value` is not below its last.
void append(Counts& counts, std::uint64_t value, std::uint64_t times) {
    if (!counts.empty() && counts.back().first == value) {
        counts.back().second += times;
    } else {
        counts.emplace_back(value, times);
    }
}

Counts merged(Counts const& a, Counts const& b) {
    Counts result;
    result.reserve(a.size());
    auto left = a.begin();
    for (auto const& [value, times] : b) {
        for (; left != a.end() && left->first <= value; ++left) append(result, left->first, left->second);
        append(result, value, times);
    }
    for (; left != a.end(); ++left) append(result, left->first, left->second);
    return result;
}

}  // namespace

void Samples::add(std::uint64_t value) {
    if (recent_.size() == kRecent) settle();
    recent_.push_back(value);
    ++count_;
    sum_ += value;
}

void Samples::add(Samples const& other) {
    settle();
    other.settle();
    counts_ = merged(counts_, other.counts_);
    count_ += other.count_;
    sum_ += other.sum_;
}

void Samples::settle() const {
    if (recent_.empty()) return;
    std::sort(recent_.begin(), recent_.end());
    Counts recent;
    for (std::uint64_t const value : recent_) append(recent, value, 1);
    counts_ = merged(counts_, recent);
    recent_.clear();
}

std::uint64_t Samples::rank(std::uint64_t n) const {
    if (count_ == 0) throw RunError("a distribution without samples has no percentile");
    settle();
    for (auto const& [value, times] : counts_) {
        if (n <= times) return value;
        n -= times;
    }
    return counts_.back().first;
}

double Samples::mean() const {
    if (count_ == 0) throw RunError("a distribution without samples has no mean");
    // Whole part and remainder apart: a sum beyond 2^53 loses no digit before the division.
    return static_cast<double>(sum_ / count_) + static_cast<double>(sum_ % count_) / static_cast<double>(count_);
}

std::uint64_t Samples::percentile(std::uint64_t numerator, std::uint64_t denominator) const {
    Wide const n = (Wide{count_} * numerator + denominator - 1) / denominator;
    return rank(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::min<Wide>(n, count_))));
}

template <class Write>
void Samples::write_all(StatsTable& table, std::string const& name, Better better, Write const& write_value) const {
    table.set(name + ".count", count_, "samples");
    if (count_ == 0) return;
    write_value(name + ".min", min(), better);
    write_value(name + ".p50", percentile(50, 100), better);
    write_value(name + ".p90", percentile(90, 100), better);
    write_value(name + ".p99", percentile(99, 100), better);
    write_value(name + ".p999", percentile(999, 1000), better);
    write_value(name + ".max", max(), better);
}

void Samples::write(StatsTable& table, std::string const& name, std::string const& unit, Better better) const {
    write_all(table, name, better, [&](std::string const& key, std::uint64_t value, Better direction) {
        table.set(key, value, unit, direction);
    });
    if (count_ != 0) table.set(name + ".mean", mean(), unit, better);
}

void Samples::write_times(StatsTable& table, std::string const& name, Better better) const {
    write_all(table, name, better, [&](std::string const& key, std::uint64_t value, Better direction) {
        table.set(key, Duration{value}, direction);
    });
    constexpr double kFemtosecondsPerNanosecond = 1e6;
    if (count_ != 0) table.set(name + ".mean", mean() / kFemtosecondsPerNanosecond, "ns", better);
}

}  // namespace netzip
