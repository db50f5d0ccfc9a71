#pragma once

#include <vector>

#include "models/codec/codec.h"
#include "models/codec/number_fields.h"

namespace netzip {

/// What the exponent codecs share: values split into fields, the tail, and the fallback to a stored block.
class ExponentCodec : public Codec {
public:
    void compress(PacketContext const& context, ByteSpan in, ByteBuffer& out, BlockWork& work) final;
    void decompress(PacketContext const& context, ByteSpan in, std::span<std::uint8_t> out, BlockWork& work) final;

protected:
    /// Bits of the block's first byte that are the codec's own.
    static constexpr std::uint8_t kOwnFlags = 7;

    /// Appends the code of whole values, whose exponent fields `exponents_` holds; returns the codec's flags. The block
    /// begins with a byte that is there already.
    virtual std::uint8_t encode(PacketContext const& context, ByteSpan values, ByteBuffer& out, BlockWork& work) = 0;
    /// Restores whole values from all of `block`, the block but its first byte; `exponents_` has their number.
    virtual void decode(PacketContext const& context, std::uint8_t flags, ByteSpan block,
                        std::span<std::uint8_t> values, BlockWork& work) = 0;

    /// The next entry of BlockWork::parts: a part ends at byte `at`, of `out` in encode(), of the block in decode().
    void end_part(std::size_t at, BlockWork& work);

    std::vector<std::uint8_t> exponents_;

private:
    std::size_t part_begin_ = 0;
};

}  // namespace netzip
