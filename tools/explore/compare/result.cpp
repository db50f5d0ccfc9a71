#include "tools/explore/compare/result.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text_file.h"
#include "tools/explore/identity.h"
#include "tools/explore/sweep/store.h"

namespace netzip {
namespace {

namespace fs = std::filesystem;

/// What may differ between two runs of the same input, for a reader.
std::map<std::string, std::string> information_of(fs::path const& directory) {
    std::map<std::string, std::string> information;
    fs::path const file = directory / "run.json";
    if (!fs::exists(file)) return information;
    auto const json = nlohmann::json::parse(read_text_file(file.string(), ExitStatus::input_file), nullptr, false);
    if (!json.is_object()) return information;
    for (auto const* key : {"wall_s", "netzipsim", "build", "host"}) {
        if (!json.contains(key)) continue;
        auto const& value = json[key];
        information[key] = value.is_string() ? value.get<std::string>() : value.dump();
    }
    return information;
}

ResultSet run_result(std::string const& name, fs::path const& file) {
    ResultSet result;
    result.name = name;
    result.statistics = read_stats(file.string());
    fs::path const identity = file.parent_path() / "identity.json";
    if (fs::exists(identity)) result.identity = read_identity(identity.string());
    result.information = information_of(file.parent_path());
    return result;
}

ResultSet sweep_result(std::string const& name, fs::path const& file) {
    auto const store = SweepStore::open(file);
    ResultSet result;
    result.name = name;
    result.identity = store.identity().configuration;
    result.identity["sweep.points"] = store.identity().points_digest;
    result.information["version"] = store.identity().version;
    store.for_each([&](StoredPoint const& point) {
        std::string const prefix = "point[" + point_key(point.point.axes) + "].";
        result.statistics.set(prefix + "status", std::string(point.statistics ? "ok" : "failed"), "");
        if (point.statistics) result.statistics.add(prefix, *point.statistics);
    });
    return result;
}

}  // namespace

ResultSet read_result(std::string const& path) {
    fs::path const given(path);
    if (fs::exists(given / "stats.json")) return run_result(path, given / "stats.json");
    if (fs::exists(given / "sweep.sqlite")) return sweep_result(path, given / "sweep.sqlite");
    if (fs::is_regular_file(given)) {
        return given.extension() == ".sqlite" ? sweep_result(path, given) : run_result(path, given);
    }
    throw InputError(path + ": expected a result: a directory with stats.json or sweep.sqlite, or such a file");
}

std::string why_not_comparable(ResultSet const& base, ResultSet const& now) {
    for (auto const* side : {&base, &now}) {
        if (side->identity.empty())
            return side->name + ": has no identity.json, so what it is the result of is not known";
    }
    auto const line = first_identity_difference(base, now);
    return line.empty() ? "" : "these are results of different things: " + line;
}

}  // namespace netzip
