#include <algorithm>
#include <array>

#include "base/error.h"
#include "models/codec/codecs.h"
#include "models/codec/exponent_codec.h"
#include "models/codec/lanes.h"
#include "models/codec/prefix_tables.h"

namespace netzip {
namespace {

constexpr std::uint8_t kWideLengths = 1;
constexpr std::uint8_t kHasSparse = 2;
constexpr std::uint8_t kScaleHigh = 4;

constexpr int kLargestScale = 511;
/// Steps of the scale from block to block; written with kStepZero added, 0 stands for a block of zeros.
constexpr int kLargestStep = 7;
constexpr int kStepZero = 8;
/// Where there is no second block for a byte's upper step.
constexpr std::uint8_t kNoBlock = 0xF;

/// A block is sparse when leaving out its zeros (8 bits of code and 8 of rest in bf16) pays for one bit per value.
constexpr std::size_t kSparseFactor = 16;

/// Smallest size of a 4-bit field per block, of bits per block.
std::size_t nibble_bytes(std::size_t blocks) {
    return (blocks + 1) / 2;
}
std::size_t bit_bytes(std::size_t bits) {
    return (bits + 7) / 8;
}

/// Static prefix codes of exponents, anchored per block of values (docs/formats.md).
class ExponentPrefix : public ExponentCodec {
public:
    ExponentPrefix(std::size_t lanes, std::size_t anchor_values)
        : anchor_values_(anchor_values), writer_(lanes), reader_(lanes) {}

protected:
    std::uint8_t encode(PacketContext const& context, ByteSpan values, ByteBuffer& out, BlockWork& work) override {
        plan(context.type, values);
        writer_.start(exponents_.size());
        for (std::size_t b = 0; b < blocks_.size(); ++b) put_block(context.type, b, work);
        std::uint8_t const flags = append_header(out);
        end_part(out.size(), work);
        writer_.append_lengths(out);
        end_part(out.size(), work);
        if ((flags & kHasSparse) != 0) append_zero_maps(out, work);
        std::size_t const rests_at = out.size();
        append_rests(context.type, values, all_kept_ ? std::span<std::uint8_t const>{} : keep_, out);
        work.literals = static_cast<std::uint32_t>(out.size() - rests_at);
        end_part(out.size(), work);
        for (std::size_t lane = 0; lane < writer_.lanes(); ++lane) {
            writer_.append_stream(lane, out);
            end_part(out.size(), work);
        }
        return flags;
    }

    void decode(PacketContext const& context, std::uint8_t flags, ByteSpan block, std::span<std::uint8_t> values,
                BlockWork& work) override {
        ByteSpan rest = block;
        auto const end = [&] { end_part(1 + block.size() - rest.size(), work); };
        read_header(flags, rest);
        end();
        reader_.read_lengths(rest, (flags & kWideLengths) != 0);
        end();
        read_zero_maps(flags, rest, end);
        auto const kept = static_cast<std::size_t>(std::count(keep_.begin(), keep_.end(), std::uint8_t{1}));
        ByteSpan const rests = take_bytes(rest, rest_bytes(context.type, kept));
        work.literals = static_cast<std::uint32_t>(rests.size());
        end();
        reader_.start(rest);
        for (std::size_t const size : reader_.sizes()) {
            rest = rest.subspan(size);
            end();
        }
        for (std::size_t b = 0; b < blocks_.size(); ++b) read_block(context.type, b, work);
        reader_.check_exhausted();
        join_fields(context.type, exponents_, rests, all_kept_ ? std::span<std::uint8_t const>{} : keep_, values);
    }

private:
    struct Block {
        std::size_t first = 0;
        std::size_t count = 0;
        int scale = 0;
        std::uint8_t step = 0;
        bool sparse = false;
    };

    void cut(std::size_t values) {
        blocks_.clear();
        for (std::size_t at = 0; at < values; at += anchor_values_)
            blocks_.push_back({at, std::min(anchor_values_, values - at), 0, 0, false});
        keep_.assign(values, 1);
        all_kept_ = true;
    }

