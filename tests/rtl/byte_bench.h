#pragma once

#include <stdexcept>

#include "models/timing/engine.h"
#include "stream_bench.h"

namespace netzip::rtl {

/// A block for an engine, and when both ends are willing.
struct ByteBlock {
    ByteBuffer data;
    std::uint64_t offer = 0;  ///< cycle from which the source has the whole block
};

struct ByteResult {
    ByteBuffer data;
    EngineStamps stamps;  ///< as the engine models give them
};

/// Cycles after reset until an engine's table is clear.
template <class Dut>
void warm_up(Dut& dut, unsigned cycles) {
    reset(dut);
    for (unsigned i = 0; i < cycles; ++i) step(dut);
}

/// Sends all blocks through a byte-serial engine. `dut` is ready after `warm_up`.
template <class Dut>
std::vector<ByteResult> run_bytes(Dut& dut, std::vector<ByteBlock> const& blocks, Stalls stalls, std::uint64_t seed) {
    constexpr std::uint64_t kPatience = 100000;
    Random random(seed);
    std::vector<ByteResult> out(blocks.size());
    std::size_t sent = 0, at = 0, received = 0;
    std::uint64_t moved = 0;
    bool head = true;
    for (std::uint64_t cycle = 0; received < blocks.size(); ++cycle) {
        bool offered = sent < blocks.size() && (at > 0 || cycle >= blocks[sent].offer);
        if (offered && dut.s_valid == 0 && random.chance(stalls.source)) offered = false;
        dut.s_valid = offered;
        if (offered) {
            dut.s_data = blocks[sent].data[at];
            dut.s_size = static_cast<std::uint16_t>(blocks[sent].data.size());
        }
        dut.m_ready = !random.chance(stalls.sink);
        dut.eval();
        bool const accepted = offered && dut.s_ready != 0;
        bool const delivered = dut.m_valid != 0 && dut.m_ready != 0;
        if (accepted || delivered) moved = cycle;
        if (cycle > moved + kPatience) throw std::runtime_error("no byte moved for 100,000 cycles");
        if (accepted) {
            if (at == 0) out[sent].stamps.start = cycle;
            if (++at == blocks[sent].data.size()) {
                out[sent].stamps.taken = cycle + 1;
                at = 0;
                ++sent;
            }
        }
        if (delivered) {
            ByteResult& result = out[received];
            if (head) result.stamps.first_out = cycle;
            result.data.push_back(dut.m_data);
            head = dut.m_last != 0;
            if (head) {
                result.stamps.done = cycle + 1;
                ++received;
            }
        }
        step(dut);
        if (accepted) dut.s_valid = 0;
    }
    return out;
}

}  // namespace netzip::rtl
