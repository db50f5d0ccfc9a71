#include "tools/explore/sweep/sweep_file.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <toml++/toml.h>

#include "base/error.h"
#include "tools/explore/sweep/sampling.h"

namespace netzip {
namespace {

/// A sweep with more points than this is a mistake in the file: it would not end in a year.
constexpr std::uint64_t kMostPoints = 1'000'000;

using Factor = std::vector<Assignments>;

std::string read_text(std::filesystem::path const& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!std::filesystem::is_regular_file(path) || !file || !(text << file.rdbuf())) {
        throw InputError(path.string() + ": expected a sweep file, cannot be read");
    }
    return text.str();
}

/// The comment lines before the first other line, without their `#`.
std::string first_comment(std::string const& text) {
    std::istringstream lines(text);
    std::string line;
    std::string comment;
    while (std::getline(lines, line) && line.starts_with('#')) {
        auto const start = line.find_first_not_of("# ");
        if (start == std::string::npos) break;
        if (!comment.empty()) comment += ' ';
        comment += line.substr(start);
    }
    return comment;
}

/// Turns a parsed file into factors; every problem is collected.
class SweepReader {
public:
    SweepReader(std::filesystem::path const& path, Problems& problems) : path_(path), problems_(problems) {}

    void read(toml::table const& root, SweepFile& sweep) {
        static std::vector<std::string> const known{
            "base", "set", "grid", "zip", "points", "random", "latin_hypercube", "objectives"};
        for (auto const& [key, node] : root) {
            std::string const name(key.str());
            if (std::find(known.begin(), known.end(), name) == known.end()) unknown(node, name, known);
        }
        experiments(root, sweep);
        if (auto const* set = table(root, "set")) sweep.fixed = assignments(*set);
        if (auto const* grid = table(root, "grid")) read_grid(*grid);
        for_each_table(root, "zip", [&](toml::table const& zip) { read_zip(zip); });
        Factor points;
        for_each_table(root, "points", [&](toml::table const& point) { points.push_back(assignments(point)); });
        if (!points.empty()) factors_.push_back(std::move(points));
        if (auto const* random = table(root, "random")) read_samples(*random, random_positions);
        if (auto const* cube = table(root, "latin_hypercube")) read_samples(*cube, latin_hypercube_positions);
        for (auto const& objective : list(root, "objectives")) sweep.objectives.push_back(objective.value);
        if (factors_.empty()) {
            problems_.add(path_.string() +
                          ": expected at least one of [grid], [[zip]], [[points]], [random], "
                          "[latin_hypercube]");
        }
    }

    std::vector<Factor> const& factors() const { return factors_; }

private:
    std::string place(toml::node const& node) const {
        auto const at = node.source().begin;
        return path_.string() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
    }
    void problem(toml::node const& node, std::string const& text) { problems_.add(place(node) + ": " + text); }

    void unknown(toml::node const& node, std::string const& name, std::vector<std::string> const& known) {
        auto const near = nearest(name.substr(name.rfind('.') + 1), known);
        problem(node, name + ": unknown key" + (near.empty() ? "" : " (did you mean \"" + near + "\"?)"));
    }

    /// The value as `--set` spells it.
    Assignment assignment(std::string const& key, toml::node const& node) {
        std::string text;
        if (auto const* array = node.as_array()) {
            for (auto const& entry : *array) text += (text.empty() ? "" : ", ") + quoted_entry(key, entry);
            text = "[" + text + "]";
        } else {
            text = spelled(key, node);
        }
        return {key, text, place(node)};
    }

    std::string spelled(std::string const& key, toml::node const& node) {
        if (auto const* string = node.as_string()) return string->get();
        if (node.is_integer() || node.is_floating_point() || node.is_boolean()) {
            std::ostringstream text;
            text << toml::node_view<toml::node const>(node);
            return text.str();
        }
        problem(node, key + ": expected a value, got a table");
        return "";
    }

    std::string quoted_entry(std::string const& key, toml::node const& node) {
        return node.is_string() ? '"' + spelled(key, node) + '"' : spelled(key, node);
    }

    Assignments assignments(toml::table const& table) {
        Assignments all;
        for (auto const& [key, node] : leaves(table)) all.push_back(assignment(key, *node));
        return all;
    }

    using Leaves = std::vector<std::pair<std::string, toml::node const*>>;

