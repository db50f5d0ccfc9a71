#pragma once

#include <cstdint>

namespace netzip {

/// Counter-based random bits (SplitMix64's finaliser over key and counter): the value for a frame depends on nothing
/// but the seed and the frame's number, so it is the same on every machine and whatever else the run contains.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t counter) {
    std::uint64_t z = seed * 0x9E3779B97F4A7C15ull + counter * 0xD1B54A32D192ED03ull + 0x8CB92BA72F3D8DD7ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

}  // namespace netzip
