#include "tools/explore/sweep/select.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace netzip {
namespace {

std::string trimmed(std::string const& text) {
    auto const first = text.find_first_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// The statistic that `text` names in full or by its end.
std::string statistic_named(SweepTable const& table, std::string const& text) {
    if (table.columns.contains(text)) return text;
    if (table.columns.contains("summary." + text)) return "summary." + text;
    std::vector<std::string> ends;
    std::vector<std::string> names;
    for (auto const& [name, column] : table.columns) {
        names.push_back(name);
        if (name.ends_with("." + text)) ends.push_back(name);
    }
    if (ends.size() == 1) return ends.front();
    if (ends.size() > 1) {
        throw UsageError("\"" + text + "\": expected one statistic, got " + ends[0] + ", " + ends[1] +
                         (ends.size() > 2 ? " and others" : ""));
    }
    auto const near = nearest(text, names);
    throw UsageError("\"" + text + "\": no such statistic in this sweep" +
                     (near.empty() ? "" : " (did you mean \"" + near + "\"?)"));
}

std::string const* axis_value(StoredPoint const& point, std::string const& key) {
    for (auto const& axis : point.point.axes) {
        if (axis.key == key) return &axis.value;
    }
    return nullptr;
}

template <class T>
bool holds(T const& a, std::string const& relation, T const& b) {
    if (relation == "<") return a < b;
    if (relation == "<=") return a <= b;
    if (relation == ">") return a > b;
    if (relation == ">=") return a >= b;
    if (relation == "!=") return a != b;
    return a == b;
}

bool meets(StoredPoint const& point, Condition const& condition) {
    if (auto const* value = axis_value(point, condition.name))
        return holds(*value, condition.relation, condition.value);
    Stat const* const stat = point.statistics->find(condition.name);
    if (stat == nullptr) return false;
    if (auto const* text = std::get_if<std::string>(&stat->value))
        return holds(*text, condition.relation, condition.value);
    auto const number = number_in(point, condition.name);
    return number && holds(*number, condition.relation, condition.number);
}

/// The number so that smaller is better; nothing when the point has none.
std::optional<double> cost(StoredPoint const& point, Objective const& objective) {
    auto const number = number_in(point, objective.name);
    if (!number) return std::nullopt;
    return objective.better == Better::lower ? *number : -*number;
}

struct Candidate {
    StoredPoint const* point;
    std::vector<double> costs;
};

std::vector<Candidate> candidates(SweepTable const& table, std::vector<Objective> const& objectives,
                                  std::vector<Condition> const& conditions) {
    std::vector<Candidate> all;
    for (auto const& point : table.points) {
        if (!meets(point, conditions)) continue;
        Candidate candidate{&point, {}};
        for (auto const& objective : objectives) {
            if (auto const value = cost(point, objective)) candidate.costs.push_back(*value);
        }
        if (candidate.costs.size() == objectives.size()) all.push_back(std::move(candidate));
    }
    return all;
}

bool beats(Candidate const& a, Candidate const& b) {
    bool better = false;
    for (std::size_t i = 0; i < a.costs.size(); ++i) {
        if (a.costs[i] > b.costs[i]) return false;
        better = better || a.costs[i] < b.costs[i];
    }
    return better;
}

}  // namespace

SweepTable read_table(SweepStore const& store) {
    SweepTable table;
    table.identity = store.identity();
    store.for_each([&](StoredPoint const& point) {
        table.points.push_back(point);
        if (!point.statistics) return;
        for (auto const& [name, stat] : point.statistics->entries()) {
            auto const [found, fresh] =
                table.columns.emplace(name, SweepTable::Column{stat.unit, stat.better, stat.provenance, false});
            if (!fresh && found->second.provenance != stat.provenance) found->second.mixed_provenance = true;
        }
    });
    return table;
}

Objective parse_objective(SweepTable const& table, std::string const& text) {
    std::string name = trimmed(text);
    Better asked = Better::none;
    if (name.starts_with("min ")) asked = Better::lower;
    if (name.starts_with("max ")) asked = Better::higher;
    if (asked != Better::none) name = trimmed(name.substr(4));
    name = statistic_named(table, name);
    if (asked == Better::none) asked = table.columns.at(name).better;
    if (asked == Better::none) {
        throw UsageError("\"" + text + "\": neither side of this statistic is better; say \"min " + name +
                         "\" or \"max " + name + "\"");
    }
    return {name, asked};
}

Condition parse_condition(SweepTable const& table, std::string const& text) {
    auto const at = text.find_first_of("<>=!");
    std::string const expected = "\"" + text + "\": expected a condition such as \"cost.area < 1\"";
    if (at == std::string::npos) throw UsageError(expected);
    bool const two = at + 1 < text.size() && text[at + 1] == '=';
    Condition condition{trimmed(text.substr(0, at)), text.substr(at, two ? 2 : 1),
                        trimmed(text.substr(at + (two ? 2 : 1))), 0};
    if (condition.name.empty() || condition.value.empty() || condition.relation == "=" || condition.relation == "!") {
        throw UsageError(expected);
    }
    auto const& axes = table.identity.axes;
    if (std::find(axes.begin(), axes.end(), condition.name) != axes.end()) return condition;
    condition.name = statistic_named(table, condition.name);
    char const* const end = condition.value.data() + condition.value.size();
    auto const [rest, error] = std::from_chars(condition.value.data(), end, condition.number);
    auto const& unit = table.columns.at(condition.name).unit;
    if (unit.empty()) return condition;
    if (error != std::errc{}) throw UsageError("\"" + text + "\": expected a number after " + condition.relation);
    std::string const given = trimmed(std::string(rest, end));
    if (!given.empty() && given != unit) {
        throw UsageError("\"" + text + "\": " + condition.name + " is in " + unit + ", not in " + given);
    }
    return condition;
}

bool meets(StoredPoint const& point, std::vector<Condition> const& conditions) {
    return point.statistics.has_value() && std::all_of(conditions.begin(), conditions.end(),
                                                       [&](auto const& condition) { return meets(point, condition); });
}

std::optional<double> number_in(StoredPoint const& point, std::string const& name) {
    Stat const* const stat = point.statistics ? point.statistics->find(name) : nullptr;
    if (stat == nullptr) return std::nullopt;
    if (auto const* whole = std::get_if<std::uint64_t>(&stat->value)) return static_cast<double>(*whole);
    if (auto const* negative = std::get_if<std::int64_t>(&stat->value)) return static_cast<double>(*negative);
    if (auto const* real = std::get_if<double>(&stat->value)) return *real;
    return std::nullopt;
}

std::vector<StoredPoint const*> ranked(SweepTable const& table, Objective const& goal,
                                       std::vector<Condition> const& conditions) {
    auto all = candidates(table, {goal}, conditions);
    std::stable_sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.costs < b.costs; });
    std::vector<StoredPoint const*> points;
    for (auto const& candidate : all) points.push_back(candidate.point);
    return points;
}

std::vector<StoredPoint const*> pareto_front(SweepTable const& table, std::vector<Objective> const& objectives,
                                             std::vector<Condition> const& conditions) {
    auto all = candidates(table, objectives, conditions);
    // Nothing beats a candidate that comes before it in this order, so each is held against the front so far.
    std::stable_sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.costs < b.costs; });
    std::vector<Candidate> front;
    for (auto& candidate : all) {
        bool const beaten =
            std::any_of(front.begin(), front.end(), [&](auto const& other) { return beats(other, candidate); });
        if (!beaten) front.push_back(std::move(candidate));
    }
    std::vector<StoredPoint const*> points;
    for (auto const& candidate : front) points.push_back(candidate.point);
    return points;
}

}  // namespace netzip
