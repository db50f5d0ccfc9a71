#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "base/config/range.h"
#include "base/stats/provenance.h"
#include "base/units.h"

namespace netzip {

/// Which direction is an improvement.
enum class Better { none, lower, higher };

template <>
struct EnumNames<Better> {
    static constexpr std::array values{std::pair{Better::none, "none"}, std::pair{Better::lower, "lower"},
                                       std::pair{Better::higher, "higher"}};
};

/// A whole number, exact; a real number; a text; or null, when there is nothing to tell (a ratio of nothing).
using StatValue = std::variant<std::nullptr_t, std::uint64_t, std::int64_t, double, std::string>;

struct Stat {
    StatValue value;
    std::string unit;  ///< "ns", "B", "b/s", "packets", ...; "1" for a plain ratio; empty for a text
    Provenance provenance = Provenance::measured;
    Better better = Better::none;
    bool out_of_range = false;  ///< an estimate used outside the range in which its source holds

    friend bool operator==(Stat const&, Stat const&) = default;
};

/// All statistics of a result: flat, sorted by name.
class StatsTable {
public:
    /// Throws RunError when `name` is already there, or the value is a double that is not finite.
    void set(std::string const& name, StatValue value, std::string unit, Better better = Better::none,
             Provenance provenance = Provenance::measured);
    /// A time, in ns; exact up to 2^53 fs = 9 s.
    void set(std::string const& name, Duration value, Better better = Better::none,
             Provenance provenance = Provenance::measured);
    void set(std::string const& name, Bytes value, Better better = Better::none,
             Provenance provenance = Provenance::measured);
    void set(std::string const& name, BitRate value, Better better = Better::none,
             Provenance provenance = Provenance::measured);
    void set(std::string const& name, Cycles value, Better better = Better::none,
             Provenance provenance = Provenance::measured);

    /// Marks `name`, which must be there, as an estimate used outside the range in which its source holds.
    void mark_out_of_range(std::string const& name);

    /// Adds all of `other`, each name after `prefix`.
    void add(std::string const& prefix, StatsTable const& other);

    Stat const* find(std::string const& name) const;
    /// The value as a double; throws RunError when `name` is missing or no number.
    double number(std::string const& name) const;
    std::map<std::string, Stat> const& entries() const { return entries_; }

    /// `{"name": {"value": 1, "unit": "B", "provenance": "measured", "better": "lower"}, ...}`, one line per name;
    /// `"out_of_range": true` follows where it is.
    /// Equal tables give equal bytes.
    std::string to_json() const;

    friend bool operator==(StatsTable const&, StatsTable const&) = default;

private:
    std::map<std::string, Stat> entries_;
};

/// The value as `to_json` prints it.
std::string json_value(StatValue const& value);

/// The file `path`, or `path`/stats.json when it is a directory.
/// Throws InputError, naming the file, the name and what was expected, when it is not what `to_json` writes.
StatsTable read_stats(std::string const& path);

/// As `read_stats`, from the content of a file; `name` is what errors call it.
StatsTable parse_stats(std::string const& name, std::string const& text);

}  // namespace netzip