    /// Scale, step and sparsity of every block.
    void plan(DataType type, ByteSpan values) {
        cut(exponents_.size());
        int scale = -1;
        for (Block& block : blocks_) {
            auto const sums = sum_block(type, values, block.first, block.count);
            if (sums.zeros == block.count) {
                drop_zeros(type, values, block);
                continue;
            }
            int wished = sums.wished_scale(std::max(scale, 0));
            if (scale >= 0) wished = std::clamp(wished, scale - kLargestStep, scale + kLargestStep);
            wished = std::clamp(wished, 0, kLargestScale);
            block.step = static_cast<std::uint8_t>(scale < 0 ? kStepZero : wished - scale + kStepZero);
            block.scale = scale = wished;
            block.sparse = kSparseFactor * sums.zeros > block.count;
            if (block.sparse) drop_zeros(type, values, block);
        }
    }

    void drop_zeros(DataType type, ByteSpan values, Block const& block) {
        std::size_t const size = element_bytes(type);
        all_kept_ = false;
        for (std::size_t i = block.first; i < block.first + block.count; ++i) {
            auto const* const value = values.data() + i * size;
            keep_[i] = std::any_of(value, value + size, [](std::uint8_t byte) { return byte != 0; }) ? 1 : 0;
        }
    }

    void put_block(DataType type, std::size_t b, BlockWork& work) {
        Block const& block = blocks_[b];
        if (block.step == 0) return;
        auto const& table = prefix_table(block.scale);
        unsigned const exponent_bits = number_format(type).exponent_bits;
        std::size_t lane = writer_.lane_of(block.first);
        for (std::size_t i = block.first; i < block.first + block.count; ++i, lane = writer_.after(lane)) {
            if (keep_[i] == 0) continue;
            CodeWord const word = table.word(exponents_[i], block.scale / 2);
            if (word.bits != PrefixTable::kEscapeBits || word.length != PrefixTable::kLongest) {
                writer_.lane(lane).put(word.bits, word.length);
                continue;
            }
            writer_.lane(lane).put(word.bits | std::uint64_t{exponents_[i]} << word.length,
                                   word.length + exponent_bits);
            ++work.escapes;
        }
    }

    /// Returns the flags.
    std::uint8_t append_header(ByteBuffer& out) const {
        int first_scale = 0;
        bool sparse = false;
        for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
            if (block->step != 0) first_scale = block->scale;
            sparse |= block->sparse;
        }
        int const flags =
            (writer_.wide() ? kWideLengths : 0) | (sparse ? kHasSparse : 0) | (first_scale > 255 ? kScaleHigh : 0);
        out.push_back(static_cast<std::uint8_t>(first_scale));
        std::size_t const steps_at = out.size();
        out.resize(steps_at + nibble_bytes(blocks_.size()) + (sparse ? bit_bytes(blocks_.size()) : 0), 0);
        if (blocks_.size() % 2 != 0) out[steps_at + blocks_.size() / 2] = kNoBlock << 4;
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            out[steps_at + b / 2] |= static_cast<std::uint8_t>(blocks_[b].step << (b % 2 * 4));
            if (blocks_[b].sparse)
                out[steps_at + nibble_bytes(blocks_.size()) + b / 8] |= static_cast<std::uint8_t>(1U << (b % 8));
        }
        return static_cast<std::uint8_t>(flags);
    }

    void append_zero_maps(ByteBuffer& out, BlockWork& work) {
        for (Block const& block : blocks_) {
            std::size_t const map_at = out.size();
            if (block.sparse) out.resize(map_at + bit_bytes(block.count), 0);
            for (std::size_t i = 0; block.sparse && i < block.count; ++i)
                out[map_at + i / 8] |= static_cast<std::uint8_t>(keep_[block.first + i] << (i % 8));
            end_part(out.size(), work);
        }
    }

