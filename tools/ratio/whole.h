#pragma once

#include <atomic>

#include "tools/ratio/measure.h"

namespace netzip {

/// Throws UsageError for codecs that are formats of packets and not of whole tensors.
void check_whole(std::vector<AlgorithmConfig> const& combinations);

/// One combination on the whole tensors of one layer. Counts the coded groups, 8 B of length for the tensor and for
/// each group coded apart, the group mask and the base; a tensor that would grow is stored raw.
Measured measure_whole(AlgorithmConfig const& algorithm, RatioLayer const& layer, std::atomic<std::uint64_t>& done);

}  // namespace netzip
