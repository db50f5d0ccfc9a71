#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace netzip {

/// SHA-256 (FIPS 180-4) of a growing byte string, for comparing with recorded digests.
class Sha256 {
public:
    void add(std::uint8_t const* data, std::size_t size);
    /// Lower-case hexadecimal digest; the object is spent.
    std::string hex();

private:
    void block(std::uint8_t const* at);

    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::vector<std::uint8_t> pending_;
    std::uint64_t bytes_ = 0;
};

}  // namespace netzip
