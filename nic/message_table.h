#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "workloads/message.h"

namespace netzip {

/// A message under way, seen from both hosts.
struct PostedMessage {
    Message message;
    bool background = false;
    bool in_use = false;
    Duration posted;
    std::vector<std::uint8_t> descriptor;  ///< the work queue entry in the sender's memory
    std::vector<std::uint8_t> received;    ///< the receiver's memory; empty when only sizes travel
    std::uint64_t bytes_done = 0;          ///< complete in the receiver's memory
    bool acknowledged = false;
};

/// The messages under way; slots are reused, so memory does not grow with the recording.
class MessageTable {
public:
    /// A free slot, marked in use.
    std::uint32_t take();
    void free(std::uint32_t slot);
    PostedMessage& at(std::uint32_t slot) { return slots_[slot]; }
    std::uint64_t in_use() const { return slots_.size() - idle_.size(); }

private:
    std::vector<PostedMessage> slots_;
    std::vector<std::uint32_t> idle_;
};

}  // namespace netzip
