#pragma once

#include "models/codec/codec.h"

namespace netzip {

/// Adds one sequence to `work`.
void add_sequence(BlockWork& work, std::size_t literals, std::size_t match_length, std::size_t offset);

/// Reads the sequences of an LZ4 block; false when it is not one that decodes to `original` bytes.
bool read_lz4_sequences(ByteSpan block, std::size_t original, BlockWork& work);
/// Reads the sequences of a Snappy block; false when it is not one.
bool read_snappy_sequences(ByteSpan block, BlockWork& work);

}  // namespace netzip