    /// Full paths and their values, in the order in which a person wrote them (toml++ iterates by name).
    /// `nic.clock` may be written as a dotted key or in quotes; a table with `from` is a range, not a step of a path.
    Leaves leaves(toml::table const& table) {
        Leaves found;
        collect(table, "", found);
        std::stable_sort(found.begin(), found.end(), [](auto const& a, auto const& b) {
            auto const x = a.second->source().begin;
            auto const y = b.second->source().begin;
            return std::pair(x.line, x.column) < std::pair(y.line, y.column);
        });
        return found;
    }
    void collect(toml::table const& table, std::string const& prefix, Leaves& found) {
        for (auto const& [key, node] : table) {
            std::string const path = prefix + std::string(key.str());
            auto const* inner = node.as_table();
            if (inner != nullptr && !inner->contains("from")) {
                collect(*inner, path + ".", found);
            } else {
                found.emplace_back(path, &node);
            }
        }
    }

    toml::table const* table(toml::table const& root, std::string const& name) {
        auto const* node = root.get(name);
        if (node == nullptr || node->is_table()) return node == nullptr ? nullptr : node->as_table();
        problem(*node, name + ": expected a table");
        return nullptr;
    }

    template <class Function>
    void for_each_table(toml::table const& root, std::string const& name, Function function) {
        auto const* node = root.get(name);
        if (node == nullptr) return;
        auto const* array = node->as_array();
        if (array == nullptr) return problem(*node, name + ": expected an array of tables, [[" + name + "]]");
        for (auto const& item : *array) {
            if (auto const* found = item.as_table()) {
                function(*found);
            } else {
                problem(item, name + ": expected a table");
            }
        }
    }

    /// A list of values, or one value.
    Assignments list(toml::table const& root, std::string const& name) {
        auto const* node = root.get(name);
        return node == nullptr ? Assignments{} : list(*node, name);
    }
    Assignments list(toml::node const& node, std::string const& name) {
        Assignments all;
        if (auto const* array = node.as_array()) {
            for (auto const& item : *array) all.push_back(assignment(name, item));
            if (array->empty()) problem(node, name + ": expected at least one value");
        } else {
            all.push_back(assignment(name, node));
        }
        return all;
    }

    void experiments(toml::table const& root, SweepFile& sweep) {
        for (auto const& base : list(root, "base")) sweep.experiments.push_back(path_.parent_path() / base.value);
        if (sweep.experiments.empty()) {
            problems_.add(path_.string() + ": base: expected the path of an experiment, relative to this file");
        }
    }

    void read_grid(toml::table const& grid) {
        for (auto const& [key, node] : leaves(grid)) {
            Factor factor;
            for (auto const& value : list(*node, key)) factor.push_back({value});
            factors_.push_back(std::move(factor));
        }
    }

    void read_zip(toml::table const& zip) {
        Factor factor;
        for (auto const& [key, node] : leaves(zip)) {
            auto const values = list(*node, key);
            if (factor.empty()) factor.resize(values.size());
            if (values.size() != factor.size()) {
                problem(*node, key + ": expected " + std::to_string(factor.size()) +
                                   " values as in the first key of this [[zip]], got " + std::to_string(values.size()));
                continue;
            }
            for (std::size_t i = 0; i < values.size(); ++i) factor[i].push_back(values[i]);
        }
        if (factor.empty()) return problem(zip, "zip: expected at least one key with a list of values");
        factors_.push_back(std::move(factor));
    }

    template <class Positions>
    void read_samples(toml::table const& table, Positions positions) {
        auto const seed = table["seed"].value_exact<std::int64_t>().value_or(-1);
        auto const samples = table["samples"].value_exact<std::int64_t>().value_or(0);
        if (seed < 0)
            return problem(table, "seed: expected a whole number from 0, so that the samples can be drawn again");
        if (samples < 1 || static_cast<std::uint64_t>(samples) > kMostPoints) {
            return problem(table, "samples: expected a whole number from 1 to " + std::to_string(kMostPoints));
        }
        std::vector<std::pair<Assignment, SampleRange>> ranges;
        for (auto const& [key, node] : leaves(table)) {
            if (key != "seed" && key != "samples") read_range(key, *node, ranges);
        }
        if (ranges.empty())
            return problem(table,
                           "expected at least one range, such as "
                           "\"nic.clock\" = {from = \"200 MHz\", to = \"400 MHz\"}");
        Factor factor;
        for (auto const& row :
             positions(static_cast<std::uint64_t>(seed), static_cast<std::size_t>(samples), ranges.size())) {
            Assignments point;
            for (std::size_t d = 0; d < ranges.size(); ++d) {
                point.push_back(ranges[d].first);
                point.back().value = value_at(ranges[d].second, row[d]);
            }
            factor.push_back(std::move(point));
        }
        factors_.push_back(std::move(factor));
    }

