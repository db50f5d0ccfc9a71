#pragma once

#include <span>
#include <string>

namespace netzip {

using Arguments = std::span<std::string const>;

// One function per command; each is given what follows its name and returns the exit status. Errors are thrown.
int baseline_command(Arguments arguments);
int check_command(Arguments arguments);
int compare_command(Arguments arguments);
int cost_command(Arguments arguments);
int describe_command(Arguments arguments);
int merge_command(Arguments arguments);
int ratio_command(Arguments arguments);
int report_command(Arguments arguments);
int run_command(Arguments arguments);
int sweep_command(Arguments arguments);

}  // namespace netzip
