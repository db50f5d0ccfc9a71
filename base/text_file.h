#pragma once

#include <string>

namespace netzip {

/// The whole of a small text file. Throws UsageError, one line starting with the name, when it is missing, a directory,
/// unreadable, empty, larger than 64 MiB, or a Git LFS pointer in place of the content.
std::string read_text_file(std::string const& name);

}  // namespace netzip
