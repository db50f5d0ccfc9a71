#pragma once

#include <string>

#include "nic/experiment_config.h"

namespace netzip {

/// Name of the entry that keeps the statistics of `plain`, a configuration without the accelerator: a digest of the
/// program, of every value that has an effect on the run, and of the messages (all but their bytes, which no plain
/// NIC looks at).
std::string plain_entry_name(ExperimentConfig const& plain);

}  // namespace netzip
