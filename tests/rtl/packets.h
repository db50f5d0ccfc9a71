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

}  // namespace netzip::rtl
