#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/stats/stats_table.h"
#include "base/text_file.h"

namespace netzip {
namespace {

using Json = nlohmann::json;

/// What is wrong with one entry, as an exception without its place.
struct Damage {
    std::string what;
};

std::string shortened(std::string text) {
    constexpr std::size_t kLongest = 60;
    return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

Json const& member(Json const& entry, char const* key) {
    auto const found = entry.find(key);
    if (found == entry.end()) throw Damage{std::string("expected a member \"") + key + "\""};
    return *found;
}

std::string const& text_of(Json const& entry, char const* key) {
    Json const& value = member(entry, key);
    if (!value.is_string()) throw Damage{std::string(key) + ": expected a text, got " + shortened(value.dump())};
    return value.get_ref<std::string const&>();
}

template <class E>
E enum_of(Json const& entry, char const* key) {
    std::string const& name = text_of(entry, key);
    std::string expected;
    for (auto const& [value, spelling] : EnumNames<E>::values) {
        if (name == spelling) return value;
        expected += (expected.empty() ? "" : ", ") + std::string(spelling);
    }
    throw Damage{std::string(key) + ": expected one of " + expected + ", got \"" + shortened(name) + "\""};
}

StatValue value_of(Json const& value) {
    if (value.is_null()) return nullptr;
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number_float()) return value.get<double>();
    if (value.is_string()) return value.get<std::string>();
    throw Damage{"value: expected a number, a text or null, got " + shortened(value.dump())};
}

void read_entry(StatsTable& table, std::string const& name, Json const& entry) {
    if (!entry.is_object()) throw Damage{"expected an object, got " + shortened(entry.dump())};
    table.set(name, value_of(member(entry, "value")), text_of(entry, "unit"), enum_of<Better>(entry, "better"),
              enum_of<Provenance>(entry, "provenance"));
    auto const mark = entry.find("out_of_range");
    if (mark == entry.end()) return;
    if (!mark->is_boolean()) throw Damage{"out_of_range: expected true or false, got " + shortened(mark->dump())};
    if (mark->get<bool>()) table.mark_out_of_range(name);
}

/// Parses `text`; a name that is there twice is a problem too.
Json parse(std::string const& file, std::string const& text) {
    std::set<std::string> names;
    auto const watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
        bool const is_name = event == Json::parse_event_t::key && depth == 1;
        if (is_name && !names.insert(parsed.get<std::string>()).second) {
            throw InputError(file + ": " + parsed.get<std::string>() + ": is there twice");
        }
        return true;
    };
    try {
        return Json::parse(text, watch);
    } catch (Json::exception const& error) {
        throw InputError(file + ": is not JSON: " + error.what());
    }
}

}  // namespace

StatsTable parse_stats(std::string const& file, std::string const& text) {
    Json const json = parse(file, text);
    if (!json.is_object()) throw InputError(file + ": expected an object of statistics");
    if (json.empty()) throw InputError(file + ": holds no statistic");
    StatsTable table;
    Problems problems;
    for (auto const& [name, entry] : json.items()) {
        try {
            read_entry(table, name, entry);
        } catch (Damage const& damage) {
            problems.add(file + ": " + name + ": " + damage.what);
        }
    }
    problems.throw_if_any<InputError>();
    return table;
}

StatsTable read_stats(std::string const& path) {
    std::error_code ignored;
    bool const directory = std::filesystem::is_directory(path, ignored);
    std::string const file = directory ? path + "/stats.json" : path;
    return parse_stats(file, read_text_file(file, ExitStatus::input_file));
}

}  // namespace netzip
