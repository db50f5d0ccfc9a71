#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tools/explore/sweep/point.h"

namespace netzip {

/// A sweep as its file describes it, with every point spelled out.
///
/// Each `[grid]` key, each `[[zip]]` table, the list of `[[points]]`, `[random]` and `[latin_hypercube]` is one factor:
/// a list of assignments that belong together. The points are all combinations of the factors, the first factor
/// varying slowest, so the index of a point depends on the file alone.
struct SweepFile {
    std::filesystem::path path;
    std::string question;                            ///< the first comment of the file
    std::vector<std::filesystem::path> experiments;  ///< the base, later files over earlier ones
    Assignments fixed;                               ///< `[set]`: the same for every point
    std::vector<std::string> axes;                   ///< keys in which points differ, in the order of the file
    std::vector<Point> points;
    std::uint64_t duplicates = 0;         ///< combinations left out because an equal point came before
    std::vector<std::string> objectives;  ///< statistics of the Pareto front, as `parse_objective` reads them
};

/// Reads a sweep file. Throws InputError when it cannot be read, UsageError with all problems of its content.
/// Whether keys exist and values are in range is asked of the configuration, by the caller.
SweepFile read_sweep_file(std::filesystem::path const& path);

}  // namespace netzip
