#include "tools/explore/compare/tolerance.h"

#include <algorithm>
#include <toml++/toml.h>

#include "base/error.h"

namespace netzip {
namespace {

std::string place(std::filesystem::path const& path, toml::source_region const& region) {
    return path.string() + ":" + std::to_string(region.begin.line) + ":" + std::to_string(region.begin.column) + ": ";
}

class ToleranceReader {
public:
    ToleranceReader(std::filesystem::path const& path, Problems& problems) : path_(path), problems_(problems) {}

    Tolerance read(toml::table const& table) {
        static std::vector<std::string> const known{"pattern", "relative", "absolute", "reason"};
        for (auto const& [key, node] : table) {
            std::string const name(key.str());
            if (std::find(known.begin(), known.end(), name) != known.end()) continue;
            auto const near = nearest(name, known);
            problems_.add(place(path_, node.source()) + name + ": unknown key" +
                          (near.empty() ? "" : " (did you mean \"" + near + "\"?)"));
        }
        return {text(table, "pattern"), limit(table, "relative"), limit(table, "absolute"), text(table, "reason")};
    }

private:
    std::string text(toml::table const& table, std::string const& key) {
        auto const value = table[key].value<std::string>();
        if (!value || value->empty()) problems_.add(place(path_, table.source()) + key + ": expected a text");
        return value.value_or("");
    }
    double limit(toml::table const& table, std::string const& key) {
        auto const value = table[key].value<double>();
        if (!value || !(*value >= 0)) {
            problems_.add(place(path_, table.source()) + key +
                          ": expected a number from 0 (relative and absolute must both be exceeded)");
        }
        return value.value_or(0);
    }

    std::filesystem::path const& path_;
    Problems& problems_;
};

}  // namespace

bool matches(std::string const& pattern, std::string const& name) {
    // Where the last star stands and what it has swallowed so far, to come back to.
    std::size_t p = 0;
    std::size_t n = 0;
    std::size_t star = std::string::npos;
    std::size_t swallowed = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            swallowed = n;
        } else if (p < pattern.size() && pattern[p] == name[n]) {
            ++p;
            ++n;
        } else if (star != std::string::npos) {
            p = star + 1;
            n = ++swallowed;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string::npos;
}

Tolerance const* Tolerances::find(std::string const& name) const {
    for (auto const& tolerance : list_) {
        if (matches(tolerance.pattern, name)) return &tolerance;
    }
    return nullptr;
}

Tolerances read_tolerances(std::filesystem::path const& path) {
    toml::table root;
    if (!std::filesystem::is_regular_file(path)) {
        throw UsageError(path.string() + ": expected a file of tolerances, found no such file");
    }
    try {
        root = toml::parse_file(path.string());
    } catch (toml::parse_error const& error) {
        throw UsageError(place(path, error.source()) + std::string(error.description()));
    }
    Problems problems;
    ToleranceReader reader(path, problems);
    std::vector<Tolerance> list;
    for (auto const& [key, node] : root) {
        auto const* array = node.as_array();
        if (key.str() != "tolerance" || array == nullptr) {
            problems.add(place(path, node.source()) + std::string(key.str()) + ": expected [[tolerance]] tables only");
            continue;
        }
        for (auto const& item : *array) {
            if (item.is_table())
                list.push_back(reader.read(*item.as_table()));
            else
                problems.add(place(path, item.source()) + "expected a table");
        }
    }
    problems.throw_if_any<UsageError>();
    return Tolerances(std::move(list));
}

}  // namespace netzip
