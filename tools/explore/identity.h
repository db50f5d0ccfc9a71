#pragma once

#include <map>
#include <string>

#include "base/config/registry.h"

namespace netzip {

/// What a result is the result of, wherever it was computed: the value of every parameter, and for a file in place of
/// its name the digest of its content. Two results are comparable when these are equal.
std::map<std::string, std::string> identity_of(ConfigRegistry const& registry);

/// `DIRECTORY/identity.json`: one line per key.
std::string to_json(std::map<std::string, std::string> const& identity);
/// Throws InputError naming the file and what is wrong with it.
std::map<std::string, std::string> read_identity(std::string const& file);

}  // namespace netzip
