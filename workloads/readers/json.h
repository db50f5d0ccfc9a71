#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "workloads/readers/excerpt.h"

namespace netzip {

/// Parses JSON; throws InputError with the byte for a syntax error and with the name for a key that stands twice.
/// `offset` is where `text` begins in the file `name`.
nlohmann::json parse_json(std::span<std::uint8_t const> text, std::string const& name, std::size_t offset);

/// The value as text, cut to fit into one line of an error.
std::string json_excerpt(nlohmann::json const& value);

}  // namespace netzip
