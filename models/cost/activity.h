#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/units.h"
#include "models/cost/block.h"

namespace netzip {

/// What one stage did.
struct StageActivity {
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;
    std::uint64_t literals = 0;     ///< bytes an LZ engine emitted or copied as literals
    std::uint64_t match_bytes = 0;  ///< bytes produced by matches
    std::uint64_t busy_cycles = 0;  ///< of the engines of a bank, all together

    std::uint64_t count(Counter counter) const {
        switch (counter) {
            case Counter::bytes_in:
                return bytes_in;
            case Counter::bytes_out:
                return bytes_out;
            case Counter::literals:
                return literals;
            case Counter::match_bytes:
                return match_bytes;
            case Counter::busy_cycles:
                return busy_cycles;
        }
        return 0;
    }
};

/// What happened in a span of time; dynamic energy is proportional to these counts and to nothing else.
struct ActivityCounts {
    Duration time{0};
    std::uint64_t tensor_bytes = 0;  ///< denominators of energy per bit: tensor bytes that one NIC sent or received
    std::map<std::string, StageActivity> stages;  ///< by Block::stage: "compressor", "tx_demux"
};

}  // namespace netzip
