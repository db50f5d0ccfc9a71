#pragma once

#include <memory>
#include <span>

#include "workloads/message_source.h"

namespace netzip {

/// The RDMA writes of a packet capture: each message whole, posted when its first packet was seen.
///
/// Models:          one queue pair per source, destination and queue pair number; sequence numbers: a packet that comes
///                  twice counts once, packets behind a lost one wait until it is sent again.
/// Approximates:    a message is posted at the time of its first packet on the wire.
/// Does not model:  sends, reads, atomics and acknowledgements: they are skipped and counted.
std::unique_ptr<MessageSource> make_capture_source(WorkloadConfig const& config);

/// The same for a capture in memory, which must outlive the source.
std::unique_ptr<MessageSource> make_capture_source(WorkloadConfig const& config, std::span<std::uint8_t const> bytes);

}  // namespace netzip
