#include "base/config/load.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <toml++/toml.h>

#include "base/json_text.h"
#include "base/text_file.h"

namespace netzip {
namespace {

std::string const kInclude = "include";

std::string place(std::string const& file, toml::source_position const& position) {
    return fmt::format("{}:{}:{}", file, position.line, position.column);
}

std::string shown(toml::node const& node) {
    if (node.is_table()) return "a section";
    if (auto const* const text = node.as_string()) return toml_string(text->get());
    if (auto const* const array = node.as_array()) {
        std::string text;
        for (toml::node const& entry : *array) text += (text.empty() ? "" : ", ") + shown(entry);
        return "[" + text + "]";
    }
    std::ostringstream text;
    node.visit([&](auto const& concrete) { text << concrete; });
    return text.str();
}

ConfigValue value_of(toml::node const& node) {
    ConfigValue result;
    result.shown = shown(node);
    if (auto const* const text = node.as_string()) result.value = text->get();
    if (auto const* const integer = node.as_integer()) result.value = integer->get();
    if (auto const* const real = node.as_floating_point()) result.value = real->get();
    if (auto const* const flag = node.as_boolean()) result.value = flag->get();
    if (auto const* const array = node.as_array()) {
        std::vector<std::string> entries;
        for (toml::node const& entry : *array) {
            if (auto const* const text = entry.as_string()) entries.push_back(text->get());
        }
        if (entries.size() == array->size()) result.value = std::move(entries);
    }
    return result;
}

/// Line of a key with so many parts that a parser that descends into each would leave its stack, or 0.
std::size_t line_of_endless_key(std::string_view text) {
    constexpr std::size_t kMostParts = 1000;
    std::size_t line = 1;
    std::size_t dots = 0;
    bool quoted = false;
    for (char const c : text) {
        if (c == '"' || c == '\'') quoted = !quoted;
        if (c == '.' && !quoted && ++dots > kMostParts) return line;
        if (c != '\n') continue;
        ++line;
        dots = 0;
        quoted = false;
    }
    return 0;
}

/// Reads files into a registry, collecting problems.
class Loader {
public:
    Loader(ConfigRegistry& registry, Problems& problems) : registry_(registry), problems_(problems) {}

    void file(std::string const& name) {
        if (std::find(open_.begin(), open_.end(), name) != open_.end()) {
            problems_.add(fmt::format("{}: includes itself ({} -> {})", name, fmt::join(open_, " -> "), name));
            return;
        }
        open_.push_back(name);
        try {
            std::string const text = read_text_file(name);
            if (std::size_t const line = line_of_endless_key(text)) {
                throw UsageError(fmt::format("{}:{}: expected a key, got one of more than 1000 parts", name, line));
            }
            table(name, toml::parse(text, name));
        } catch (toml::parse_error const& error) {
            problems_.add(place(name, error.source().begin) + ": " + one_line(error.description()));
        } catch (Error const& error) {
            problems_.add(error.what());
        }
        open_.pop_back();
    }

    void text(std::string const& set) {
        std::string const where = "--set " + set + ": ";
        auto const equals = set.find('=');
        if (equals == std::string::npos || equals == 0) {
            problems_.add(where + "expected key=value");
            return;
        }
        std::string const path = trimmed(set.substr(0, equals));
        Parameter* const parameter = registry_.find(path);
        if (parameter == nullptr) {
            problems_.add(where + unknown(path, false));
            return;
        }
        std::string const trouble = assign_text(*parameter, trimmed(set.substr(equals + 1)));
        if (!trouble.empty()) problems_.add(where + path + ": " + trouble);
        parameter->origin = "--set";
    }

private:
    static std::string trimmed(std::string const& text) {
        auto const first = text.find_first_not_of(' ');
        return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
    }

    static std::string one_line(std::string_view text) {
        std::string result(text);
        std::replace(result.begin(), result.end(), '\n', ' ');
        return result;
    }

    static std::string section_prefix(std::string const& path) { return path.substr(0, path.rfind('.') + 1); }

    /// `in_section`: the reader has the section before his eyes, the key alone is enough.
    std::string unknown(std::string const& path, bool in_section) const {
        if (registry_.find_section(path) != nullptr) return path + ": is a section, expected a key in it";
        std::string suggestion = registry_.suggestion(path);
        if (in_section && suggestion.starts_with(section_prefix(path)))
            suggestion.erase(0, section_prefix(path).size());
        return path + ": unknown key" + (suggestion.empty() ? "" : " (did you mean \"" + suggestion + "\"?)");
    }

