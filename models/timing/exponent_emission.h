#pragma once

#include <cstdint>

#include "models/codec/work.h"

namespace netzip {

/// When the emitter of an exponent encoder sends what: in cycles after its first one for the packet.
struct ExponentEmission {
    std::uint64_t first_beat = 0;  ///< the bytes of the first beat are complete
    std::uint64_t last = 0;        ///< the last bytes
    bool overflow = false;         ///< the last bytes fill a beat and begin another one
};

/// Sends the parts of a block: each in pieces of up to `width` bytes, one per cycle; header and zero maps take a cycle
/// even when they are empty, other empty parts none, but each lane takes one. With the block's last byte it ends.
/// A group of width / 8 lanes may leave when the turner has it: a word of 8 bytes of each lane per cycle, two groups
/// at a time, from the packet's first cycle on.
ExponentEmission exponent_emission(BlockWork const& work, std::uint64_t width, std::uint64_t lanes);

}  // namespace netzip
