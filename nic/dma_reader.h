#pragma once

#include <vector>

#include "nic/memory_port.h"
#include "nic/nic_config.h"
#include "nic/work_descriptor.h"
#include "pipeline/calendar.h"
#include "pipeline/held_packet.h"
#include "pipeline/payload_pool.h"
#include "pipeline/slot_ring.h"
#include "pipeline/stage_recorder.h"

namespace netzip {

/// Transmit half of the DMA engine: doorbell, descriptor fetch, packet reads.
///
/// Models:          doorbell latency, one 64-byte descriptor read per message, PCIe read requests and completions with
///                  a limited number of tags, a transmit buffer of whole packets. Queue pairs take turns, a packet
///                  each.
/// Approximates:    completions come in order.
///                  A read is issued per cycle while the buffer has room; it then waits for its tags.
/// Does not model:  descriptor prefetch, inline data, contention with the writes of the other half.
class DmaReader : public sc_core::sc_module, public Watched, private tlm::tlm_fw_transport_if<>, private StreamSource {
public:
    tlm::tlm_target_socket<64> doorbell;  ///< a write of the descriptor's address rings it
    MemoryPort memory;
    StreamOutput out;

    /// `with_bytes` false: only sizes travel.
    DmaReader(sc_core::sc_module_name name, DmaConfig const& config, Frequency nic_clock, Bytes path_mtu,
              PayloadPool& pool, bool with_bytes);

    StageStats stats() const;
    void watch(Trace& trace, std::string const& track) override { recorder_.watch(trace, track); }

private:
    struct Fetch {
        Duration at;
        std::uint64_t address;
    };
    /// A message whose descriptor is here: packets `next` and on are to be read.
    struct Work {
        Duration ready;
        WorkDescriptor descriptor;
        std::uint32_t next = 0;
    };
    struct QueuePair {
        Ring<Work> works;
        std::uint64_t sequence = 0;
    };

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
    void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
    Departure depart(StreamOutput& port, Payload& payload, Duration sink_ready) override;

    void issue();
    void schedule();
    void fetch_descriptor();
    QueuePair* next_queue_pair();
    void read_packet(QueuePair& pair);
    void label(PacketTag& tag, Work const& work, QueuePair& pair, std::uint64_t offset, std::uint64_t length) const;

    DmaConfig config_;
    ClockDomain clock_;
    Bytes path_mtu_;
    PayloadPool& pool_;
    bool with_bytes_;
    PcieTimer pcie_;
    Ring<Fetch> fetches_;
    std::vector<QueuePair> pairs_;
    std::size_t turn_ = 0;
    Ring<HeldPacket> buffer_;
    SlotRing slots_;
    Duration free_;
    std::uint64_t serial_ = 0;
    Wakeup wake_;
    bool settling_ = false;
    StageRecorder recorder_;
};

}  // namespace netzip
