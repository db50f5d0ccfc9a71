#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/config/parameter.h"
#include "base/config/unused.h"
#include "base/error.h"

namespace netzip {

/// Every parameter of a tree of config structs, flat and in the order of its declaration.
///
/// Points into the structs, which must outlive it and stay in place.
class ConfigRegistry {
public:
    struct Section {
        std::string path;
        std::string sentence;
    };
    /// The optional functions of a struct: `void check(std::string const& place, Problems&) const` for rules between
    /// fields, `void unused(std::string const& place, UnusedParameters&) const` for fields that have no effect.
    /// `place` is the path of the struct followed by a dot, or empty: `problems.add(place + "engines: ...")`.
    struct Hook {
        void const* object;
        std::string place;
        void (*check)(void const*, std::string const&, Problems&);
        void (*unused)(void const*, std::string const&, UnusedParameters&);
    };

    std::vector<Parameter>& parameters() { return parameters_; }
    std::vector<Parameter> const& parameters() const { return parameters_; }
    std::vector<Section> const& sections() const { return sections_; }

    Parameter* find(std::string_view path);
    Section const* find_section(std::string_view path) const;
    std::vector<std::string> paths() const;
    /// Full path of the parameter or section that the unknown `path` was probably meant to be, or an empty string.
    std::string suggestion(std::string const& path) const;

    /// Rules between fields; each line starts with the path and, when the value was given, where.
    void check(Problems& problems) const;
    /// What has no effect in this run, whether it was given a value or not.
    UnusedParameters unused() const;
    /// One line per parameter that was given a value and has no effect in this run.
    std::vector<std::string> without_effect() const;

    void add(Parameter parameter);
    void add_section(Section section) { sections_.push_back(std::move(section)); }
    void add_hook(Hook hook) { hooks_.push_back(std::move(hook)); }

private:
    std::vector<Parameter> parameters_;
    std::vector<Section> sections_;
    std::vector<Hook> hooks_;
};

namespace detail {

template <class T>
constexpr ParameterType parameter_type() {
    if constexpr (std::is_same_v<T, Bytes>) return ParameterType::bytes;
    if constexpr (std::is_same_v<T, BitRate>) return ParameterType::bit_rate;
    if constexpr (std::is_same_v<T, Frequency>) return ParameterType::frequency;
    if constexpr (std::is_same_v<T, Duration>) return ParameterType::duration;
    if constexpr (std::is_same_v<T, Cycles>) return ParameterType::cycles;
    if constexpr (std::is_same_v<T, std::uint64_t>) return ParameterType::integer;
    if constexpr (std::is_same_v<T, double>) return ParameterType::number;
    if constexpr (std::is_same_v<T, bool>) return ParameterType::boolean;
    if constexpr (std::is_same_v<T, std::string>) return ParameterType::text;
    if constexpr (std::is_enum_v<T>) return ParameterType::choice;
    if constexpr (std::is_same_v<T, std::vector<std::string>>) return ParameterType::text_list;
}

/// The visitor that `fields` of a config struct is called with.
class FieldCollector {
public:
    FieldCollector(ConfigRegistry& registry, std::string place) : registry_(registry), place_(std::move(place)) {}

    template <class T>
    void operator()(std::string_view name, T& member, Range range, std::string_view sentence,
                    std::string_view source = "") {
        Parameter parameter{place_ + std::string(name), parameter_type<T>(), &member, range};
        if constexpr (std::is_enum_v<T>) enumerate<T>(parameter);
        add(std::move(parameter), sentence, source);
    }

    /// A name of a file, or a list of them. One in a configuration file counts from the directory of that file, one
    /// on the command line from the working directory; held relative to the latter, written to `resolved.toml`
    /// absolute.
    template <class T>
    void file(std::string_view name, T& member, Range range, std::string_view sentence, std::string_view source = "") {
        bool const one = parameter_type<T>() == ParameterType::text;
        static_assert(parameter_type<T>() == ParameterType::text || parameter_type<T>() == ParameterType::text_list);
        add({place_ + std::string(name), one ? ParameterType::file : ParameterType::file_list, &member, range},
            sentence, source);
    }

    template <class T>
    void section(std::string_view name, T& member, std::string_view sentence) {
        std::string const path = place_ + std::string(name);
        registry_.add_section({path, std::string(sentence)});
        FieldCollector(registry_, path + ".").collect(member);
    }

    template <class T>
    void collect(T& config) {
        config.fields(*this);
        ConfigRegistry::Hook hook{&config, place_, nullptr, nullptr};
        if constexpr (requires(T const& c, Problems& p) { c.check(std::string(), p); }) {
            hook.check = [](void const* object, std::string const& place, Problems& problems) {
                static_cast<T const*>(object)->check(place, problems);
            };
        }
        if constexpr (requires(T const& c, UnusedParameters& u) { c.unused(std::string(), u); }) {
            hook.unused = [](void const* object, std::string const& place, UnusedParameters& unused) {
                static_cast<T const*>(object)->unused(place, unused);
            };
        }
        if (hook.check != nullptr || hook.unused != nullptr) registry_.add_hook(std::move(hook));
    }

private:
    void add(Parameter parameter, std::string_view sentence, std::string_view source);

    template <class E>
    static void enumerate(Parameter& parameter) {
        for (auto const& entry : EnumNames<E>::values) parameter.choices.emplace_back(entry.second);
        parameter.chosen = [](void const* target) {
            std::size_t index = 0;
            while (index < EnumNames<E>::values.size() &&
                   EnumNames<E>::values[index].first != *static_cast<E const*>(target)) {
                ++index;
            }
            return index;
        };
        parameter.choose = [](void* target, std::size_t index) {
            *static_cast<E*>(target) = EnumNames<E>::values[index].first;
        };
    }

    ConfigRegistry& registry_;
    std::string place_;
};

}  // namespace detail

/// Registry of all parameters of `config`; their present values count as the defaults.
template <class T>
ConfigRegistry registry_of(T& config) {
    ConfigRegistry registry;
    detail::FieldCollector(registry, "").collect(config);
    return registry;
}

}  // namespace netzip
