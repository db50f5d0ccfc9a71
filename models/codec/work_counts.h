#pragma once

#include <cstdint>

#include "models/codec/work.h"

namespace netzip {

/// Work of codecs, summed: over the blocks of a packet, or over the packets of a run.
template <class Count>
struct WorkCounts {
    Count bytes_in = 0;
    Count bytes_out = 0;
    Count literals = 0;
    Count matches = 0;
    Count match_bytes = 0;
    Count short_offset_bytes = 0;
    Count escapes = 0;

    /// `other` is a BlockWork or WorkCounts of another width.
    template <class Other>
    void add(Other const& other) {
        bytes_in += other.bytes_in;
        bytes_out += other.bytes_out;
        literals += other.literals;
        matches += other.matches;
        match_bytes += other.match_bytes;
        short_offset_bytes += other.short_offset_bytes;
        escapes += other.escapes;
    }
    void add(CodecWork const& work) {
        for (BlockWork const& block : work.blocks) add(block);
    }
};

}  // namespace netzip
