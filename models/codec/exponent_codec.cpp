#include "models/codec/exponent_codec.h"

#include <algorithm>

#include "base/error.h"

namespace netzip {
namespace {

/// A block that begins with this byte is the packet itself.
constexpr std::uint8_t kStored = 0xFF;
/// The original length modulo 15 stands above the codec's flags: no single bit and no small step of a length leaves
/// it as it is, and it never makes kStored.
constexpr std::size_t kLengthModulus = 15;
constexpr unsigned kLengthShift = 3;

std::uint8_t length_check(std::size_t bytes) {
    return static_cast<std::uint8_t>(bytes % kLengthModulus << kLengthShift);
}

}  // namespace

void ExponentCodec::compress(PacketContext const& context, ByteSpan in, ByteBuffer& out, BlockWork& work) {
    std::size_t const start = out.size();
    std::size_t const tail = in.size() % element_bytes(context.type);
    work.reset();
    work.bytes_in = static_cast<std::uint32_t>(in.size());
    read_exponents(context.type, in, exponents_);
    part_begin_ = start;
    out.push_back(0);
    std::uint8_t const flags = encode(context, in.first(in.size() - tail), out, work);
    out[start] = flags | length_check(in.size());
    out.insert(out.end(), in.end() - static_cast<std::ptrdiff_t>(tail), in.end());
    end_part(out.size(), work);
    if (out.size() - start > in.size()) {
        out.resize(start);
        out.push_back(kStored);
        out.insert(out.end(), in.begin(), in.end());
        work.stored_raw = true;
        work.parts.clear();
    }
    work.bytes_out = static_cast<std::uint32_t>(out.size() - start);
}

void ExponentCodec::decompress(PacketContext const& context, ByteSpan in, std::span<std::uint8_t> out,
                               BlockWork& work) {
    work.reset();
    work.bytes_in = static_cast<std::uint32_t>(out.size());
    work.bytes_out = static_cast<std::uint32_t>(in.size());
    std::size_t const tail = out.size() % element_bytes(context.type);
    if (in.empty()) throw RunError("exponent codec: an empty block");
    if (in[0] == kStored) {
        if (in.size() - 1 != out.size()) throw RunError("exponent codec: a stored block of the wrong size");
        std::copy(in.begin() + 1, in.end(), out.begin());
        work.stored_raw = true;
        return;
    }
    if (in.size() < 1 + tail) throw RunError("exponent codec: a block without the tail of its packet");
    if ((in[0] & ~kOwnFlags) != length_check(out.size()))
        throw RunError("exponent codec: a block of another original length");
    exponents_.resize(out.size() / element_bytes(context.type));
    part_begin_ = 0;
    decode(context, in[0] & kOwnFlags, in.subspan(1, in.size() - 1 - tail), out.first(out.size() - tail), work);
    std::copy(in.end() - static_cast<std::ptrdiff_t>(tail), in.end(), out.end() - static_cast<std::ptrdiff_t>(tail));
    end_part(in.size(), work);
}

void ExponentCodec::end_part(std::size_t at, BlockWork& work) {
    work.parts.push_back(static_cast<std::uint32_t>(at - part_begin_));
    part_begin_ = at;
}

}  // namespace netzip
