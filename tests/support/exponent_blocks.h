#pragma once

#include <numeric>

#include "models/codec/work.h"

namespace netzip::test {

/// What an exponent codec did to a packet of `bytes_in`, whose block has these parts.
inline BlockWork block_of(std::uint32_t bytes_in, std::vector<std::uint32_t> parts) {
    BlockWork work;
    work.bytes_in = bytes_in;
    work.bytes_out = std::accumulate(parts.begin(), parts.end(), 0u);
    work.parts = std::move(parts);
    return work;
}

/// Cycles per block of an endless row of them.
template <class Engine>
double mean_interval(Engine engine, BlockWork const& work) {
    constexpr std::uint64_t kBlocks = 2000;
    std::uint64_t half = 0;
    std::uint64_t last = 0;
    for (std::uint64_t n = 1; n <= kBlocks; ++n) {
        last = engine.admit(0, 0, work).done;
        if (n == kBlocks / 2) half = last;
    }
    return static_cast<double>(last - half) / (kBlocks / 2);
}

}  // namespace netzip::test
