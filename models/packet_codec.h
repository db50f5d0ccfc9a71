#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "models/codec/codec.h"
#include "models/transform/delta.h"

namespace netzip {

/// Bytes of the NetZIP header (1 flag bit, 15 bits of layer id) that stands before every payload.
inline constexpr std::size_t kNetzipHeaderBytes = 2;
/// Largest packet: the original length travels in 16 bits.
inline constexpr std::size_t kMaximumPacketBytes = 65535;

/// Grouped packet -> compressed payload, without the NetZIP header:
/// `original length (2 B, little-endian) | [group mask and lengths] | coded blocks | base`.
class PacketCompressor {
public:
    explicit PacketCompressor(AlgorithmConfig const& config);
    ~PacketCompressor();
    /// Replaces `out`. `grouped` has at most kMaximumPacketBytes.
    void compress(PacketContext const& context, ByteSpan grouped, DeltaBase const& base, ByteBuffer& out,
                  CodecWork& work);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The inverse: fills `grouped` (resized to the original length) and `base`; throws RunError on damaged input.
class PacketDecompressor {
public:
    explicit PacketDecompressor(AlgorithmConfig const& config);
    ~PacketDecompressor();
    void decompress(PacketContext const& context, ByteSpan payload, ByteBuffer& grouped, DeltaBase& base,
                    CodecWork& work);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// A packet as it goes onto the wire after the whole transmit path, NetZIP header excluded.
struct EncodedPacket {
    ByteBuffer payload;  ///< compressed payload, or the packet itself when `raw`
    bool raw = false;    ///< did not shrink: travels as it came
    CodecWork work;      ///< of the attempt, also when raw
};

/// Delta, grouping and codec in a row: what the transmit path does to the bytes, apart from when.
class PacketEncoder {
public:
    explicit PacketEncoder(AlgorithmConfig const& config);
    ~PacketEncoder();
    void encode(PacketContext const& context, ByteSpan packet, EncodedPacket& out);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The receive path: restores `packet` from what arrived.
class PacketDecoder {
public:
    explicit PacketDecoder(AlgorithmConfig const& config);
    ~PacketDecoder();
    void decode(PacketContext const& context, EncodedPacket const& in, ByteBuffer& packet, CodecWork& work);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace netzip
