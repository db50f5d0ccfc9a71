#include "tools/explore/sweep/merge.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "base/error.h"

namespace netzip {
namespace {

namespace fs = std::filesystem;

void check_same(SweepStore const& first, SweepStore const& other) {
    auto line = first_difference(first.identity(), other.identity());
    if (line.empty() && first.identity().shard.n != other.identity().shard.n) {
        line = fmt::format("number of shards: {} against {}", first.identity().shard.n, other.identity().shard.n);
    }
    if (!line.empty()) {
        throw InputError(first.path().string() + " and " + other.path().string() + " do not belong together: " + line);
    }
}

/// What runs the missing points, on one machine and as a job array.
std::string rerun(SweepIdentity const& identity, fs::path const& directory,
                  std::map<std::uint64_t, std::uint64_t> const& missing, std::uint64_t missing_points) {
    auto const n = identity.shard.n;
    std::vector<std::uint64_t> shards;
    for (auto const& [k, count] : missing) shards.push_back(k);
    std::string text =
        fmt::format("{}: shard{} {} of {} missing or not finished ({} of {} points)", directory.string(),
                    shards.size() > 1 ? "s" : "", fmt::join(shards, ", "), n, missing_points, identity.points);
    for (auto const k : shards) {
        text += fmt::format("\nrerun: netzipsim sweep {} --shard {}/{} --resume -o {}", identity.file, k, n,
                            directory.string());
    }
    return text + fmt::format(
                      "\nrerun on Slurm: sbatch --array={} --export=ALL,SWEEP={},SHARDS={},OUT={} "
                      "tools/sweep.sbatch",
                      fmt::join(shards, ","), identity.file, n, directory.string());
}

void check_complete(std::vector<SweepStore> const& stores) {
    std::map<std::uint64_t, fs::path> where;
    Problems problems;
    for (auto const& store : stores) {
        for (auto const index : store.done()) {
            auto const [found, fresh] = where.emplace(index, store.path());
            if (!fresh) {
                problems.add(fmt::format("point {} is in {} and in {}: give each shard once", index,
                                         found->second.string(), store.path().string()));
            }
        }
    }
    problems.throw_if_any<InputError>();
    auto const& identity = stores.front().identity();
    std::map<std::uint64_t, std::uint64_t> missing;
    std::uint64_t count = 0;
    for (std::uint64_t index = 0; index < identity.points; ++index) {
        if (where.contains(index)) continue;
        ++missing[index % identity.shard.n];
        ++count;
    }
    if (count > 0) throw InputError(rerun(identity, stores.front().path().parent_path(), missing, count));
}

}  // namespace

std::vector<fs::path> shards_in(fs::path const& directory) {
    if (!fs::is_directory(directory)) {
        throw InputError(directory.string() + ": expected a directory with shards of a sweep, found none");
    }
    std::vector<fs::path> shards;
    for (auto const& entry : fs::directory_iterator(directory)) {
        auto const name = entry.path().filename().string();
        if (name.starts_with("shard-") && name.ends_with(".sqlite")) shards.push_back(entry.path());
    }
    if (shards.empty()) throw InputError(directory.string() + ": holds no shard-*-of-*.sqlite");
    std::sort(shards.begin(), shards.end());
    return shards;
}

SweepStore merge(std::vector<fs::path> const& shards, fs::path const& output) {
    std::vector<SweepStore> stores;
    for (auto const& shard : shards) stores.push_back(SweepStore::open(shard));
    for (auto const& store : stores) check_same(stores.front(), store);
    check_complete(stores);
    SweepIdentity identity = stores.front().identity();
    identity.shard = {};
    fs::path const partial = output.string() + ".partial";
    fs::remove(partial);
    try {
        auto merged = SweepStore::create(partial, identity);
        for (auto const& store : stores) merged.add_all(store);
    } catch (...) {
        std::error_code ignored;
        fs::remove(partial, ignored);
        throw;
    }
    fs::rename(partial, output);
    return SweepStore::open(output);
}

}  // namespace netzip
