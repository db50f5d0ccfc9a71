#pragma once

#include <cstdint>
#include <random>

#include "models/codec/codec.h"

namespace netzip {

/// All 65,536 bf16 patterns in order: every NaN payload, infinity, zero and denormal.
inline ByteBuffer all_bf16_patterns() {
    ByteBuffer bytes;
    for (unsigned p = 0; p < 65536; ++p) {
        bytes.push_back(static_cast<std::uint8_t>(p));
        bytes.push_back(static_cast<std::uint8_t>(p >> 8));
    }
    return bytes;
}

inline ByteBuffer random_bytes(std::size_t size, unsigned seed) {
    std::mt19937 generator(seed);
    ByteBuffer bytes(size);
    for (auto& b : bytes) b = static_cast<std::uint8_t>(generator());
    return bytes;
}

/// 16-bit values with few exponents: compressible, with a sprinkle of zeros.
inline ByteBuffer dense_bytes(std::size_t size, unsigned seed) {
    ByteBuffer bytes = random_bytes(size, seed);
    for (std::size_t i = 1; i < size; i += 2) bytes[i] = static_cast<std::uint8_t>(0x3C + (bytes[i] & 0x81));
    for (std::size_t i = 0; i + 1 < size; i += 26) bytes[i] = bytes[i + 1] = 0;
    return bytes;
}

/// As `dense_bytes`, but three values in four are zero, scattered; and the second half of the packet is.
inline ByteBuffer sparse_bytes(std::size_t size, unsigned seed) {
    ByteBuffer bytes = dense_bytes(size, seed);
    std::mt19937 generator(seed);
    for (std::size_t i = 0; i + 1 < size; i += 2)
        if (i > size / 2 || generator() % 4 != 0) bytes[i] = bytes[i + 1] = 0;
    return bytes;
}

}  // namespace netzip
