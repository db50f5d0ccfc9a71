#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <map>
#include <string>

#include "base/config/registry.h"
#include "base/error.h"
#include "base/stats/stats_table.h"
#include "tools/explore/sweep/store.h"
#include "tools/explore/sweep/sweep_file.h"

namespace netzip {

/// What a sweep needs of the simulator.
struct SweepSubject {
    std::string version;
    std::map<std::string, std::string> configuration;  ///< identity of the base experiment
    /// Adds a line per key that does not exist, value that is out of range and rule that a point breaks.
    std::function<void(Assignments const&, Problems&)> check;
    /// Runs one point, in a process of its own.
    std::function<StatsTable(Assignments const&)> run;
};

struct SweepOptions {
    std::filesystem::path directory;
    unsigned jobs = 1;
    Shard shard;
    bool resume = false;
    bool retry_failed = false;  ///< run failed points again
};

/// "DIR/sweep.sqlite" or "DIR/shard-3-of-8.sqlite".
std::filesystem::path database_path(std::filesystem::path const& directory, Shard const& shard);

/// Whose results these are.
SweepIdentity identity_of(SweepFile const& sweep, SweepSubject const& subject, Shard const& shard);

/// Throws UsageError with all problems of all points, each once.
void check_points(SweepFile const& sweep, SweepSubject const& subject);

/// Runs what is not yet done of the shard and returns the database. What happens is told to `out`.
/// A failed point is a row; the caller looks at `SweepStore::failed`.
SweepStore run_sweep(SweepFile const& sweep, SweepSubject const& subject, SweepOptions const& options,
                     std::ostream& out);

/// Checks the values of `point` on the registry of a configuration that nothing else uses, then the rules between them.
/// Relative names of files count from `directory`. Returns false, with problems, when something is wrong.
bool assign_point(ConfigRegistry& registry, Assignments const& point, std::string const& directory, Problems& problems);

}  // namespace netzip
