#include "workloads/workload_config.h"

#include "base/config/unused.h"
#include "workloads/background_config.h"

namespace netzip {

void WorkloadConfig::unused(std::string const& place, UnusedParameters& unused) const {
    auto const unless = [&](bool used, std::initializer_list<char const*> keys, std::string const& reason) {
        if (used) return;
        for (char const* key : keys) unused.add(place + key, place + reason);
    };
    std::string const from = "source is \"" + std::string(enum_name(source)) + "\"";
    unless(source != WorkloadSource::synthetic, {"files", "dtype"}, from);
    unless(source == WorkloadSource::recorded, {"kinds", "phases", "verify"}, from);
    unless(source == WorkloadSource::synthetic, {"synthetic"}, from);
    unless(source != WorkloadSource::capture, {"iterations", "repeat", "message_size", "queue_pairs"}, from);
    std::string const mode = "replay is \"" + std::string(enum_name(replay)) + "\"";
    unless(replay == ReplayMode::closed, {"outstanding"}, mode);
    unless(source != WorkloadSource::capture, {"rate"}, from);
    unless(replay == ReplayMode::open, {"rate"}, mode);
}

void BackgroundConfig::unused(std::string const& place, UnusedParameters& unused) const {
    if (enabled) return;
    for (char const* key : {"rate", "message_size", "queue_pairs", "seed"}) {
        unused.add(place + key, place + "enabled is false");
    }
}

}  // namespace netzip
