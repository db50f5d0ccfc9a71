#pragma once

#include <string>
#include <vector>

namespace netzip {

/// Words of a `run` of the 50 Gb/s experiment into `directory` that takes a fraction of a second: made-up tensors of
/// 128 KiB instead of the recording. `sets` are further values.
inline std::vector<std::string> small_run(std::string const& directory, std::vector<std::string> const& sets = {}) {
    std::vector<std::string> words{"run", NETZIP_SOURCE_DIR "/configs/experiments/two_nodes_fpga_50g.toml", "-o",
                                   directory};
    for (char const* set : {"workload.source=synthetic", "workload.synthetic.tensors=2",
                            "workload.synthetic.tensor_size=64 KiB", "workload.message_size=32 KiB"}) {
        words.insert(words.end(), {"--set", set});
    }
    for (std::string const& set : sets) words.insert(words.end(), {"--set", set});
    return words;
}

}  // namespace netzip
