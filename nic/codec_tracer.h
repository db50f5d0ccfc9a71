#pragma once

#include <memory>
#include <string>

#include "nic/experiment_config.h"
#include "pipeline/codec_trace.h"

namespace netzip {

/// Runs every packet of the workload through the transmit and receive transforms of the NIC once, on all cores, and
/// compares what comes back.
///
/// `cache` is a directory for the result, or empty. A file there is named after a digest of the messages, their bytes,
/// the algorithm, the path MTU and the version, so a stale one is never read; a damaged one is made anew.
std::unique_ptr<CodecTrace> trace_codecs(ExperimentConfig const& config, std::string const& cache);

/// The same on the calling thread alone and without a cache.
CodecTrace trace_on_one_core(ExperimentConfig const& config);

}  // namespace netzip
