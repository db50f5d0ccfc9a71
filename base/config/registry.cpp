#include "base/config/registry.h"

#include <algorithm>

namespace netzip {

UnusedParameters::Entry const* UnusedParameters::find(std::string const& path) const {
    for (Entry const& entry : entries_) {
        if (path == entry.path || path.starts_with(entry.path + ".")) return &entry;
    }
    return nullptr;
}

void detail::FieldCollector::add(Parameter parameter, std::string_view sentence, std::string_view source) {
    parameter.sentence = sentence;
    parameter.source = source;
    registry_.add(std::move(parameter));
}

void ConfigRegistry::add(Parameter parameter) {
    parameter.default_text = declared_text(parameter);
    parameters_.push_back(std::move(parameter));
}

Parameter* ConfigRegistry::find(std::string_view path) {
    auto const found = std::find_if(parameters_.begin(), parameters_.end(),
                                    [&](Parameter const& parameter) { return parameter.path == path; });
    return found == parameters_.end() ? nullptr : &*found;
}

ConfigRegistry::Section const* ConfigRegistry::find_section(std::string_view path) const {
    auto const found =
        std::find_if(sections_.begin(), sections_.end(), [&](Section const& section) { return section.path == path; });
    return found == sections_.end() ? nullptr : &*found;
}

std::vector<std::string> ConfigRegistry::paths() const {
    std::vector<std::string> result;
    for (Section const& section : sections_) result.push_back(section.path);
    for (Parameter const& parameter : parameters_) result.push_back(parameter.path);
    return result;
}

std::string ConfigRegistry::suggestion(std::string const& path) const {
    auto const dot = path.rfind('.');
    std::string const place = dot == std::string::npos ? "" : path.substr(0, dot + 1);
    std::string const key = path.substr(place.size());
    std::vector<std::string> siblings;
    std::vector<std::string> namesakes;
    for (std::string const& known : paths()) {
        bool const inside = known.starts_with(place);
        if (inside && known.find('.', place.size()) == std::string::npos)
            siblings.push_back(known.substr(place.size()));
        if (known.ends_with("." + key)) namesakes.push_back(known);
    }
    if (std::string const sibling = nearest(key, siblings); !sibling.empty()) return place + sibling;
    if (!namesakes.empty()) return namesakes.front();
    return nearest(path, paths());
}

void ConfigRegistry::check(Problems& problems) const {
    Problems found;
    for (Hook const& hook : hooks_) {
        if (hook.check != nullptr) hook.check(hook.object, hook.place, found);
    }
    for (std::string const& line : found.lines()) {
        std::string const path = line.substr(0, line.find(':'));
        auto const parameter = std::find_if(parameters_.begin(), parameters_.end(),
                                            [&](Parameter const& candidate) { return candidate.path == path; });
        bool const given = parameter != parameters_.end() && !parameter->is_default();
        problems.add(given ? parameter->origin + ": " + line : line);
    }
}

UnusedParameters ConfigRegistry::unused() const {
    UnusedParameters result;
    for (Hook const& hook : hooks_) {
        if (hook.unused != nullptr) hook.unused(hook.object, hook.place, result);
    }
    return result;
}

std::vector<std::string> ConfigRegistry::without_effect() const {
    UnusedParameters const all = unused();
    std::vector<std::string> lines;
    for (Parameter const& parameter : parameters_) {
        UnusedParameters::Entry const* const entry = all.find(parameter.path);
        if (parameter.is_default() || entry == nullptr) continue;
        lines.push_back(parameter.origin + ": " + parameter.path + " = " + value_text(parameter) +
                        " has no effect: " + entry->reason);
    }
    return lines;
}

}  // namespace netzip
