#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/algorithm.h"
#include "models/codec/work.h"

namespace netzip {

using ByteSpan = std::span<std::uint8_t const>;
using ByteBuffer = std::vector<std::uint8_t>;

/// What a codec may know about a packet beyond its bytes.
struct PacketContext {
    std::uint16_t layer = 0;          ///< 15-bit layer id of the NetZIP header
    bool first_of_tensor = false;     ///< first packet of a layer's new iteration
    std::uint64_t tensor_offset = 0;  ///< bytes of the tensor before this packet
    DataType type = DataType::bf16;
};

/// A block codec. One object per direction and node: some keep state per layer.
///
/// `compress` appends the coded block to `out` and fills `work`; it never fails (incompressible data may grow).
/// `decompress` fills the whole of `out`, whose size is the original length, and throws RunError on any input that
/// does not decode to exactly that many bytes; it never reads or writes outside the spans.
class Codec {
public:
    virtual ~Codec() = default;
    virtual void compress(PacketContext const& context, ByteSpan in, ByteBuffer& out, BlockWork& work) = 0;
    virtual void decompress(PacketContext const& context, ByteSpan in, std::span<std::uint8_t> out,
                            BlockWork& work) = 0;
};

/// The one switch from kind to codec.
std::unique_ptr<Codec> make_codec(AlgorithmConfig const& config);

}  // namespace netzip
