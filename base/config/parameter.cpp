#include "base/config/parameter.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

#include "base/error.h"
#include "base/json_text.h"

namespace netzip {
namespace {

using Strings = std::vector<std::string>;

template <class T>
T& as(Parameter const& parameter) {
    return *static_cast<T*>(parameter.target);
}

/// How one type is named, read and written.
struct Quantities {
    ParameterType type;
    char const* name;
    char const* unit;
    char const* expected;
    std::uint64_t (*parse)(std::string_view);
    std::string (*format)(std::uint64_t);
    double unit_size;  ///< counts per `unit`
};

template <auto parse>
std::uint64_t parse_count(std::string_view text) {
    return parse(text).count();
}
template <class Q>
std::string format_count(std::uint64_t count) {
    return to_string(Q{count});
}

constexpr Quantities kQuantities[] = {
    {ParameterType::bytes, "size", "B", "a size such as \"4 KiB\"", parse_count<parse_bytes>, format_count<Bytes>, 1},
    {ParameterType::bit_rate, "bit rate", "b/s", "a bit rate such as \"50 Gb/s\"", parse_count<parse_bit_rate>,
     format_count<BitRate>, 1},
    {ParameterType::frequency, "frequency", "Hz", "a frequency such as \"300 MHz\"", parse_count<parse_frequency>,
     format_count<Frequency>, 1},
    {ParameterType::duration, "time", "s", "a time such as \"550 ns\"", parse_count<parse_duration>,
     format_count<Duration>, 1e15},
    {ParameterType::cycles, "cycles", "cycles", "a number of cycles such as \"4 cycles\"", parse_count<parse_cycles>,
     format_count<Cycles>, 1},
};

Quantities const* quantity(ParameterType type) {
    auto const* const found = std::find_if(std::begin(kQuantities), std::end(kQuantities),
                                           [&](Quantities const& entry) { return entry.type == type; });
    return found == std::end(kQuantities) ? nullptr : found;
}

/// Every quantity is one 64-bit count; see base/units.h.
std::uint64_t& count_of(Parameter const& parameter) {
    static_assert(sizeof(Bytes) == sizeof(std::uint64_t) && sizeof(Duration) == sizeof(std::uint64_t));
    return as<std::uint64_t>(parameter);
}

std::string quoted_list(Strings const& entries, char const* separator) {
    std::string text;
    for (std::string const& entry : entries) text += (text.empty() ? "" : separator) + toml_string(entry);
    return text;
}

std::string bound_text(Parameter const& parameter, double bound) {
    if (Quantities const* const q = quantity(parameter.type)) return q->format(static_cast<std::uint64_t>(bound));
    return fmt::format("{}", bound);
}

std::string problem(std::string const& expected, std::string const& shown) {
    return "expected " + expected + ", got " + shown;
}

/// The size that the range of a parameter speaks of, were its value `value`.
template <class T>
std::string outside(Parameter const& parameter, T measure, std::string const& shown) {
    if (parameter.range.contains(static_cast<double>(measure))) return "";
    char const* const what =
        parameter.type == ParameterType::text || parameter.type == ParameterType::file             ? " characters"
        : parameter.type == ParameterType::text_list || parameter.type == ParameterType::file_list ? " entries"
                                                                                                   : "";
    return problem(range_text(parameter) + what, shown);
}

std::string absolute_name(std::string const& name) {
    return name.empty() ? "" : std::filesystem::absolute(name).lexically_normal().string();
}

std::string resolve(std::string const& name, std::string const& directory) {
    std::filesystem::path const path(name);
    if (name.empty() || path.is_absolute() || directory.empty()) return name;
    return (std::filesystem::path(directory) / path).lexically_normal().string();
}

template <class T>
std::string store(Parameter const& parameter, T value, double measure, std::string const& shown) {
    std::string const trouble = outside(parameter, measure, shown);
    if (trouble.empty()) as<T>(parameter) = std::move(value);
    return trouble;
}

std::string assign_quantity(Quantities const& q, Parameter const& parameter, ConfigValue const& value) {
    auto const* const text = std::get_if<std::string>(&value.value);
    if (text == nullptr) return problem(q.expected, value.shown);
    try {
        return store(parameter, q.parse(*text), static_cast<double>(q.parse(*text)), value.shown);
    } catch (UsageError const& error) {
        return error.what();
    }
}

std::string assign_choice(Parameter const& parameter, ConfigValue const& value) {
    std::string const expected = "one of " + quoted_list(parameter.choices, ", ");
    auto const* const text = std::get_if<std::string>(&value.value);
    if (text == nullptr) return problem(expected, value.shown);
    auto const found = std::find(parameter.choices.begin(), parameter.choices.end(), *text);
    if (found == parameter.choices.end()) {
        std::string const near = nearest(*text, parameter.choices);
        return problem(expected, value.shown) + (near.empty() ? "" : " (did you mean " + toml_string(near) + "?)");
    }
    parameter.choose(parameter.target, static_cast<std::size_t>(found - parameter.choices.begin()));
    return "";
}

std::string assign_number(Parameter const& parameter, ConfigValue const& value) {
    double number = 0;
    if (auto const* const integer = std::get_if<std::int64_t>(&value.value)) {
        number = static_cast<double>(*integer);
    } else if (auto const* const real = std::get_if<double>(&value.value)) {
        number = *real;
    } else {
        return problem("a number", value.shown);
    }
    if (!std::isfinite(number)) return problem("a finite number", value.shown);
    return store(parameter, number, number, value.shown);
}

std::string assign_integer(Parameter const& parameter, ConfigValue const& value) {
    auto const* const integer = std::get_if<std::int64_t>(&value.value);
    if (integer == nullptr || *integer < 0) return problem("a whole number", value.shown);
    return store(parameter, static_cast<std::uint64_t>(*integer), static_cast<double>(*integer), value.shown);
}

std::string assign_list(Parameter const& parameter, ConfigValue const& value, std::string const& directory) {
    auto const* const list = std::get_if<Strings>(&value.value);
    if (list == nullptr) return problem("a list of texts such as [\"a\", \"b\"]", value.shown);
    Strings entries = *list;
    if (parameter.type == ParameterType::file_list) {
        for (std::string& name : entries) name = resolve(name, directory);
    }
    return store(parameter, std::move(entries), static_cast<double>(list->size()), value.shown);
}

/// `text` as the number that it spells as a whole, or nothing.
template <class T>
bool spells(std::string const& text, T& number) {
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

std::string unquoted(std::string const& text) {
    bool const quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    return quoted ? text.substr(1, text.size() - 2) : text;
}

Strings split_list(std::string text) {
    if (text.size() >= 2 && text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
    Strings entries;
    for (std::size_t at = 0; at < text.size();) {
        bool quoted = false;  // a comma between quotes is part of the entry
        std::size_t end = at;
        for (; end < text.size() && (quoted || text[end] != ','); ++end) quoted = quoted != (text[end] == '"');
        std::string const entry = text.substr(at, end - at);
        auto const first = entry.find_first_not_of(' ');
        if (first != std::string::npos) {
            entries.push_back(unquoted(entry.substr(first, entry.find_last_not_of(' ') - first + 1)));
        }
        at = end + 1;
    }
    return entries;
}

}  // namespace

std::string Parameter::section() const {
    auto const dot = path.rfind('.');
    return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string Parameter::key() const {
    return path.substr(path.rfind('.') + 1);  // npos + 1 is 0
}

std::string type_name(Parameter const& parameter) {
    if (Quantities const* const q = quantity(parameter.type)) return q->name;
    switch (parameter.type) {
        case ParameterType::integer:
            return "whole number";
        case ParameterType::number:
            return "number";
        case ParameterType::boolean:
            return "true or false";
        case ParameterType::choice:
            return "choice";
        case ParameterType::file:
            return "file";
        case ParameterType::text_list:
            return "list of texts";
        case ParameterType::file_list:
            return "list of files";
        default:
            return "text";
    }
}

std::string unit_name(Parameter const& parameter) {
    Quantities const* const q = quantity(parameter.type);
    return q == nullptr ? "" : q->unit;
}

std::string range_text(Parameter const& parameter) {
    if (parameter.type == ParameterType::choice) return fmt::format("{}", fmt::join(parameter.choices, " | "));
    Range const& range = parameter.range;
    auto const low = [&] { return bound_text(parameter, *range.low); };
    auto const high = [&] { return bound_text(parameter, *range.high); };
    if (range.low && range.high) return (range.exclusive_low ? "above " : "") + low() + " to " + high();
    if (range.low) return (range.exclusive_low ? "above " : "at least ") + low();
    return range.high ? "at most " + high() : "";
}

std::string value_text(Parameter const& parameter) {
    if (Quantities const* const q = quantity(parameter.type)) return toml_string(q->format(count_of(parameter)));
    switch (parameter.type) {
        case ParameterType::integer:
            return std::to_string(as<std::uint64_t>(parameter));
        case ParameterType::number: {
            std::string const text = fmt::format("{}", as<double>(parameter));
            return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
        }
        case ParameterType::boolean:
            return as<bool>(parameter) ? "true" : "false";
        case ParameterType::choice: {
            std::size_t const index = parameter.chosen(parameter.target);
            return toml_string(index < parameter.choices.size() ? parameter.choices[index] : "?");
        }
        case ParameterType::file:
            return toml_string(absolute_name(as<std::string>(parameter)));
        case ParameterType::text_list:
            return "[" + quoted_list(as<Strings>(parameter), ", ") + "]";
        case ParameterType::file_list: {
            Strings names;
            for (std::string const& name : as<Strings>(parameter)) names.push_back(absolute_name(name));
            return "[" + quoted_list(names, ", ") + "]";
        }
        default:
            return toml_string(as<std::string>(parameter));
    }
}

std::string declared_text(Parameter const& parameter) {
    if (parameter.type == ParameterType::file) return toml_string(as<std::string>(parameter));
    if (parameter.type == ParameterType::file_list) return "[" + quoted_list(as<Strings>(parameter), ", ") + "]";
    return value_text(parameter);
}

std::string plain_text(Parameter const& parameter) {
    if (parameter.type == ParameterType::text) return as<std::string>(parameter);
    return unquoted(value_text(parameter));
}

std::string assign(Parameter& parameter, ConfigValue const& value, std::string const& directory) {
    // The command line hands over any bytes; resolved.toml could not hold them.
    if (valid_utf8(value.shown) != value.shown) return problem("text in UTF-8", valid_utf8(value.shown));
    if (Quantities const* const q = quantity(parameter.type)) return assign_quantity(*q, parameter, value);
    auto const* const text = std::get_if<std::string>(&value.value);
    auto const* const flag = std::get_if<bool>(&value.value);
    switch (parameter.type) {
        case ParameterType::integer:
            return assign_integer(parameter, value);
        case ParameterType::number:
            return assign_number(parameter, value);
        case ParameterType::choice:
            return assign_choice(parameter, value);
        case ParameterType::text_list:
        case ParameterType::file_list:
            return assign_list(parameter, value, directory);
        case ParameterType::boolean:
            if (flag == nullptr) return problem("true or false", value.shown);
            as<bool>(parameter) = *flag;
            return "";
        case ParameterType::file:
            if (text == nullptr) return problem("the name of a file", value.shown);
            return store(parameter, resolve(*text, directory), static_cast<double>(text->size()), value.shown);
        default:
            if (text == nullptr) return problem("a text in quotes", value.shown);
            return store(parameter, *text, static_cast<double>(text->size()), value.shown);
    }
}

std::string assign_text(Parameter& parameter, std::string const& text) {
    ConfigValue value{unquoted(text), toml_string(text)};
    if (parameter.type == ParameterType::text_list || parameter.type == ParameterType::file_list) {
        value.value = split_list(text);
    } else if (parameter.type == ParameterType::boolean) {
        if (text == "true" || text == "false") value.value = text == "true";
    } else if (parameter.type == ParameterType::integer || parameter.type == ParameterType::number) {
        std::int64_t integer = 0;
        double real = 0;
        if (spells(text, integer)) {
            value.value = integer;
        } else if (spells(text, real)) {
            value.value = real;
        }
    }
    return assign(parameter, value, "");
}

std::string range_problem(Parameter const& parameter) {
    std::string const shown = value_text(parameter);
    if (quantity(parameter.type) != nullptr || parameter.type == ParameterType::integer) {
        return outside(parameter, count_of(parameter), shown);
    }
    switch (parameter.type) {
        case ParameterType::number:
            return outside(parameter, as<double>(parameter), shown);
        case ParameterType::text:
        case ParameterType::file:
            return outside(parameter, as<std::string>(parameter).size(), shown);
        case ParameterType::text_list:
        case ParameterType::file_list:
            return outside(parameter, as<Strings>(parameter).size(), shown);
        default:
            return "";
    }
}

std::string toml_string(std::string const& text) {
    std::string result = "\"";
    for (char const c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            result += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
        } else {
            result += c;
        }
    }
    return result + '"';
}

}  // namespace netzip
