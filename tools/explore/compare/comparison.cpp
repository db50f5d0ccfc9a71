#include "tools/explore/compare/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

namespace netzip {
namespace {

std::optional<double> number_of(StatValue const& value) {
    if (auto const* whole = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*whole);
    if (auto const* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    if (auto const* real = std::get_if<double>(&value)) return *real;
    return std::nullopt;
}

/// Nothing that could be compared: NaN, or null where a number may stand.
bool is_nothing(Stat const& stat) {
    auto const number = number_of(stat.value);
    return std::holds_alternative<std::nullptr_t>(stat.value) || (number && std::isnan(*number));
}

/// new - base; whole numbers are subtracted before they are rounded to a double.
double shift(StatValue const& base, StatValue const& now) {
    auto const* a = std::get_if<std::uint64_t>(&base);
    auto const* b = std::get_if<std::uint64_t>(&now);
    if (a != nullptr && b != nullptr) {
        return *b >= *a ? static_cast<double>(*b - *a) : -static_cast<double>(*a - *b);
    }
    return *number_of(now) - *number_of(base);
}

Change direction(Better better, double moved) {
    if (better == Better::none) return Change::changed;
    return (moved > 0) == (better == Better::higher) ? Change::improvement : Change::regression;
}

Difference judge(std::string const& name, Stat const& base, Stat const& now, Tolerance const* tolerance) {
    Difference d{name, Change::same, base, now, 0, tolerance};
    auto const a = number_of(base.value);
    auto const b = number_of(now.value);
    if (base.unit != now.unit) {
        d.change = Change::unit_changed;
    } else if (base.value == now.value) {
        return d;
    } else if (is_nothing(base) || is_nothing(now)) {
        d.change = Change::not_a_number;
    } else if (!a || !b) {
        d.change = Change::changed;
    } else if (double const moved = shift(base.value, now.value); moved != 0) {
        d.relative = *a != 0 ? moved / std::abs(*a) : std::copysign(std::numeric_limits<double>::infinity(), moved);
        bool const within = tolerance != nullptr &&
                            (std::abs(d.relative) <= tolerance->relative || std::abs(moved) <= tolerance->absolute);
        d.change = within ? Change::tolerated : direction(now.better, moved);
    }
    return d;
}

void inform(ResultSet const& base, ResultSet const& now, std::vector<std::string>& lines) {
    std::set<std::string> keys;
    for (auto const& [key, value] : base.information) keys.insert(key);
    for (auto const& [key, value] : now.information) keys.insert(key);
    auto const show = [](ResultSet const& side, std::string const& key) {
        auto const found = side.information.find(key);
        return found == side.information.end() ? std::string("unknown") : found->second;
    };
    for (auto const& key : keys) lines.push_back(key + ": " + show(base, key) + " -> " + show(now, key));
}

}  // namespace

std::string name_of(Change change) {
    switch (change) {
        case Change::regression:
            return "worse";
        case Change::missing:
            return "missing";
        case Change::not_a_number:
            return "not a number";
        case Change::unit_changed:
            return "unit changed";
        case Change::changed:
            return "changed";
        case Change::added:
            return "new";
        case Change::improvement:
            return "better";
        case Change::tolerated:
            return "tolerated";
        case Change::same:
            return "same";
    }
    return "?";
}

bool Comparison::clean() const {
    return std::all_of(all.begin(), all.end(), [](auto const& d) { return d.change >= Change::tolerated; });
}

bool Comparison::only_improvements() const {
    return !clean() &&
           std::all_of(all.begin(), all.end(), [](auto const& d) { return d.change >= Change::improvement; });
}

Comparison compare(ResultSet const& base, ResultSet const& now, Tolerances const& tolerances) {
    Comparison result{base.name, now.name, {}, {}, {}, {}};
    std::set<Tolerance const*> used;
    for (auto const& [name, statistic] : base.statistics.entries()) {
        auto const* tolerance = tolerances.find(name);
        used.insert(tolerance);
        Stat const* const found = now.statistics.find(name);
        result.all.push_back(found == nullptr ? Difference{name, Change::missing, statistic, std::nullopt, 0, tolerance}
                                              : judge(name, statistic, *found, tolerance));
    }
    for (auto const& [name, statistic] : now.statistics.entries()) {
        if (base.statistics.find(name) != nullptr) continue;
        used.insert(tolerances.find(name));
        result.all.push_back({name, Change::added, std::nullopt, statistic, 0, nullptr});
    }
    for (auto const& tolerance : tolerances.list()) {
        if (!used.contains(&tolerance)) result.unused_tolerances.push_back(tolerance.pattern);
    }
    for (auto const& difference : result.all) ++result.count[difference.change];
    std::sort(result.all.begin(), result.all.end(), [](Difference const& a, Difference const& b) {
        auto const rank = [](Difference const& d) {
            return std::tuple(d.change, d.name.find("summary.") == std::string::npos, -std::abs(d.relative), d.name);
        };
        return rank(a) < rank(b);
    });
    inform(base, now, result.information);
    return result;
}

std::string first_identity_difference(ResultSet const& base, ResultSet const& now) {
    auto a = base.identity.begin();
    auto b = now.identity.begin();
    while (a != base.identity.end() || b != now.identity.end()) {
        if (a == base.identity.end() || (b != now.identity.end() && b->first < a->first)) {
            return b->first + ": not set in " + base.name + ", \"" + b->second + "\" in " + now.name;
        }
        if (b == now.identity.end() || a->first < b->first) {
            return a->first + ": \"" + a->second + "\" in " + base.name + ", not set in " + now.name;
        }
        if (a->second != b->second) {
            return a->first + ": \"" + a->second + "\" in " + base.name + ", \"" + b->second + "\" in " + now.name;
        }
        ++a;
        ++b;
    }
    return "";
}

}  // namespace netzip
