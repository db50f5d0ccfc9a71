#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "models/codec/codec.h"

namespace netzip {

/// The base that travels at the end of a payload: 0 to 4 bytes, little-endian.
struct DeltaBase {
    std::array<std::uint8_t, 4> bytes{};
    std::uint8_t size = 0;
    ByteSpan span() const { return {bytes.data(), size}; }
};

/// Bytes of base that every packet of this kind and type carries (first iterations carry a neutral base).
std::size_t delta_base_bytes(DeltaKind kind, DataType type);

/// Values whose bits differ between two packets of the same size: what a lossy delta has lost. A trailing fraction of
/// a value counts as one.
std::size_t count_different_values(DataType type, ByteSpan a, ByteSpan b);

/// Subtracts the base in place and keeps what the next iteration of each layer needs (running minimum, or the
/// tensor itself for the true deltas). A trailing fraction of an element is left as it is.
class DeltaEncoder {
public:
    explicit DeltaEncoder(DeltaKind kind);
    ~DeltaEncoder();
    DeltaBase encode(PacketContext const& context, std::span<std::uint8_t> data);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Adds the base that came with the packet; for the true deltas, the previous iteration that it received itself.
class DeltaDecoder {
public:
    explicit DeltaDecoder(DeltaKind kind);
    ~DeltaDecoder();
    void decode(PacketContext const& context, ByteSpan base, std::span<std::uint8_t> data);
    /// A packet that came without delta (raw fallback) still belongs to the layer's history.
    /// Only the true deltas have one; for the others this does nothing.
    void observe(PacketContext const& context, ByteSpan data);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace netzip
