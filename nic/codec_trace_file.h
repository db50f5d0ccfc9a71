#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "nic/experiment_config.h"
#include "pipeline/codec_trace.h"
#include "workloads/message.h"

namespace netzip {

/// Digest of all that decides a CodecTrace: program, algorithm, path MTU, and every message with its bytes.
class TraceDigest {
public:
    explicit TraceDigest(ExperimentConfig const& config);
    ~TraceDigest();
    void add(Message const& message);
    /// File name in a cache directory; call once, last.
    std::string name();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// False when the file is not there or is not a whole trace of `packets` packets: it is then made anew.
bool read_trace(std::string const& file, std::uint64_t packets, CodecTrace& trace);

/// What `read_trace` reads.
std::string to_bytes(CodecTrace const& trace);

}  // namespace netzip
