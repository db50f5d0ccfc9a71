#pragma once

#include <array>
#include <cstdint>
#include <tlm>

#include "base/units.h"
#include "models/codec/work_counts.h"
#include "models/transform/delta.h"

namespace netzip {

/// The places a packet passes, in order; each leaves the time its last byte left.
enum class Station : std::uint8_t {
    dma_read,
    tx_demux,
    delta_encoder,
    staging_buffer,
    grouper,
    compressor,
    merge,
    tx_slices,
    tx_bypass,
    tx_mux,
    protocol_tx,
    link,
    protocol_rx,
    rx_demux,
    decompressor,
    ungrouping_buffer,
    ungrouper,
    delta_decoder,
    rx_slices,
    rx_bypass,
    rx_mux,
    dma_write,
};
inline constexpr std::size_t kStations = 22;
/// Spelling of a station in results.
char const* station_name(Station station);

/// What a packet carries beside its bytes.
struct PacketTag : tlm::tlm_extension<PacketTag> {
    // Identity, set once by the DMA engine.
    std::uint64_t serial = 0;           ///< number of the packet among all of its sending node
    std::uint32_t message = 0;          ///< slot of the message at the sending node
    std::uint32_t index = 0;            ///< packet of the message
    std::uint64_t workload_packet = 0;  ///< number of the packet in the workload; background packets have none
    std::uint64_t qp_sequence = 0;      ///< packet of the queue pair, in posting order
    std::uint64_t tensor_offset = 0;    ///< bytes of the message before this packet
    std::uint32_t message_bytes = 0;    ///< of tensor, in the whole message
    std::uint32_t original_size = 0;    ///< bytes of tensor
    std::uint16_t queue_pair = 0;
    std::uint16_t layer = 0;
    DataType type = DataType::bf16;
    bool compress = false;  ///< the library set the flag: goes through the accelerator
    bool first_of_message = false;
    bool last_of_message = false;

    // What the accelerator did.
    bool compressed = false;  ///< flag of the NetZIP header on the wire
    DeltaBase base;
    WorkCounts<std::uint32_t> work;  ///< of the compressor's attempt

    // The wire.
    std::uint64_t source_address = 0;  ///< in the sender's host memory
    std::uint64_t target_address = 0;  ///< in the receiver's; stands for the RETH and the connection's context
    std::uint32_t wire_payload = 0;    ///< bytes after the transport header: NetZIP header and payload
    std::uint32_t transmissions = 0;   ///< how often it was sent
    bool acknowledgement = false;      ///< `qp_sequence` is the next packet expected
    bool negative = false;             ///< an acknowledgement that asks for a resend from `qp_sequence` on
    bool damaged = false;

    // Time.
    Duration tail_at;                        ///< when the last byte is where the head is announced
    Duration birth;                          ///< first byte into the transmit path
    Duration compressor_head;                ///< first compressed byte out; zero when the packet went raw
    Duration decompressor_in;                ///< first byte into the receive accelerator
    Duration decompressor_head;              ///< first restored byte out
    std::array<Duration, kStations> left{};  ///< tail time per station; zero where the packet did not pass

    void stamp(Station station, Duration tail) { left[static_cast<std::size_t>(station)] = tail; }
    Duration at(Station station) const { return left[static_cast<std::size_t>(station)]; }

    tlm::tlm_extension_base* clone() const override { return new PacketTag(*this); }
    void copy_from(tlm::tlm_extension_base const& other) override { *this = static_cast<PacketTag const&>(other); }
};

/// Bytes of one packet in its present form, and of the tensor packet it came from.
struct PacketBytes {
    ByteBuffer current;   ///< what travels
    ByteBuffer original;  ///< copy kept for the raw fallback, as the hardware's bypass buffer does
};

/// A payload of the pool: every payload on a stream is one.
struct PooledPayload : tlm::tlm_generic_payload {
    explicit PooledPayload(tlm::tlm_mm_interface* pool) : tlm::tlm_generic_payload(pool) { set_extension(&tag); }
    ~PooledPayload() override { clear_extension(&tag); }

    PacketTag tag;  ///< also reachable as an extension, for tools that know nothing of the pool
    PacketBytes bytes;
};

/// The tag of a payload of the pool. Not get_extension: it is asked for a hundred times per packet.
inline PacketTag& tag_of(tlm::tlm_generic_payload& payload) {
    return static_cast<PooledPayload&>(payload).tag;
}

}  // namespace netzip
