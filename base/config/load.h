#pragma once

#include <string>
#include <vector>

#include "base/config/registry.h"

namespace netzip {

/// Sets the parameters of `registry` from TOML files and from `key=value` texts.
///
/// Of two values for one parameter the later one stands: default < included file < the file that includes it < later
/// file < later text. A file that includes a part can so change single values of it. `include = ["part.toml"]` names
/// files relative to the including file; they hold full key paths like every other file.
/// Throws UsageError with all problems of all files and texts, each as "FILE:LINE:COLUMN: key: problem".
void load(ConfigRegistry& registry, std::vector<std::string> const& files, std::vector<std::string> const& sets);

/// As `load`, with problems collected instead of thrown.
void load(ConfigRegistry& registry, std::vector<std::string> const& files, std::vector<std::string> const& sets,
          Problems& problems);

/// All parameters as TOML, each with its origin as a comment. Reading it gives the identical configuration.
std::string write_toml(ConfigRegistry const& registry);

}  // namespace netzip
