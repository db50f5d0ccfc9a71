#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/algorithm.h"
#include "models/packet_codec.h"
#include "models/transform/delta.h"
#include "pipeline/payload_pool.h"

namespace netzip {

/// What the stages of one NIC do to packets, apart from when: the bytes themselves, or only their sizes.
///
/// Each call changes the payload's size and data. A returned CodecWork is valid until the next call.
class PayloadWork {
public:
    virtual ~PayloadWork() = default;

    // Transmit path, in this order for every flagged packet.
    virtual void keep_original(Payload& payload) = 0;
    virtual void delta_encode(Payload& payload) = 0;
    virtual void group(Payload& payload) = 0;
    virtual CodecWork const& compress(Payload& payload) = 0;
    /// The packet did not shrink: it travels as it came.
    virtual void restore_original(Payload& payload) = 0;

    // Receive path.
    /// A flagged packet of the library that came raw still belongs to its layer's history.
    virtual void observe_raw(Payload& payload) = 0;
    virtual CodecWork const& decompress(Payload& payload) = 0;
    virtual void ungroup(Payload& payload) = 0;
    virtual void delta_decode(Payload& payload) = 0;
};

/// Real bytes through the transforms and codecs of `models/`.
class BytesWork : public PayloadWork {
public:
    /// Layers share `base_registers` registers: layer id modulo their number.
    BytesWork(AlgorithmConfig const& config, std::uint64_t base_registers);

    void keep_original(Payload& payload) override;
    void delta_encode(Payload& payload) override;
    void group(Payload& payload) override;
    CodecWork const& compress(Payload& payload) override;
    void restore_original(Payload& payload) override;
    void observe_raw(Payload& payload) override;
    CodecWork const& decompress(Payload& payload) override;
    void ungroup(Payload& payload) override;
    void delta_decode(Payload& payload) override;

private:
    /// A raw packet that waits for the packets before it of its queue pair to reach the delta decoder.
    struct RawPacket {
        std::uint64_t qp_sequence;
        PacketContext context;
        ByteBuffer data;
    };
    PacketContext context_of(PacketTag const& tag) const;
    void observe_before(std::uint16_t queue_pair, std::uint64_t qp_sequence);

    AlgorithmConfig config_;
    std::uint64_t base_registers_;
    DeltaEncoder encoder_;
    DeltaDecoder decoder_;
    PacketCompressor compressor_;
    PacketDecompressor decompressor_;
    CodecWork work_;
    ByteBuffer scratch_;
    std::map<std::uint16_t, std::vector<RawPacket>> raw_;  ///< by queue pair, in order
};

}  // namespace netzip
