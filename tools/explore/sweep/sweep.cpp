#include "tools/explore/sweep/sweep.h"

#include <algorithm>
#include <fmt/format.h>
#include <ostream>
#include <set>

#include "base/progress.h"
#include "base/sha256.h"
#include "tools/explore/sweep/fork_pool.h"

namespace netzip {
namespace {

std::string duration_words(double seconds) {
    if (seconds < 10) return fmt::format("{:.1f} s", seconds);
    auto const whole = static_cast<std::uint64_t>(seconds + 0.5);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string memory_words(std::uint64_t bytes) {
    double const mebibytes = static_cast<double>(bytes) / (1 << 20);
    return mebibytes < 1024 ? fmt::format("{:.0f} MiB", mebibytes) : fmt::format("{:.1f} GiB", mebibytes / 1024);
}

/// Measures points as they end: nothing is known about time and memory before the first ones.
class Estimate {
public:
    Estimate(std::uint64_t total, unsigned jobs) : total_(total), jobs_(jobs) {}

    /// True once: when the first points, one per process, have told what to expect.
    bool add(ChildOutcome const& outcome) {
        ++ended_;
        seconds_ += outcome.wall_seconds;
        memory_ = std::max(memory_, outcome.peak_memory);
        return ended_ == std::min<std::uint64_t>(jobs_, total_);
    }
    std::string words() const {
        double const each = seconds_ / static_cast<double>(ended_);
        double const rounds = static_cast<double>(total_ + jobs_ - 1 - (total_ - 1) % jobs_) / jobs_;
        return fmt::format("a point takes about {} and {}: about {} and {} in all", duration_words(each),
                           memory_words(memory_), duration_words(each * rounds), memory_words(memory_ * jobs_));
    }

private:
    std::uint64_t total_;
    unsigned jobs_;
    std::uint64_t ended_ = 0;
    double seconds_ = 0;
    std::uint64_t memory_ = 0;
};

/// The values of a point and those that all points share.
Assignments all_values(SweepFile const& sweep, Point const& point) {
    Assignments all = sweep.fixed;
    all.insert(all.end(), point.axes.begin(), point.axes.end());
    return all;
}

void store(SweepStore& results, Point const& point, ChildOutcome const& outcome) {
    StoredPoint row{point, std::nullopt, outcome.text};
    if (outcome.ok) {
        try {
            row.statistics = parse_stats("point " + std::to_string(point.index), outcome.text);
            results.add(row);
            return;
        } catch (StorageError const&) {
            throw;
        } catch (RunError const& error) {
            // It contradicts earlier points.
            row = {point, std::nullopt, error.what()};
        }
    }
    results.add(row);
}

}  // namespace

std::filesystem::path database_path(std::filesystem::path const& directory, Shard const& shard) {
    return directory /
           (shard.whole() ? std::string("sweep.sqlite") : fmt::format("shard-{}-of-{}.sqlite", shard.k, shard.n));
}

SweepIdentity identity_of(SweepFile const& sweep, SweepSubject const& subject, Shard const& shard) {
    SweepIdentity identity;
    identity.file = sweep.path.string();
    identity.question = sweep.question;
    identity.command = "netzipsim run";
    for (auto const& experiment : sweep.experiments) identity.command += " " + experiment.lexically_normal().string();
    for (auto const& value : sweep.fixed) identity.command += " --set '" + value.key + "=" + value.value + "'";
    identity.version = subject.version;
    identity.points = sweep.points.size();
    identity.axes = sweep.axes;
    identity.objectives = sweep.objectives;
    identity.configuration = subject.configuration;
    identity.shard = shard;
    Sha256 digest;
    for (auto const& point : sweep.points) {
        std::string const key = point_key(point.axes) + "\n";
        digest.add({reinterpret_cast<std::uint8_t const*>(key.data()), key.size()});
    }
    identity.points_digest = digest.hex();
    return identity;
}

void check_points(SweepFile const& sweep, SweepSubject const& subject) {
    Problems each;
    for (auto const& point : sweep.points) subject.check(all_values(sweep, point), each);
    Problems once;
    std::set<std::string> seen;
    for (auto const& line : each.lines()) {
        if (seen.insert(line).second) once.add(line);
    }
    once.throw_if_any<UsageError>();
}

SweepStore run_sweep(SweepFile const& sweep, SweepSubject const& subject, SweepOptions const& options,
                     std::ostream& out) {
    check_points(sweep, subject);
    std::error_code error;
    std::filesystem::create_directories(options.directory, error);
    if (error) throw UsageError(options.directory.string() + ": cannot be created: " + error.message());
    auto const path = database_path(options.directory, options.shard);
    auto const identity = identity_of(sweep, subject, options.shard);
    bool const go_on = options.resume && std::filesystem::exists(path);
    auto results = go_on ? SweepStore::resume(path, identity) : SweepStore::create(path, identity);
    if (options.retry_failed) results.forget_failed();

    auto const stored = results.done();
    std::set<std::uint64_t> const before(stored.begin(), stored.end());
    std::vector<std::uint64_t> missing;
    for (auto const& point : sweep.points) {
        if (options.shard.holds(point.index) && !before.contains(point.index)) missing.push_back(point.index);
    }
    if (!sweep.question.empty()) out << sweep.question << '\n';
    out << fmt::format("{} points", sweep.points.size());
    if (sweep.duplicates > 0) out << fmt::format(" ({} equal ones left out)", sweep.duplicates);
    if (!options.shard.whole()) out << fmt::format(", shard {}", to_string(options.shard));
    if (!before.empty()) out << fmt::format(", {} done before", before.size());
    out << fmt::format(", {} to run in {} at a time, into {}\n", missing.size(), options.jobs, path.string())
        << std::flush;
    if (missing.empty()) return results;

    Progress progress("sweep", missing.size(), "points");
    Estimate estimate(missing.size(), options.jobs);
    std::uint64_t ended = 0;
    std::uint64_t failed = 0;
    run_forked(
        missing, options.jobs,
        [&](std::uint64_t index) { return subject.run(all_values(sweep, sweep.points[index])).to_json(); },
        [&](ChildOutcome const& outcome) {
            store(results, sweep.points[outcome.index], outcome);
            if (!outcome.ok) ++failed;
            if (estimate.add(outcome)) out << estimate.words() << '\n' << std::flush;
            progress.update(++ended, failed > 0 ? fmt::format("{} failed", failed) : "");
        });
    return results;
}

bool assign_point(ConfigRegistry& registry, Assignments const& point, std::string const& directory,
                  Problems& problems) {
    std::size_t const before = problems.lines().size();
    for (auto const& value : point) {
        Parameter* const parameter = registry.find(value.key);
        if (parameter == nullptr) {
            auto const near = registry.suggestion(value.key);
            problems.add(value.place + ": " + value.key + ": unknown key" +
                         (near.empty() ? "" : " (did you mean \"" + near + "\"?)"));
            continue;
        }
        bool const file = parameter->type == ParameterType::file;
        auto const trouble =
            file ? assign(*parameter, {value.value, value.value}, directory) : assign_text(*parameter, value.value);
        if (!trouble.empty()) problems.add(value.place + ": " + value.key + ": " + trouble);
        parameter->origin = value.place;
    }
    if (problems.lines().size() == before) registry.check(problems);
    return problems.lines().size() == before;
}

}  // namespace netzip
