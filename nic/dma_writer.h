#pragma once

#include <functional>

#include "nic/memory_port.h"
#include "nic/nic_config.h"
#include "pipeline/payload_pool.h"
#include "pipeline/ring.h"
#include "pipeline/stage_recorder.h"
#include "pipeline/stream_port.h"

namespace netzip {

/// Receive half of the DMA engine: writes packets to host memory.
///
/// Models:          PCIe memory writes at the link's rate with per-TLP bytes, a receive buffer of whole packets, the
///                  completion entry of a message that was sent.
/// Approximates:    writes are posted: a packet is complete when its last byte is visible in memory.
/// Does not model:  contention with the reads of the other half.
class DmaWriter : public sc_core::sc_module, public Watched, private StreamSink {
public:
    StreamInput in;
    MemoryPort memory;

    /// Called when the time at which the packet's last byte is in memory is known, which is at or before that time;
    /// the packet is gone after the call.
    using PacketDone = std::function<void(Payload&, Duration complete)>;

    DmaWriter(sc_core::sc_module_name name, DmaConfig const& config, PacketDone packet_done);

    /// Writes the completion entry of a message that was acknowledged; when it is at the memory.
    Duration write_completion();

    StageStats stats() const;
    void watch(Trace& trace, std::string const& track) override { recorder_.watch(trace, track); }

private:
    void arrived(StreamInput& port, Payload& payload, Duration head) override;

    DmaConfig config_;
    PacketDone packet_done_;
    PcieTimer pcie_;
    Ring<Duration> slots_;  ///< when each packet in the buffer is out of it, in order
    StageRecorder recorder_;
};

}  // namespace netzip
