#pragma once

#include <memory>

#include "models/codec/codec.h"

namespace netzip {

std::unique_ptr<Codec> make_stored();
std::unique_ptr<Codec> make_lz4();
std::unique_ptr<Codec> make_lz4_hw(LzEngineConfig const& config);
std::unique_ptr<Codec> make_snappy();
std::unique_ptr<Codec> make_zstd(int level);
std::unique_ptr<Codec> make_deflate(int level);
std::unique_ptr<Codec> make_exponent_window(unsigned bits, WindowBase base);
std::unique_ptr<Codec> make_exponent_prefix(std::size_t lanes, std::size_t anchor_values);
std::unique_ptr<Codec> make_exponent_huffman(std::size_t lanes);

}  // namespace netzip
