#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/stats/stats_table.h"
#include "tools/explore/sweep/database.h"
#include "tools/explore/sweep/point.h"

namespace netzip {

/// What a database holds the results of: two are about the same sweep when these are equal, shard aside.
struct SweepIdentity {
    std::string file;      ///< as the user gave it; for the commands that are printed, not compared
    std::string question;  ///< for readers, not compared
    std::string command;   ///< what runs the base experiment alone; for readers, not compared
    std::string version;   ///< of netzipsim
    std::uint64_t points = 0;
    std::vector<std::string> axes;
    std::vector<std::string> objectives;               ///< of the sweep file; for reports, not compared
    std::map<std::string, std::string> configuration;  ///< of the base experiment, and digests of its recordings
    std::string points_digest;                         ///< of all point keys in order
    Shard shard;
};

/// The first thing in which two differ, as a line for the user, or an empty string. The shard does not count.
std::string first_difference(SweepIdentity const& a, SweepIdentity const& b);

/// A point with its outcome.
struct StoredPoint {
    Point point;
    std::optional<StatsTable> statistics;  ///< nothing when the point failed
    std::string error;
};

/// Results of a sweep in one SQLite file: one transaction per point, so that a point is there whole or not at all.
///
/// Rows depend on the sweep alone, not on jobs, order, restarts or time: two databases of one sweep are equal row for
/// row. Tables (schema 1): meta(key, value); configuration(key, value); axis(position, key); point(id, key, status 'ok'
/// | 'failed', error); point_value(point, axis, value); statistic(name, unit, better); result(point, statistic, value,
/// provenance, out_of_range).
class SweepStore {
public:
    /// Creates `path`. Throws UsageError when it is there already.
    static SweepStore create(std::filesystem::path const& path, SweepIdentity const& identity);
    /// Opens `path` to go on. Throws UsageError naming the first difference when it belongs to another sweep.
    static SweepStore resume(std::filesystem::path const& path, SweepIdentity const& identity);
    static SweepStore open(std::filesystem::path const& path);

    SweepIdentity const& identity() const { return identity_; }
    std::filesystem::path const& path() const { return database_->path(); }

    void add(StoredPoint const& result);
    /// Adds all points of `other` at once.
    void add_all(SweepStore const& other);
    /// Forgets failed points, so that they are run again.
    void forget_failed();

    /// Indices of all stored points, in order.
    std::vector<std::uint64_t> done() const;
    std::uint64_t failed() const;
    /// Calls `visit` with every point in order of index.
    template <class Visit>
    void for_each(Visit visit) const {
        for (auto const index : done()) visit(read(index));
    }
    StoredPoint read(std::uint64_t index) const;

private:
    explicit SweepStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}
    void insert(StoredPoint const& result);
    void write_identity(SweepIdentity const& identity);
    SweepIdentity read_identity() const;

    std::unique_ptr<Database> database_;
    SweepIdentity identity_;
};

}  // namespace netzip
