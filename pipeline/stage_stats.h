#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"

namespace netzip {

/// What a stage did during a run. `busy`, `blocked` and the rest, `starved`, add up to the run.
struct StageStats {
    std::string name;  ///< dotted path below the node, e.g. "tx.grouper"
    std::uint64_t packets_in = 0;
    std::uint64_t packets_out = 0;
    Bytes bytes_in;
    Bytes bytes_out;
    Duration busy;                  ///< taking bytes or working on them; of a bank: the sum over its engines
    Duration blocked;               ///< ready for the next packet, and no slot free because the next stage holds it up
    Duration resident;              ///< sum over packets of the time inside, for the mean occupancy
    std::uint64_t most_inside = 0;  ///< most packets at once
    std::uint64_t slots = 0;
    bool overlaps = false;      ///< it works on admitted packets while it is held up: a bank, the DMA engine
    std::uint64_t servers = 1;  ///< engines of a bank: its capacity is that many times the run

    // For the diagnosis of a stuck run.
    std::uint64_t inside = 0;
    std::string waits_for;
};

inline void append(std::vector<StageStats>& all, std::vector<StageStats>&& more) {
    for (StageStats& stats : more) all.push_back(std::move(stats));
}

}  // namespace netzip
