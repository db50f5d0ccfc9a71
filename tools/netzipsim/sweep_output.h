#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/explore/sweep/select.h"

namespace netzip {

class CommandLine;

/// What is made of the results of a sweep: shared by `sweep`, `merge` and `report`.
struct SweepOutput {
    std::string goal;
    std::vector<std::string> subject;
    std::vector<std::string> pareto;
    std::uint64_t top = 10;
    std::string csv;
    std::string html;

    void declare(CommandLine& line);
    /// Refuses what cannot be had before anything runs.
    void check() const;
    /// Writes the files that were asked for and prints the tables.
    void write(SweepTable const& table) const;
};

}  // namespace netzip
