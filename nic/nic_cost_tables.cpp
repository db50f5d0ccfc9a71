#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "nic/nic_cost.h"

namespace netzip {

namespace {

namespace fs = std::filesystem;

/// configs/cost above the executable (build/PRESET/bin), else below the working directory.
std::string installed_tables() {
    std::error_code ignored;
    fs::path at = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    constexpr int kLevels = 4;
    for (int level = 0; level < kLevels && !at.empty(); ++level) {
        if (fs::is_directory(at / "configs" / "cost", ignored)) return (at / "configs" / "cost").string();
        at = at.parent_path();
    }
    return "configs/cost";
}

/// The file PREFIX NAME SUFFIX of `root`; throws UsageError that tells which names there are.
fs::path named(fs::path const& root, std::string const& prefix, std::string const& name, std::string const& suffix) {
    std::error_code ignored;
    fs::path const path = root / (prefix + name + suffix);
    if (fs::is_regular_file(path, ignored)) return path;
    std::vector<std::string> known;
    for (auto const& file : fs::directory_iterator(root)) {
        std::string const stem = file.path().filename().string();
        bool const fits = stem.size() > prefix.size() + suffix.size() && stem.starts_with(prefix);
        if (!fits || !stem.ends_with(suffix)) continue;
        known.push_back(stem.substr(prefix.size(), stem.size() - prefix.size() - suffix.size()));
    }
    std::sort(known.begin(), known.end());
    throw UsageError(fmt::format("cost tables: expected one of {}, got \"{}\" (no {})", fmt::join(known, ", "), name,
                                 path.string()));
}

}  // namespace

CostTables load_cost_tables(CostConfig const& config) {
    fs::path const root(config.tables.empty() ? installed_tables() : config.tables);
    std::error_code ignored;
    if (!fs::is_directory(root, ignored)) {
        throw UsageError(fmt::format("cost tables: expected a directory, found none at {}", root.string()));
    }
    std::vector<fs::path> files{named(root, "fpga_", config.device, ".toml"), named(root, "", "vitis", "_blocks.toml")};
    if (config.source != "vitis") files.push_back(named(root, "", config.source, "_blocks.toml"));
    files.push_back(named(root, "", "asic_7nm", ".toml"));
    files.push_back(named(root, "", "energy_7nm", ".toml"));
    return CostTables::load(files);
}

}  // namespace netzip
