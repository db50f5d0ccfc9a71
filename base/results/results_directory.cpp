#include "base/results/results_directory.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/results/output_file.h"

namespace netzip {
namespace {

namespace fs = std::filesystem;

/// Every file that a run writes; docs/outputs.md describes each.
constexpr std::array<std::string_view, 10> kFiles{"stats.json",  "run.json",      "resolved.toml", "identity.json",
                                                  "packets.csv", "timeline.json", "waves.vcd",     "wire.pcap",
                                                  "wire.pcapng", "report.html"};

bool is_result(std::string name) {
    constexpr std::string_view kPartial = ".partial";
    if (name.ends_with(kPartial)) name.resize(name.size() - kPartial.size());
    return std::find(kFiles.begin(), kFiles.end(), name) != kFiles.end();
}

std::vector<std::string> names_in(fs::path const& directory) {
    std::vector<std::string> names;
    for (auto const& entry : fs::directory_iterator(directory)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

ResultsDirectory::ResultsDirectory(std::string path) : path_(std::move(path)) {
    auto const fail = [&](std::string const& why) { throw UsageError("output directory \"" + path_ + "\": " + why); };
    if (path_.empty()) fail("expected a name");
    try {
        if (fs::exists(path_) && !fs::is_directory(path_)) fail("is a file, expected a directory or a new name");
        fs::create_directories(path_);
        std::vector<std::string> const names = names_in(path_);
        auto const foreign = std::find_if_not(names.begin(), names.end(), is_result);
        if (foreign != names.end()) {
            fail("holds \"" + *foreign + "\", which is no result of a run; expected a new or empty directory");
        }
        for (std::string const& name : names) fs::remove(fs::path(path_) / name);
        OutputFile(file("run.json"));  // a read-only directory is found before the run, not after it
    } catch (fs::filesystem_error const& error) {
        fail("cannot be used: " + error.code().message());
    } catch (RunError const& error) {
        fail(std::string("cannot be written: ") + error.what());
    }
}

}  // namespace netzip
