#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <unistd.h>

#include "base/error.h"
#include "tools/explore/sweep/sweep.h"

namespace netzip {

/// A directory that is gone after the test.
struct TestDirectory {
    std::filesystem::path path;
    explicit TestDirectory(std::string const& name)
        : path(std::filesystem::temp_directory_path() / ("netzip_" + name + "_" + std::to_string(getpid()))) {
        std::filesystem::remove_all(path);
        std::filesystem::create_directories(path);
    }
    ~TestDirectory() { std::filesystem::remove_all(path); }
};

/// Every row of every table, as text.
inline std::string dump(std::filesystem::path const& path) {
    Database database(path, Database::Access::read);
    std::string text;
    for (auto const* table : {"meta", "configuration", "axis", "point", "point_value", "statistic", "result"}) {
        Statement columns(database, std::string("SELECT group_concat('quote(' || name || ')', '||''|''||') "
                                                "FROM pragma_table_info('") +
                                        table + "')");
        columns.step();
        Statement rows(database, "SELECT " + columns.text(0) + " FROM " + table + " ORDER BY 1");
        while (rows.step()) text += std::string(table) + ": " + rows.text(0) + "\n";
    }
    return text;
}

/// A sweep of `engines` x `clocks` points over a formula: time = 1200 / (engines * clock).
inline SweepFile formula_sweep(std::uint64_t engines, std::uint64_t clocks) {
    SweepFile sweep;
    sweep.path = "formula.toml";
    sweep.question = "Question: how many engines?";
    sweep.axes = {"engines", "clock"};
    for (std::uint64_t e = 1; e <= engines; ++e) {
        for (std::uint64_t c = 1; c <= clocks; ++c) {
            sweep.points.push_back({sweep.points.size(),
                                    {{"engines", std::to_string(e), "formula.toml:1:1"},
                                     {"clock", std::to_string(c), "formula.toml:2:1"}}});
        }
    }
    return sweep;
}

/// The formula as a simulator; `before` runs first, in the process of the point.
inline SweepSubject formula_subject(std::function<void(Assignments const&)> before = nullptr) {
    SweepSubject subject;
    subject.version = "1.0.0";
    subject.configuration = {{"link.rate", "50 Gb/s"}};
    subject.check = [](Assignments const& point, Problems& problems) {
        for (auto const& value : point) {
            if (value.key != "engines" && value.key != "clock")
                problems.add(value.place + ": " + value.key + ": unknown key");
            else if (std::stoi(value.value) < 1)
                problems.add(value.place + ": " + value.key + ": expected at least 1");
        }
    };
    subject.run = [before](Assignments const& point) {
        if (before) before(point);
        auto const engines = std::stoull(point.at(0).value);
        auto const clock = std::stoull(point.at(1).value);
        StatsTable table;
        table.set("summary.time", 1200.0 / static_cast<double>(engines * clock), "ns", Better::lower);
        table.set("cost.area", engines * engines + clock, "mm2", Better::lower, Provenance::assumed);
        table.set("stage.bottleneck", std::string(engines < 3 ? "compressor" : "link"), "");
        return table;
    };
    return subject;
}

inline SweepOptions options_of(std::filesystem::path const& directory, unsigned jobs = 1) {
    SweepOptions options;
    options.directory = directory;
    options.jobs = jobs;
    return options;
}

/// The message of the error that `act` throws, or an empty string.
template <class Act>
std::string message_of(Act const& act) {
    try {
        act();
    } catch (Error const& error) {
        return error.what();
    }
    return "";
}

}  // namespace netzip
