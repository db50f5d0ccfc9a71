#pragma once

#include <memory>

#include "models/algorithm.h"
#include "models/timing/bank_config.h"
#include "models/timing/engine.h"

namespace netzip {

/// One engine of the bank for the codec of `algorithm`; without a codec one that only passes bytes on.
std::unique_ptr<Engine> compressor_engine(CompressorConfig const& c, AlgorithmConfig const& algorithm);
std::unique_ptr<Engine> decompressor_engine(DecompressorConfig const& d, AlgorithmConfig const& algorithm);

}  // namespace netzip
