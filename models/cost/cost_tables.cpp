#include "models/cost/cost_tables.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <toml++/toml.h>

#include "base/error.h"

namespace netzip {

namespace {

std::vector<std::string> const kEntryKeys{"name", "value", "low",    "high",       "unit",
                                          "node", "valid", "source", "provenance", "note"};
std::vector<std::string> const kKinds{"device", "blocks", "asic", "energy"};

/// Reads one file into entries; every problem becomes a line.
class FileReader {
public:
    FileReader(std::filesystem::path const& path, Problems& problems) : path_(path), problems_(problems) {}

    void read(std::map<std::string, CostEntry, std::less<>>& entries, std::map<std::string, std::string>& titles) {
        toml::table root;
        try {
            root = toml::parse_file(path_.string());
        } catch (toml::parse_error const& error) {
            auto const& begin = error.source().begin;
            problems_.add(fmt::format("{}:{}:{}: {}", path_.string(), begin.line, begin.column,
                                      std::string(error.description())));
            return;
        }
        for (auto&& [key, node] : root) {
            std::string const name(key.str());
            if (name != "title" && name != "kind" && name != "entry") {
                problem(node, fmt::format("unknown key '{}', expected title, kind or [[entry]]", name));
            }
        }
        std::string const kind = text(root, "kind", root);
        std::string const title = text(root, "title", root);
        if (std::find(kKinds.begin(), kKinds.end(), kind) == kKinds.end()) {
            problem(root, fmt::format("kind: expected device, blocks, asic or energy, got '{}'", kind));
        }
        titles[kind] = titles.count(kind) != 0 ? titles[kind] + "; " + title : title;

        auto* list = root["entry"].as_array();
        if (list == nullptr) {
            problem(root, "expected at least one [[entry]]");
            return;
        }
        std::map<std::string, CostEntry, std::less<>> own;
        for (auto&& node : *list) {
            if (auto const* table = node.as_table()) {
                read_entry(*table, own);
            } else {
                problem(node, "entry: expected a table");
            }
        }
        for (auto& [name, entry] : own) entries[name] = std::move(entry);
    }

private:
    void problem(toml::node const& node, std::string const& what) {
        problems_.add(fmt::format("{}:{}: {}", path_.string(), node.source().begin.line, what));
    }

    std::string text(toml::table const& table, char const* key, toml::node const& where) {
        auto const value = table[key].value<std::string>();
        if (!value || value->empty()) {
            problem(where, fmt::format("{}: expected a text in quotes", key));
            return "";
        }
        return *value;
    }

    double number(toml::table const& table, std::string const& name, char const* key, double fallback) {
        auto const node = table[key];
        if (!node) return fallback;
        auto const value = node.value<double>();
        if (!value || !std::isfinite(*value) || *value < 0.0) {
            problem(*node.node(), fmt::format("{}: {}: expected a number of at least 0", name, key));
            return fallback;
        }
        return *value;
    }

    void read_entry(toml::table const& table, std::map<std::string, CostEntry, std::less<>>& own) {
        std::string const name = text(table, "name", table);
        for (auto&& [key, node] : table) {
            std::string const word(key.str());
            if (std::find(kEntryKeys.begin(), kEntryKeys.end(), word) == kEntryKeys.end()) {
                std::string const near = nearest(word, kEntryKeys);
                problem(node, fmt::format("{}: unknown key '{}'{}", name, word,
                                          near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)));
            }
        }
        CostEntry entry;
        entry.place = fmt::format("{}:{}", path_.string(), table.source().begin.line);
        if (!table.contains("value")) problem(table, fmt::format("{}: value: missing", name));
        entry.value.typical = number(table, name, "value", 0.0);
        entry.value.low = number(table, name, "low", entry.value.typical);
        entry.value.high = number(table, name, "high", entry.value.typical);
        if (entry.value.low > entry.value.typical || entry.value.high < entry.value.typical) {
            problem(table, fmt::format("{}: expected low <= value <= high, got {} <= {} <= {}", name, entry.value.low,
                                       entry.value.typical, entry.value.high));
        }
        entry.unit = text(table, "unit", table);
        entry.node = text(table, "node", table);
        entry.source = text(table, "source", table);
        read_provenance(table, name, entry);
        read_valid(table, name, entry);
        check_vocabulary(table, name, entry);
        if (!own.emplace(name, entry).second) problem(table, fmt::format("{}: defined twice in this file", name));
    }

