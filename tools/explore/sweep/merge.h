#pragma once

#include <filesystem>
#include <vector>

#include "tools/explore/sweep/store.h"

namespace netzip {

/// The shard databases of a directory, in order of name.
std::vector<std::filesystem::path> shards_in(std::filesystem::path const& directory);

/// Joins shards into one database, equal row for row to that of the whole sweep run at once.
///
/// Throws InputError when the shards are of different sweeps, recordings or versions (naming the first difference),
/// when a point is in two of them, and when points are missing (with the commands that run them). `output` then stays
/// as it was.
SweepStore merge(std::vector<std::filesystem::path> const& shards, std::filesystem::path const& output);

}  // namespace netzip
