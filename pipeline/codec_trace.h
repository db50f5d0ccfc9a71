#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/codec/work.h"

namespace netzip {

/// What the transforms and codecs do to one packet: all that the timing needs of its bytes.
struct PacketTrace {
    std::uint32_t attempt_size = 0;       ///< bytes out of the compressor, also when the packet then goes raw
    std::uint32_t mismatched_values = 0;  ///< values that do not come back
    CodecWork compress;
    CodecWork decompress;  ///< empty when the packet goes raw
};

/// The packets of a workload in posting order; those without the compression flag have an empty entry.
struct CodecTrace {
    std::vector<PacketTrace> packets;
    std::string first_mismatch;  ///< tensor, packet, element and both values; empty when every bit comes back
};

}  // namespace netzip