    void read_provenance(toml::table const& table, std::string const& name, CostEntry& entry) {
        std::string const word = text(table, "provenance", table);
        for (auto const& [value, spelling] : EnumNames<Provenance>::values) {
            bool const of_a_table =
                value == Provenance::quoted || value == Provenance::derived || value == Provenance::assumed;
            if (word != spelling || !of_a_table) continue;
            entry.provenance = value;
            if (value == Provenance::assumed && !(table.contains("low") && table.contains("high"))) {
                problem(table, fmt::format("{}: an assumed value needs low and high", name));
            }
            return;
        }
        problem(table, fmt::format("{}: provenance: expected quoted, derived or assumed, got '{}'", name, word));
    }

    void read_valid(toml::table const& table, std::string const& name, CostEntry& entry) {
        auto const node = table["valid"];
        if (!node) return;
        auto const* ranges = node.as_table();
        if (ranges == nullptr) {
            problem(*node.node(), fmt::format("{}: valid: expected {{ condition = [low, high] }}", name));
            return;
        }
        constexpr double kMissing = -1.0;
        for (auto&& [key, range] : *ranges) {
            auto const* pair = range.as_array();
            double const low = pair != nullptr && pair->size() == 2 ? (*pair)[0].value_or(kMissing) : kMissing;
            double const high = pair != nullptr && pair->size() == 2 ? (*pair)[1].value_or(kMissing) : kMissing;
            if (low < 0.0 || low > high) {
                problem(range, fmt::format("{}: valid.{}: expected [low, high]", name, std::string(key.str())));
                continue;
            }
            entry.valid[std::string(key.str())] = {low, high};
        }
    }

    void check_vocabulary(toml::table const& table, std::string const& name, CostEntry const& entry) {
        std::vector<std::string> names;
        for (auto const& quantity : cost_vocabulary()) {
            if (quantity.name == name) {
                if (quantity.unit != entry.unit) {
                    problem(table, fmt::format("{}: unit: expected '{}', got '{}'", name, quantity.unit, entry.unit));
                }
                return;
            }
            names.push_back(quantity.name);
        }
        std::string const near = nearest(name, names);
        problem(table, fmt::format("{}: unknown name{}", name,
                                   near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)));
    }

    std::filesystem::path path_;
    Problems& problems_;
};

}  // namespace

CostTables CostTables::load(std::vector<std::filesystem::path> const& files) {
    CostTables tables;
    Problems problems;
    for (auto const& file : files) FileReader(file, problems).read(tables.entries_, tables.titles_);
    problems.throw_if_any<UsageError>();
    for (auto const& quantity : cost_vocabulary()) {
        if (quantity.required && !tables.has(quantity.name)) {
            problems.add(fmt::format("cost tables: no entry '{}' ({}) in any of {} files", quantity.name, quantity.unit,
                                     files.size()));
        }
    }
    problems.throw_if_any<UsageError>();
    return tables;
}

bool CostTables::has(std::string_view name) const {
    return entries_.find(name) != entries_.end();
}

CostEntry const& CostTables::entry(std::string_view name, std::string_view unit) const {
    auto const found = entries_.find(name);
    if (found == entries_.end()) throw RunError(fmt::format("cost model: no table entry '{}'", name));
    if (found->second.unit != unit) {
        throw RunError(fmt::format("cost model: '{}' is in {}, used in {}", name, found->second.unit, unit));
    }
    return found->second;
}

Number CostTables::number(std::string_view name, std::string_view unit, Conditions const& conditions) const {
    auto const& found = entry(name, unit);
    Number number{found.value, found.provenance, false};
    for (auto const& [condition, range] : found.valid) {
        auto const given = conditions.find(condition);
        if (given != conditions.end() && (given->second < range.first || given->second > range.second)) {
            number.out_of_range = true;
        }
    }
    return number;
}

std::string CostTables::title(std::string const& kind) const {
    auto const found = titles_.find(kind);
    return found == titles_.end() ? "" : found->second;
}

}  // namespace netzip
