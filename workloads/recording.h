#pragma once

#include <string>
#include <vector>

#include "workloads/tensor.h"
#include "workloads/workload_config.h"

namespace netzip {

/// The tensors that a workload selects, in the order in which they are sent: all of the first iteration, then all of
/// the second, and so on; within an iteration in the order of the manifest or of the files.
///
/// Without a manifest a tensor belongs to iteration n when n earlier files hold a tensor of the same name, kind and
/// phase: "step1/grads.safetensors step2/grads.safetensors" are two iterations.
struct Recording {
    std::vector<TensorRef> tensors;
    std::vector<std::string> layers;  ///< name of layer id i + 1
    std::uint32_t iterations = 0;     ///< number of different iterations
    std::vector<std::string> notes;   ///< what was left out or assumed; for the report
};

/// Opens `config.files` and applies the selection of `config`. Throws InputError for files that cannot be used and
/// UsageError for a selection that leaves nothing, one line per problem.
Recording open_recording(WorkloadConfig const& config);

/// The value of `workload.dtype`; nothing for an empty text. Throws UsageError for an unknown one.
std::optional<DataType> parse_data_type(std::string const& text);

}  // namespace netzip
