#include "models/packet_codec.h"

#include <algorithm>

#include "base/error.h"
#include "models/transform/grouping.h"

namespace netzip {
namespace {

constexpr std::size_t kLengthBytes = 2;
/// Groups of up to this size keep their coded length in one byte where it is known to be smaller.
constexpr std::size_t kShortGroup = 256;

void append_little_endian(std::size_t value, std::size_t bytes, ByteBuffer& out) {
    for (std::size_t i = 0; i < bytes; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

/// What a packet consists of; computed anew only when the packet's size or type changes.
class Layout {
public:
    std::vector<GroupExtent> const& of(AlgorithmConfig const& config, DataType type, std::size_t bytes) {
        if (extents_.empty() || type != type_ || bytes != bytes_) {
            type_ = type;
            bytes_ = bytes;
            bool const whole = config.group_policy == GroupPolicy::one_block || bytes == 0;
            extents_ = group_layout(whole ? GroupingKind::none : config.grouping, type, bytes);
        }
        return extents_;
    }

private:
    DataType type_ = DataType::bf16;
    std::size_t bytes_ = 0;
    std::vector<GroupExtent> extents_;
};

/// Bytes of the coded length of a group. Compressed groups of `per_group_or_raw` are smaller than the group.
std::size_t length_bytes(GroupPolicy policy, GroupExtent const& extent) {
    return policy == GroupPolicy::per_group_or_raw && extent.size <= kShortGroup ? 1 : kLengthBytes;
}

}  // namespace

struct PacketCompressor::State {
    AlgorithmConfig config;
    std::unique_ptr<Codec> codec;
    Layout layout;
    ByteBuffer blocks;

    /// Codes one group to the end of `blocks`, or copies it when the policy asks for the smaller one.
    void code(PacketContext const& context, ByteSpan in, BlockWork& work) {
        std::size_t const start = blocks.size();
        codec->compress(context, in, blocks, work);
        if (config.group_policy != GroupPolicy::per_group_or_raw || blocks.size() - start < in.size()) return;
        blocks.resize(start);
        blocks.insert(blocks.end(), in.begin(), in.end());
        work.bytes_out = static_cast<std::uint32_t>(in.size());
        work.stored_raw = true;
    }

    /// Mask and lengths; the last length that would stand here follows from the size of the payload.
    void append_lengths(std::vector<GroupExtent> const& extents, CodecWork const& work, ByteBuffer& out) const {
        bool const masked = config.group_policy == GroupPolicy::per_group_or_raw;
        if (masked) {
            std::size_t const mask_at = out.size();
            out.resize(mask_at + (extents.size() + 7) / 8, 0);
            for (std::size_t g = 0; g < extents.size(); ++g)
                if (!work.blocks[g].stored_raw) out[mask_at + g / 8] |= static_cast<std::uint8_t>(1U << (g % 8));
        }
        std::size_t implied = extents.size();
        for (std::size_t g = 0; g < extents.size(); ++g)
            if (!masked || !work.blocks[g].stored_raw) implied = g;
        for (std::size_t g = 0; g < implied; ++g)
            if (!masked || !work.blocks[g].stored_raw)
                append_little_endian(work.blocks[g].bytes_out, length_bytes(config.group_policy, extents[g]), out);
    }
};

PacketCompressor::PacketCompressor(AlgorithmConfig const& config)
    : state_(new State{config, make_codec(config), {}, {}}) {}
PacketCompressor::~PacketCompressor() = default;

void PacketCompressor::compress(PacketContext const& context, ByteSpan grouped, DeltaBase const& base, ByteBuffer& out,
                                CodecWork& work) {
    if (grouped.size() > kMaximumPacketBytes)
        throw RunError("a packet of " + std::to_string(grouped.size()) + " B is longer than its 16-bit length field");
    State& s = *state_;
    out.clear();
    append_little_endian(grouped.size(), kLengthBytes, out);
    if (s.config.group_policy == GroupPolicy::one_block) {
        work.blocks.resize(1);
        s.codec->compress(context, grouped, out, work.blocks[0]);
    } else {
        auto const& extents = s.layout.of(s.config, context.type, grouped.size());
        work.blocks.resize(extents.size());
        s.blocks.clear();
        for (std::size_t g = 0; g < extents.size(); ++g)
            s.code(context, grouped.subspan(extents[g].offset, extents[g].size), work.blocks[g]);
        s.append_lengths(extents, work, out);
        out.insert(out.end(), s.blocks.begin(), s.blocks.end());
    }
    auto const tail = base.span();
    out.insert(out.end(), tail.begin(), tail.end());
}

struct PacketDecompressor::State {
    AlgorithmConfig config;
    std::unique_ptr<Codec> codec;
    Layout layout;
    std::vector<std::size_t> lengths;

    /// Takes `n` bytes off the front of `rest`.
    static ByteSpan take(ByteSpan& rest, std::size_t n) {
        if (n > rest.size()) throw RunError("payload: ends before what its header announces");
        ByteSpan const taken = rest.first(n);
        rest = rest.subspan(n);
        return taken;
    }
    static std::size_t take_number(ByteSpan& rest, std::size_t bytes) {
        std::size_t value = 0;
        ByteSpan const field = take(rest, bytes);
        for (std::size_t i = 0; i < bytes; ++i) value |= std::size_t{field[i]} << (8 * i);
        return value;
    }

    /// Reads mask and lengths; what remains in `rest` are the blocks.
    void read_lengths(std::vector<GroupExtent> const& extents, ByteSpan& rest, CodecWork& work) {
        bool const masked = config.group_policy == GroupPolicy::per_group_or_raw;
        ByteSpan const mask = masked ? take(rest, (extents.size() + 7) / 8) : ByteSpan{};
        std::size_t implied = extents.size();
        for (std::size_t g = 0; g < extents.size(); ++g) {
            work.blocks[g].stored_raw = masked && (mask[g / 8] >> (g % 8) & 1) == 0;
            if (!work.blocks[g].stored_raw) implied = g;
        }
        if (masked && extents.size() % 8 != 0 && mask.back() >> (extents.size() % 8) != 0)
            throw RunError("payload: the group mask names groups that the packet does not have");
        lengths.resize(extents.size());
        std::size_t total = 0;
        for (std::size_t g = 0; g < extents.size(); ++g) {
            if (g == implied) continue;
            bool const raw = work.blocks[g].stored_raw;
            lengths[g] = raw ? extents[g].size : take_number(rest, length_bytes(config.group_policy, extents[g]));
            total += lengths[g];
        }
        if (total > rest.size() || (implied == extents.size() && total != rest.size()))
            throw RunError("payload: the lengths of its groups do not add up to its size");
        if (implied != extents.size()) lengths[implied] = rest.size() - total;
    }
};

PacketDecompressor::PacketDecompressor(AlgorithmConfig const& config)
    : state_(new State{config, make_codec(config), {}, {}}) {}
PacketDecompressor::~PacketDecompressor() = default;

void PacketDecompressor::decompress(PacketContext const& context, ByteSpan payload, ByteBuffer& grouped,
                                    DeltaBase& base, CodecWork& work) {
    State& s = *state_;
    ByteSpan rest = payload;
    std::size_t const original = State::take_number(rest, kLengthBytes);
    base = DeltaBase{};
    base.size = static_cast<std::uint8_t>(delta_base_bytes(s.config.delta, context.type));
    if (base.size > rest.size()) throw RunError("payload: too short for its base");
    std::copy(rest.end() - base.size, rest.end(), base.bytes.begin());
    rest = rest.first(rest.size() - base.size);
    grouped.resize(original);
    if (s.config.group_policy == GroupPolicy::one_block) {
        work.blocks.resize(1);
        s.codec->decompress(context, rest, grouped, work.blocks[0]);
        return;
    }
    auto const& extents = s.layout.of(s.config, context.type, original);
    work.blocks.resize(extents.size());
    s.read_lengths(extents, rest, work);
    for (std::size_t g = 0; g < extents.size(); ++g) {
        ByteSpan const block = State::take(rest, s.lengths[g]);
        std::span<std::uint8_t> const to{grouped.data() + extents[g].offset, extents[g].size};
        BlockWork& block_work = work.blocks[g];
        if (!block_work.stored_raw) {
            s.codec->decompress(context, block, to, block_work);
            continue;
        }
        std::copy(block.begin(), block.end(), to.begin());
        block_work.reset();
        block_work.stored_raw = true;
        block_work.bytes_in = block_work.bytes_out = static_cast<std::uint32_t>(block.size());
    }
}

struct PacketEncoder::State {
    AlgorithmConfig config;
    DeltaEncoder delta;
    PacketCompressor compressor;
    ByteBuffer shifted;
    ByteBuffer grouped;
};

PacketEncoder::PacketEncoder(AlgorithmConfig const& config)
    : state_(new State{config, DeltaEncoder(config.delta), PacketCompressor(config), {}, {}}) {}
PacketEncoder::~PacketEncoder() = default;

void PacketEncoder::encode(PacketContext const& context, ByteSpan packet, EncodedPacket& out) {
    State& s = *state_;
    ByteSpan values = packet;
    DeltaBase base;
    if (s.config.delta != DeltaKind::none) {
        s.shifted.assign(packet.begin(), packet.end());
        base = s.delta.encode(context, s.shifted);
        values = s.shifted;
    }
    if (s.config.grouping != GroupingKind::none) {
        s.grouped.resize(packet.size());
        group(s.config.grouping, s.config.group_order, context.type, values, s.grouped);
        values = s.grouped;
    }
    s.compressor.compress(context, values, base, out.payload, out.work);
    out.raw = out.payload.size() >= packet.size();
    if (out.raw) out.payload.assign(packet.begin(), packet.end());
}

struct PacketDecoder::State {
    AlgorithmConfig config;
    PacketDecompressor decompressor;
    DeltaDecoder delta;
    ByteBuffer grouped;
};

PacketDecoder::PacketDecoder(AlgorithmConfig const& config)
    : state_(new State{config, PacketDecompressor(config), DeltaDecoder(config.delta), {}}) {}
PacketDecoder::~PacketDecoder() = default;

void PacketDecoder::decode(PacketContext const& context, EncodedPacket const& in, ByteBuffer& packet, CodecWork& work) {
    State& s = *state_;
    if (in.raw) {
        packet.assign(in.payload.begin(), in.payload.end());
        s.delta.observe(context, packet);
        work.clear();
        return;
    }
    DeltaBase base;
    bool const flat = s.config.grouping == GroupingKind::none;
    ByteBuffer& grouped = flat ? packet : s.grouped;
    s.decompressor.decompress(context, in.payload, grouped, base, work);
    if (!flat) {
        packet.resize(grouped.size());
        ungroup(s.config.grouping, s.config.group_order, context.type, grouped, packet);
    }
    s.delta.decode(context, base.span(), packet);
}

}  // namespace netzip
