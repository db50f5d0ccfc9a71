#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "models/codec/codec.h"

namespace netzip::rtl {

/// A packet for a block of 64 B per cycle, and when both ends are willing.
struct StreamPacket {
    ByteBuffer data;
    std::uint16_t layer = 0;
    bool new_iteration = false;
    std::uint16_t base = 0;
    bool by_bit = true;
    std::size_t size = 0;  ///< as the side band says; 0: that of the data
    bool bypass = false;
    std::uint64_t offer = 0;       ///< cycle from which the source has the whole packet
    std::uint64_t sink_ready = 0;  ///< cycle from which the sink takes the whole packet
};

/// Half-open, in cycles: the cycle of the first beat, the cycle after the last one.
struct Stamps {
    std::uint64_t head_in = 0;
    std::uint64_t tail_in = 0;
    std::uint64_t head_out = 0;
    std::uint64_t tail_out = 0;
};

struct StreamResult {
    ByteBuffer data;
    std::uint16_t base = 0;
    std::uint32_t size = 0;  ///< as the block announces it, where it does
    bool error = false;
    bool compressed = false;
    Stamps stamps;
};

/// Beats refused at random, in 256ths of the cycles; 0 and 0 is whole-packet admission.
struct Stalls {
    unsigned source = 0;
    unsigned sink = 0;
};

/// Small, fast and the same everywhere.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
    std::uint32_t next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<std::uint32_t>(state_ >> 16);
    }
    std::uint32_t below(std::uint32_t n) { return next() % n; }
    bool chance(unsigned of_256) { return (next() & 255) < of_256; }

private:
    std::uint64_t state_;
};

template <class Dut>
void step(Dut& dut) {
    dut.clk = 1;
    dut.eval();
    dut.clk = 0;
    dut.eval();
}

template <class Dut>
void reset(Dut& dut) {
    dut.clk = 0;
    dut.rst = 1;
    dut.s_valid = 0;
    dut.m_ready = 0;
    dut.eval();
    for (int i = 0; i < 3; ++i) step(dut);
    dut.rst = 0;
    dut.eval();
}

inline constexpr std::size_t kBeat = 64;

/// Sets the beat of `packet` that starts at byte `at`; garbage stands where no byte is valid.
template <class Dut>
void drive(Dut& dut, StreamPacket const& packet, std::size_t at, Random& random) {
    std::size_t const bytes = std::min(kBeat, packet.data.size() - at);
    std::uint8_t beat[kBeat];
    if (bytes < kBeat) std::memset(beat, static_cast<int>(random.next() & 255), kBeat);
    std::memcpy(beat, packet.data.data() + at, bytes);
    std::memcpy(&dut.s_data[0], beat, kBeat);
    if constexpr (requires { dut.s_last; }) dut.s_last = at + bytes == packet.data.size();
    if constexpr (requires { dut.s_bytes; }) dut.s_bytes = static_cast<std::uint8_t>(bytes);
    if constexpr (requires { dut.s_layer; }) dut.s_layer = static_cast<std::uint8_t>(packet.layer);
    if constexpr (requires { dut.s_new_iteration; }) dut.s_new_iteration = packet.new_iteration;
    if constexpr (requires { dut.s_base; }) dut.s_base = packet.base;
    if constexpr (requires { dut.s_by_bit; }) dut.s_by_bit = packet.by_bit;
    if constexpr (requires { dut.s_bypass; }) dut.s_bypass = at == 0 ? packet.bypass : random.chance(128);
    if constexpr (requires { dut.s_size; })
        dut.s_size = static_cast<std::uint16_t>(packet.size != 0 ? packet.size : packet.data.size());
}

/// Sends all packets through and returns what came out. Throws when nothing moves for long or a beat is malformed.
template <class Dut>
std::vector<StreamResult> run_stream(Dut& dut, std::vector<StreamPacket> const& packets, Stalls stalls,
                                     std::uint64_t seed) {
    constexpr std::uint64_t kPatience = 100000;
    Random random(seed);
    std::vector<StreamResult> out(packets.size());
    std::size_t sent = 0, at = 0, received = 0;
    bool in_packet = false;
    std::uint64_t moved = 0;
    reset(dut);
    for (std::uint64_t cycle = 0; received < packets.size(); ++cycle) {
        bool offered = sent < packets.size() && (at > 0 || cycle >= packets[sent].offer);
        // A beat once offered stays: valid does not fall before ready.
        if (offered && dut.s_valid == 0 && random.chance(stalls.source)) offered = false;
        dut.s_valid = offered;
        if (offered) drive(dut, packets[sent], at, random);
        dut.m_ready = (in_packet || cycle >= packets[received].sink_ready) && !random.chance(stalls.sink);
        dut.eval();
        bool const accepted = offered && dut.s_ready != 0;
        bool const delivered = dut.m_valid != 0 && dut.m_ready != 0;
        if (accepted || delivered) moved = cycle;
        if (cycle > moved + kPatience) throw std::runtime_error("no beat moved for 100,000 cycles");
        if (accepted) {
            if (at == 0) out[sent].stamps.head_in = cycle;
            at += kBeat;
            if (at >= packets[sent].data.size()) {
                out[sent].stamps.tail_in = cycle + 1;
                at = 0;
                ++sent;
            }
        }
        if (delivered) {
            StreamResult& result = out[received];
            if (!in_packet) {
                result.stamps.head_out = cycle;
                if constexpr (requires { dut.m_base; }) result.base = dut.m_base;
                if constexpr (requires { dut.m_size; }) result.size = dut.m_size;
                if constexpr (requires { dut.m_compressed; }) result.compressed = dut.m_compressed;
            }
            if constexpr (requires { dut.m_compressed; })
                if (result.compressed != (dut.m_compressed != 0))
                    throw std::runtime_error("the flag changes inside a packet");
            in_packet = dut.m_last == 0;
            std::size_t const bytes = dut.m_bytes;
            if (bytes == 0 || bytes > kBeat || (in_packet && bytes != kBeat))
                throw std::runtime_error("beat of " + std::to_string(bytes) + " bytes");
            auto const* beat = reinterpret_cast<std::uint8_t const*>(&dut.m_data[0]);
            result.data.insert(result.data.end(), beat, beat + bytes);
            if (!in_packet) {
                if constexpr (requires { dut.m_error; }) result.error = dut.m_error != 0;
                result.stamps.tail_out = cycle + 1;
                ++received;
            }
        }
        step(dut);
        if (accepted) dut.s_valid = 0;
    }
    return out;
}

}  // namespace netzip::rtl
