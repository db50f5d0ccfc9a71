#pragma once

#include "base/random.h"
#include "workloads/recording.h"

namespace netzip {

/// Tensors made from a seed, as if they had been recorded. Nothing is computed before it is loaded.
Recording synthetic_recording(SyntheticConfig const& config, std::uint64_t iterations);

/// Random bytes: the same for equal stream and range.
std::shared_ptr<std::vector<std::uint8_t> const> random_bytes(CounterRandom const& stream, std::uint64_t offset,
                                                              std::uint64_t size);

}  // namespace netzip