    void table(std::string const& name, toml::table const& root) {
        if (root.empty()) problems_.add(name + ": sets nothing: expected at least one key");
        if (toml::node const* const include = root.get(kInclude)) includes(name, *include);
        in_this_file_.clear();
        entries(name, root, "");
        // A table is sorted by key; a reader goes through the file from the top.
        std::stable_sort(in_this_file_.begin(), in_this_file_.end(), [](auto const& a, auto const& b) {
            return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
        });
        for (auto const& [position, line] : in_this_file_) problems_.add(place(name, position) + ": " + line);
    }

    void problem(toml::source_region const& source, std::string line) {
        in_this_file_.emplace_back(source.begin, std::move(line));
    }

    void includes(std::string const& name, toml::node const& node) {
        ConfigValue const value = value_of(node);
        std::vector<std::string> parts;
        if (auto const* const text = std::get_if<std::string>(&value.value)) parts = {*text};
        if (auto const* const list = std::get_if<std::vector<std::string>>(&value.value)) parts = *list;
        if (parts.empty()) {
            problems_.add(place(name, node.source().begin) +
                          ": include: expected a list of files such as [\"../nic/part.toml\"], got " + value.shown);
        }
        for (std::string const& part : parts) {
            file((std::filesystem::path(name).parent_path() / part).lexically_normal().string());
        }
    }

    void entries(std::string const& name, toml::table const& table, std::string const& prefix) {
        for (auto const& [key, node] : table) {
            std::string const path = prefix + std::string(key.str());
            if (path == kInclude) continue;
            Parameter* const parameter = registry_.find(path);
            if (parameter != nullptr) {
                value(name, *parameter, node);
            } else if (registry_.find_section(path) == nullptr) {
                problem(key.source(), unknown(path, true));
            } else if (toml::table const* const section = node.as_table()) {
                entries(name, *section, path + ".");
            } else {
                problem(node.source(), path + ": expected a section, got " + shown(node));
            }
        }
    }

    void value(std::string const& name, Parameter& parameter, toml::node const& node) {
        std::string const directory = std::filesystem::path(name).parent_path().string();
        std::string const trouble = assign(parameter, value_of(node), directory);
        if (!trouble.empty()) problem(node.source(), parameter.path + ": " + trouble);
        parameter.origin = fmt::format("{}:{}", name, node.source().begin.line);
    }

    ConfigRegistry& registry_;
    Problems& problems_;
    std::vector<std::string> open_;
    std::vector<std::pair<toml::source_position, std::string>> in_this_file_;
};

}  // namespace

void load(ConfigRegistry& registry, std::vector<std::string> const& files, std::vector<std::string> const& sets,
          Problems& problems) {
    Problems found;
    Loader loader(registry, found);
    for (std::string const& file : files) loader.file(file);
    for (std::string const& set : sets) loader.text(set);
    for (Parameter const& parameter : registry.parameters()) {
        std::string const trouble = parameter.is_default() ? range_problem(parameter) : "";
        if (!trouble.empty()) found.add(parameter.path + ": missing: " + trouble);
    }
    // Rules between fields speak of values that are right one by one.
    if (found.empty()) registry.check(found);
    for (std::string const& line : found.lines()) problems.add(line);
}

void load(ConfigRegistry& registry, std::vector<std::string> const& files, std::vector<std::string> const& sets) {
    Problems problems;
    load(registry, files, sets, problems);
    problems.throw_if_any<UsageError>();
}

std::string write_toml(ConfigRegistry const& registry) {
    std::vector<std::string> sections{""};
    for (ConfigRegistry::Section const& section : registry.sections()) sections.push_back(section.path);
    std::string text;
    for (std::string const& section : sections) {
        bool headed = section.empty();
        for (Parameter const& parameter : registry.parameters()) {
            if (parameter.section() != section) continue;
            if (!headed) text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", section);
            headed = true;
            std::string origin = parameter.origin;
            std::replace_if(
                origin.begin(), origin.end(), [](char c) { return c < ' ' || c == 0x7f; }, '?');
            text += fmt::format("{} = {}  # {}\n", parameter.key(), value_text(parameter), origin);
        }
    }
    return text;
}

}  // namespace netzip
