#pragma once

#include <string>
#include <vector>

#include "stream_bench.h"

namespace netzip::rtl {

/// The recorded tensors that ship with the project, cut into packets of `bytes`; the last of a tensor may be shorter.
/// At most `most` packets, spread evenly over the recordings.
std::vector<ByteBuffer> recorded_packets(std::size_t most, std::size_t bytes = 4096);

/// Packets that break transforms and codecs: zeros, all ones, one value, two values, ramps, NaNs, alternations, noise,
/// bf16 noise of several scales, runs that end at the packet's end.
ByteBuffer adversarial_packet(unsigned kind, std::size_t bytes, Random& random);
inline constexpr unsigned kAdversarialKinds = 12;

/// What the exponent coders of sv/ code and decode: 32 lanes and blocks of 128 values, or windows of 7 exponents.
AlgorithmConfig exponent_prefix_of_rtl();
AlgorithmConfig exponent_window_of_rtl();

/// bf16 noise with zeros and a few -0, whole blocks of 128 values of zeros among them.
ByteBuffer sparse_packet(std::size_t bytes, Random& random);

/// bf16 noise in which every value of a few lanes of 32 needs an escape: lanes of up to 128 B in an exponent-prefix
/// block.
ByteBuffer escaped_lanes(std::size_t bytes, Random& random);

/// All of these of up to `bytes`, two fifths recorded; a good third is shorter, of any length.
std::vector<ByteBuffer> mixed_exponent_packets(std::size_t count, std::size_t bytes, Random& random);

}  // namespace netzip::rtl
