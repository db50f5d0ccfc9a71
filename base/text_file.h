#pragma once

#include <string>

#include "base/error.h"

namespace netzip {

/// The whole of a small text file. Throws an error of `status` (UsageError for a configuration, InputError otherwise),
/// one line starting with the name, when it is missing, a directory, unreadable, empty, larger than 64 MiB, or a
/// Git LFS pointer in place of the content.
std::string read_text_file(std::string const& name, ExitStatus status = ExitStatus::usage);

}  // namespace netzip
