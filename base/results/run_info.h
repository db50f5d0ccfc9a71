#pragma once

#include <string>
#include <utility>
#include <vector>

namespace netzip {

/// Version of netzipsim, such as "1.1.0".
std::string version();
/// "release, g++ 12.2.0": build type and compiler.
std::string build_description();
/// Version, and size and time of the program file: what another build of the same version kept is not taken for ours.
std::string program_stamp();

/// What may differ between two runs of the same input.
struct RunInfo {
    std::vector<std::string> command;  ///< argv
    double wall_seconds = 0;
    std::vector<std::pair<std::string, std::string>> libraries;  ///< name and version
    std::vector<std::pair<std::string, double>> timings;         ///< name with its unit ("replay_s") and value
    std::vector<std::string> warnings;                           ///< parameters without effect, and the like
};

/// The content of run.json: `info`, and host, operating system, time of day, version, build.
std::string to_json(RunInfo const& info);

}  // namespace netzip
