#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace netzip {

/// Bytes as text, to compare and to write.
inline std::string as_text(std::span<std::uint8_t const> bytes) {
    return {bytes.begin(), bytes.end()};
}

/// `n` little-endian bytes of a number.
inline std::string little_endian(std::uint64_t value, std::size_t n) {
    std::string bytes;
    for (std::size_t i = 0; i < n; ++i) bytes += static_cast<char>(value >> (8 * i));
    return bytes;
}

/// A safetensors file of this header and data.
inline std::string safetensors_file(std::string const& header, std::string const& data) {
    return little_endian(header.size(), 8) + header + data;
}

/// A version-1 .npy file of this dictionary and data, padded as NumPy pads it.
inline std::string npy_file(std::string dict, std::string const& data) {
    while ((10 + dict.size() + 1) % 64 != 0) dict += ' ';
    dict += '\n';
    return "\x93NUMPY" + std::string("\x01\0", 2) + little_endian(dict.size(), 2) + dict + data;
}

}  // namespace netzip
