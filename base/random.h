#pragma once

#include <cstdint>

namespace netzip {

/// Mixes 64 bits so that every output bit depends on every input bit (the finaliser of SplitMix64, Steele et al.,
/// OOPSLA 2014). A bijection, the same on every machine.
constexpr std::uint64_t mix64(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/// SplitMix64: a fixed sequence of 64-bit numbers from `state`.
constexpr std::uint64_t next_random(std::uint64_t& state) {
    constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio, odd
    return mix64(state += kStep);
}

/// Random numbers by position instead of by history: number `index` of stream `key` is a pure function of both.
class CounterRandom {
public:
    explicit constexpr CounterRandom(std::uint64_t key) : key_(mix64(key)) {}
    /// A stream of its own for each `index`.
    constexpr CounterRandom stream(std::uint64_t index) const { return CounterRandom(at(index) ^ kStream); }
    constexpr std::uint64_t at(std::uint64_t index) const { return mix64(key_ + (index + 1) * kStep); }

private:
    static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;    ///< 2^64 / golden ratio, odd
    static constexpr std::uint64_t kStream = 0xd1342543de82ef95;  ///< keeps a stream apart from its numbers

    std::uint64_t key_;
};

}  // namespace netzip
