#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/config/range.h"

namespace netzip {

enum class ParameterType {
    bytes,
    bit_rate,
    frequency,
    duration,
    cycles,
    integer,
    number,
    boolean,
    text,
    choice,
    file,
    text_list,
    file_list,
};

/// A value as a file or the command line spells it, before it is known what it should be.
struct ConfigValue {
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::string>> value;
    std::string shown;  ///< as an error message prints it
};

/// One configurable value: where it lives, what it may be, what it is and who said so.
struct Parameter {
    std::string path;  ///< full key, "nic.compressor.engines"
    ParameterType type = ParameterType::text;
    void* target = nullptr;  ///< the member of the config struct, which must outlive this
    Range range{};
    std::vector<std::string> choices{};  ///< of an enumeration
    std::size_t (*chosen)(void const* target) = nullptr;
    void (*choose)(void* target, std::size_t index) = nullptr;
    std::string sentence{};
    std::string source{};  ///< of the default
    std::string default_text{};
    std::string origin = kDefaultOrigin;  ///< "default", "FILE:LINE" or "--set"

    static constexpr char const* kDefaultOrigin = "default";

    bool is_default() const { return origin == kDefaultOrigin; }
    /// "nic.compressor" of "nic.compressor.engines".
    std::string section() const;
    /// "engines" of "nic.compressor.engines".
    std::string key() const;
};

/// "bit rate", "whole number", ...
std::string type_name(Parameter const& parameter);
/// Unit in which the range is counted: "B", "b/s", "Hz", "s", "cycles", or empty.
std::string unit_name(Parameter const& parameter);
/// "at least 1 B", "4 to 16", "none | byte | bit", or empty when anything goes.
std::string range_text(Parameter const& parameter);
/// The present value as TOML spells it; reading it back gives the same value.
std::string value_text(Parameter const& parameter);
/// The same with names of files as they were written, for documentation: the same on every machine.
std::string declared_text(Parameter const& parameter);
/// As `value_text`, without the quotes of a string.
std::string plain_text(Parameter const& parameter);

/// Stores `value`; the problem as "expected ..., got ...", or an empty string. Nothing is stored on a problem.
/// Relative names of files count from `directory`.
std::string assign(Parameter& parameter, ConfigValue const& value, std::string const& directory);
/// As `assign`, from the text after `=` of `--set key=text`: strings need no quotes, lists are `a,b` or `["a", "b"]`.
std::string assign_text(Parameter& parameter, std::string const& text);
/// What is wrong with the present value (a default that must be replaced), or an empty string.
std::string range_problem(Parameter const& parameter);

/// `text` as a TOML basic string, quotes included.
std::string toml_string(std::string const& text);

}  // namespace netzip
