#pragma once

#include <string>
#include <vector>

namespace netzip {

/// What a program did.
struct CommandResult {
    int status = -1;  ///< exit status; -1 when a signal ended it
    int signal = 0;   ///< that signal
    std::string out;
    std::string err;
};

/// Runs `words` in `directory`, without a shell, and waits. Standard input is empty.
/// `output_file` takes the place of the captured standard output when not empty.
CommandResult run_command(std::vector<std::string> const& words, std::string const& directory = ".",
                          std::string const& output_file = "");

/// Runs netzipsim; `NETZIPSIM` is its path, given by the build.
CommandResult netzipsim(std::vector<std::string> words, std::string const& directory = ".",
                        std::string const& output_file = "");

}  // namespace netzip