    void read_range(std::string const& key, toml::node const& node,
                    std::vector<std::pair<Assignment, SampleRange>>& ranges) {
        auto const* table = node.as_table();
        if (table == nullptr) {
            return problem(node, key + ": expected a range such as {from = \"200 MHz\", to = \"400 MHz\"}");
        }
        static std::vector<std::string> const known{"from", "to", "step", "scale"};
        std::size_t const before = problems_.lines().size();
        SampleRange range;
        for (auto const& [name, value] : *table) {
            std::string const field(name.str());
            std::string const text = assignment(key + "." + field, value).value;
            if (field == "from")
                range.from = text;
            else if (field == "to")
                range.to = text;
            else if (field == "step")
                range.step = text;
            else if (field != "scale")
                unknown(value, key + "." + field, known);
            else if (text == "log")
                range.logarithmic = true;
            else if (text != "linear")
                problem(value, key + ".scale: expected \"linear\" or \"log\", got \"" + text + "\"");
        }
        auto const wrong = problem_of(range);
        if (!wrong.empty()) problem(node, key + ": " + wrong);
        if (problems_.lines().size() == before) ranges.emplace_back(Assignment{key, "", place(node)}, range);
    }

    std::filesystem::path const& path_;
    Problems& problems_;
    std::vector<Factor> factors_;
};

/// All keys of the factors, each once; a key in two factors would have two values.
std::vector<std::string> axes_of(std::vector<Factor> const& factors, Assignments const& fixed, Problems& problems) {
    std::vector<std::string> axes;
    std::set<std::string> taken;
    for (auto const& value : fixed) taken.insert(value.key);
    for (auto const& factor : factors) {
        std::set<std::string> own;
        for (auto const& combination : factor) {
            for (auto const& value : combination) {
                if (own.contains(value.key)) continue;
                own.insert(value.key);
                if (taken.contains(value.key))
                    problems.add(value.place + ": " + value.key + ": set twice in this sweep");
                axes.push_back(value.key);
            }
        }
        taken.insert(own.begin(), own.end());
    }
    return axes;
}

void combine(std::vector<Factor> const& factors, SweepFile& sweep) {
    std::set<std::string> seen;
    std::vector<std::size_t> digit(factors.size(), 0);
    for (bool more = true; more;) {
        Point point{sweep.points.size(), {}};
        for (std::size_t f = 0; f < factors.size(); ++f) {
            auto const& part = factors[f][digit[f]];
            point.axes.insert(point.axes.end(), part.begin(), part.end());
        }
        if (seen.insert(point_key(point.axes)).second) {
            sweep.points.push_back(std::move(point));
        } else {
            ++sweep.duplicates;
        }
        more = false;
        for (std::size_t f = factors.size(); f-- > 0 && !more;) {
            more = ++digit[f] < factors[f].size();
            if (!more) digit[f] = 0;
        }
    }
}

}  // namespace

SweepFile read_sweep_file(std::filesystem::path const& path) {
    SweepFile sweep;
    sweep.path = path;
    std::string const text = read_text(path);
    sweep.question = first_comment(text);
    Problems problems;
    SweepReader reader(path, problems);
    try {
        reader.read(toml::parse(text, path.string()), sweep);
    } catch (toml::parse_error const& error) {
        auto const at = error.source().begin;
        throw UsageError(path.string() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                         std::string(error.description()));
    }
    sweep.axes = axes_of(reader.factors(), sweep.fixed, problems);
    std::uint64_t count = 1;
    for (auto const& factor : reader.factors())
        count = std::min(kMostPoints + 1, count * std::max<std::uint64_t>(1, factor.size()));
    if (count > kMostPoints) {
        problems.add(path.string() + ": expected at most " + std::to_string(kMostPoints) + " points, got more");
    }
    problems.throw_if_any<UsageError>();
    combine(reader.factors(), sweep);
    return sweep;
}

}  // namespace netzip
