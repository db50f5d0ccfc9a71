#include "base/stats/stats_table.h"

#include <cmath>

#include "base/error.h"
#include "base/json_text.h"

namespace netzip {

void StatsTable::set(std::string const& name, StatValue value, std::string unit, Better better, Provenance provenance) {
    auto const* const real = std::get_if<double>(&value);
    if (real != nullptr && !std::isfinite(*real)) {
        throw RunError("statistic " + name + ": expected a finite number, got " + std::to_string(*real));
    }
    bool const inserted =
        entries_.try_emplace(name, Stat{std::move(value), std::move(unit), provenance, better}).second;
    if (!inserted) throw RunError("statistic " + name + ": written twice");
}

void StatsTable::set(std::string const& name, Duration value, Better better, Provenance provenance) {
    constexpr double kFemtosecondsPerNanosecond = 1e6;
    set(name, static_cast<double>(value.count()) / kFemtosecondsPerNanosecond, "ns", better, provenance);
}

void StatsTable::set(std::string const& name, Bytes value, Better better, Provenance provenance) {
    set(name, value.count(), "B", better, provenance);
}

void StatsTable::set(std::string const& name, BitRate value, Better better, Provenance provenance) {
    set(name, value.count(), "b/s", better, provenance);
}

void StatsTable::set(std::string const& name, Cycles value, Better better, Provenance provenance) {
    set(name, value.count(), "cycles", better, provenance);
}

void StatsTable::add(std::string const& prefix, StatsTable const& other) {
    for (auto const& [name, stat] : other.entries_) {
        set(prefix + name, stat.value, stat.unit, stat.better, stat.provenance);
        if (stat.out_of_range) mark_out_of_range(prefix + name);
    }
}

void StatsTable::mark_out_of_range(std::string const& name) {
    auto const found = entries_.find(name);
    if (found == entries_.end()) throw RunError("statistic " + name + ": not there");
    found->second.out_of_range = true;
}

Stat const* StatsTable::find(std::string const& name) const {
    auto const found = entries_.find(name);
    return found == entries_.end() ? nullptr : &found->second;
}

double StatsTable::number(std::string const& name) const {
    Stat const* const stat = find(name);
    if (stat != nullptr) {
        if (auto const* const whole = std::get_if<std::uint64_t>(&stat->value)) return static_cast<double>(*whole);
        if (auto const* const negative = std::get_if<std::int64_t>(&stat->value)) {
            return static_cast<double>(*negative);
        }
        if (auto const* const real = std::get_if<double>(&stat->value)) return *real;
    }
    throw RunError("statistic " + name + (stat == nullptr ? ": not there" : ": expected a number"));
}

std::string json_value(StatValue const& value) {
    if (auto const* const whole = std::get_if<std::uint64_t>(&value)) return std::to_string(*whole);
    if (auto const* const negative = std::get_if<std::int64_t>(&value)) return std::to_string(*negative);
    if (auto const* const real = std::get_if<double>(&value)) return json_number(*real);
    if (auto const* const text = std::get_if<std::string>(&value)) return json_string(*text);
    return "null";
}

std::string StatsTable::to_json() const {
    std::string text = "{";
    for (auto const& [name, stat] : entries_) {
        text += text.size() == 1 ? "\n" : ",\n";
        text += "  " + json_string(name) + ": {\"value\": " + json_value(stat.value) +
                ", \"unit\": " + json_string(stat.unit) + ", \"provenance\": \"" + enum_name(stat.provenance) +
                "\", \"better\": \"" + enum_name(stat.better) + "\"" +
                (stat.out_of_range ? ", \"out_of_range\": true}" : "}");
    }
    return text + "\n}\n";
}

}  // namespace netzip
