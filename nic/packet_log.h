#pragma once

#include <cstdint>
#include <string>

#include "base/results/output_file.h"
#include "nic/message_table.h"
#include "pipeline/packet_tag.h"
#include "pipeline/trace/trace.h"

namespace netzip {

/// Writes a line per packet of the workload: what it was, its sizes, and when its last byte left each station.
///
/// CSV; times in ns with six decimals, exact; columns of stations that the packet did not pass are empty. Only packets
/// whose life touches the window of the limits; after `limits.bytes` the rest is left out and counted.
class PacketLog {
public:
    PacketLog(std::string const& path, TraceLimits const& limits);

    void packet(PostedMessage const& posted, PacketTag const& tag, Duration complete);
    /// Finishes the file; a line for the user when something was left out, else an empty string.
    std::string close();

private:
    OutputFile file_;
    TraceLimits limits_;
    std::uint64_t left_out_ = 0;
};

}  // namespace netzip