    /// Bits of the last byte beyond `count` are zero.
    static void check_padding(ByteSpan bits, std::size_t count) {
        if (count % 8 != 0 && bits.back() >> (count % 8) != 0)
            throw RunError("exponent_prefix: bits beyond the end of the packet");
    }

    void read_header(std::uint8_t flags, ByteSpan& rest) {
        cut(exponents_.size());
        std::uint8_t const low = take_bytes(rest, 1)[0];
        ByteSpan const steps = take_bytes(rest, nibble_bytes(blocks_.size()));
        if (blocks_.size() % 2 != 0 && steps.back() >> 4 != kNoBlock)
            throw RunError("exponent_prefix: a block beyond the end of the packet");
        bool const any_sparse = (flags & kHasSparse) != 0;
        ByteSpan const sparse = any_sparse ? take_bytes(rest, bit_bytes(blocks_.size())) : ByteSpan{};
        if (any_sparse) check_padding(sparse, blocks_.size());
        int scale = low | ((flags & kScaleHigh) != 0 ? 256 : 0);
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            Block& block = blocks_[b];
            block.step = steps[b / 2] >> (b % 2 * 4) & 0xF;
            block.sparse = any_sparse && (sparse[b / 8] >> (b % 8) & 1) != 0;
            if (block.step != 0) scale += block.step - kStepZero;
            block.scale = scale;
            if (scale < 0 || scale > kLargestScale || (block.step == 0 && block.sparse))
                throw RunError("exponent_prefix: a block's scale or kind is impossible");
        }
    }

    template <class End>
    void read_zero_maps(std::uint8_t flags, ByteSpan& rest, End end) {
        for (Block const& block : blocks_) {
            ByteSpan const map = block.sparse ? take_bytes(rest, bit_bytes(block.count)) : ByteSpan{};
            if (block.sparse) check_padding(map, block.count);
            if ((flags & kHasSparse) != 0) end();
            if (block.step != 0 && !block.sparse) continue;
            all_kept_ = false;
            for (std::size_t i = 0; i < block.count; ++i)
                keep_[block.first + i] = block.sparse ? map[i / 8] >> (i % 8) & 1 : 0;
        }
    }

    void read_block(DataType type, std::size_t b, BlockWork& work) {
        Block const& block = blocks_[b];
        NumberFormat const f = number_format(type);
        auto const& table = prefix_table(block.scale);
        auto const highest = static_cast<int>(f.exponent_field());
        std::size_t at = reader_.lane_of(block.first);
        for (std::size_t i = block.first; i < block.first + block.count; ++i, at = reader_.after(at)) {
            exponents_[i] = 0;
            if (keep_[i] == 0) continue;
            BitReader& lane = reader_.lane(at);
            auto const next = lane.peek();
            PrefixTable::Decoded const symbol = table.decoded(next & 0xFF);
            int exponent = symbol.relative + block.scale / 2;
            unsigned length = symbol.length;
            if (symbol.kind == PrefixTable::Kind::zero) exponent = 0;
            if (symbol.kind == PrefixTable::Kind::escape) {
                exponent = static_cast<int>(next >> length & f.exponent_field());
                length += f.exponent_bits;
                ++work.escapes;
            }
            lane.skip(length);
            if (exponent < 0 || exponent > highest)
                throw RunError("exponent_prefix: a code leaves the range of the exponents");
            exponents_[i] = static_cast<std::uint8_t>(exponent);
        }
    }

    std::size_t anchor_values_;
    LaneWriter writer_;
    LaneReader reader_;
    std::vector<Block> blocks_;
    std::vector<std::uint8_t> keep_;  ///< 1: the value has a code and a rest
    bool all_kept_ = true;
};

}  // namespace

std::unique_ptr<Codec> make_exponent_prefix(std::size_t lanes, std::size_t anchor_values) {
    return std::make_unique<ExponentPrefix>(lanes, anchor_values);
}

}  // namespace netzip
