#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace netzip {

/// How far statistics whose names match may move before it counts.
///
/// A number has moved only when it is off by more than `relative` *and* by more than `absolute`: a relative limit alone
/// makes noise of small numbers, an absolute one alone of large ones.
struct Tolerance {
    std::string pattern;  ///< `*` stands for any characters, "cost.*.power"
    double relative = 0;  ///< share of the base value
    double absolute = 0;  ///< in the unit of the statistic
    std::string reason;   ///< why these may move; never empty
};

/// The first tolerance of the list that matches a name holds.
class Tolerances {
public:
    Tolerances() = default;
    explicit Tolerances(std::vector<Tolerance> list) : list_(std::move(list)) {}

    /// Null: the number must be equal to the last bit.
    Tolerance const* find(std::string const& name) const;
    std::vector<Tolerance> const& list() const { return list_; }

private:
    std::vector<Tolerance> list_;
};

/// Reads `[[tolerance]]` tables with `pattern`, `relative`, `absolute` and `reason`, all required.
/// Throws UsageError with all problems.
Tolerances read_tolerances(std::filesystem::path const& path);

/// Whether `name` matches `pattern`, where `*` stands for any run of characters.
bool matches(std::string const& pattern, std::string const& name);

}  // namespace netzip
