#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace netzip {

/// SHA-256 (FIPS 180-4) of bytes that come in pieces.
class Sha256 {
public:
    void add(std::span<std::uint8_t const> bytes);
    /// The digest in lower-case hexadecimal; the object is used up.
    std::string hex();

private:
    void block(std::uint8_t const* bytes);

    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::uint8_t, 64> pending_{};
    std::uint64_t size_ = 0;
};

std::string sha256_hex(std::span<std::uint8_t const> bytes);

}  // namespace netzip
