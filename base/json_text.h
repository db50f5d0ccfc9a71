#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace netzip {

/// `text` with every byte that is not UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

/// `text` as a JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

/// The shortest decimal that reads back to `value`, always with a point or an exponent.
/// The same text on every machine. Throws RunError when it is not finite: JSON has no NaN.
std::string json_number(double value);

}  // namespace netzip
