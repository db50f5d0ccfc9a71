#pragma once

#include <array>
#include <map>
#include <string>

#include "base/stats/samples.h"
#include "nic/doorbell.h"
#include "nic/host_memory.h"
#include "nic/message_table.h"
#include "nic/packet_log.h"
#include "pipeline/codec_trace.h"
#include "pipeline/payload_pool.h"

namespace netzip {

/// What one kind of tensor, one layer or everything amounts to.
struct TrafficTally {
    std::uint64_t packets = 0;
    std::uint64_t raw_packets = 0;     ///< flagged packets that did not shrink
    std::uint64_t bypass_packets = 0;  ///< not flagged
    Bytes tensor_bytes;
    Bytes wire_payload;  ///< NetZIP header and payload of each packet's first transmission

    void add(PacketTag const& tag);
};

/// Times of all packets of the workload, exact.
struct LatencyTally {
    Samples packet;  ///< first byte into the transmit path to last byte in the receiver's memory
    Samples compress_first_byte;
    Samples decompress_first_byte;
    struct StationTally {
        std::uint64_t packets = 0;
        Duration total;
        Duration most;
    };
    std::array<StationTally, kStations> stations{};  ///< tail of the station before to tail of this one

    void add(PacketTag const& tag, Duration complete);
};

/// The receiving host: its memory, the comparison of every bit with what was sent, and the tallies.
class Receiver : public sc_core::sc_module {
public:
    Doorbell doorbell;  ///< of its own NIC; this host posts nothing
    HostMemory memory;

    /// With a `trace` only sizes arrive, and what does not come back is what the trace found.
    Receiver(sc_core::sc_module_name name, HostConfig const& host, MessageTable& table, Bytes path_mtu,
             CodecTrace const* trace);

    /// Registers memory for a message; returns its address.
    std::uint64_t prepare(std::uint32_t slot);
    /// A packet's last byte is in memory.
    void packet_done(Payload& payload, Duration complete);
    /// Writes every packet of the workload to `log` (not owned) when it is complete; null: to nothing.
    void log_packets(PacketLog* log) { log_ = log; }
    /// True when every byte of the message is in memory.
    bool complete(std::uint32_t slot) const;
    void finished(std::uint32_t slot);

    TrafficTally const& all() const { return all_; }
    TrafficTally const& background() const { return background_; }
    std::map<std::string, TrafficTally> const& by_kind() const { return by_kind_; }
    std::map<std::string, TrafficTally> const& by_layer() const { return by_layer_; }
    LatencyTally const& latency() const { return latency_; }
    WorkCounts<std::uint64_t> const& work() const { return work_; }
    std::uint64_t mismatched_values() const { return mismatched_values_; }
    std::uint64_t compared_values() const { return compared_values_; }
    /// Tensor, packet, element and both values of the first mismatch; empty when there is none.
    std::string const& first_mismatch() const { return first_mismatch_; }
    Duration last_complete() const { return last_complete_; }
    std::uint64_t packets_done() const { return all_.packets + background_.packets; }

private:
    /// Where the packets of a message count.
    struct Tallies {
        TrafficTally* kind = nullptr;
        TrafficTally* layer = nullptr;
    };
    void compare(PostedMessage const& posted, PacketTag const& tag);
    Tallies tallies_of(std::uint32_t slot, Message const& message);

    MessageTable& table_;
    Bytes path_mtu_;
    CodecTrace const* trace_;
    TrafficTally all_;
    TrafficTally background_;
    std::map<std::string, TrafficTally> by_kind_;
    std::map<std::string, TrafficTally> by_layer_;
    std::vector<Tallies> tallies_;  ///< by message slot
    LatencyTally latency_;
    WorkCounts<std::uint64_t> work_;
    std::uint64_t mismatched_values_ = 0;
    std::uint64_t compared_values_ = 0;
    std::string first_mismatch_;
    std::uint8_t nowhere_ = 0;
    PacketLog* log_ = nullptr;
    Duration last_complete_;
};

}  // namespace netzip
