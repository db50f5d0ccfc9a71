#include <algorithm>
#include <array>

#include "base/error.h"
#include "models/codec/codecs.h"
#include "models/codec/exponent_codec.h"
#include "models/codec/exponent_history.h"
#include "models/codec/lanes.h"

namespace netzip {
namespace {

constexpr std::uint8_t kWideLengths = 1;
constexpr unsigned kLongest = 12;
/// Exponents rarer than one in this many are escaped, so that the table stays short.
constexpr std::uint64_t kRare = 1024;
/// The first two entries of the list of code lengths.
constexpr std::size_t kEscape = 0;
constexpr std::size_t kZeroField = 1;
constexpr std::size_t kFirstExponent = 2;

/// A canonical Huffman code per layer; the table travels with every packet (docs/formats.md).
class ExponentHuffman : public ExponentCodec {
public:
    explicit ExponentHuffman(std::size_t lanes) : writer_(lanes), reader_(lanes) {}

protected:
    std::uint8_t encode(PacketContext const& context, ByteSpan values, ByteBuffer& out, BlockWork& work) override {
        count_exponents(exponents_, counts_);
        auto const history = history_.add(context, counts_);
        if (codes_.size() <= context.layer) codes_.resize(std::size_t{context.layer} + 1);
        Code& code = codes_[context.layer];
        if (history.counts == nullptr) choose_code(counts_, code);
        if (history.renewed) choose_code(*history.counts, code);
        put_codes(context.type, code, work);
        append_table(code, out);
        end_part(out.size(), work);
        writer_.append_lengths(out);
        end_part(out.size(), work);
        append_rests(context.type, values, {}, out);
        work.literals = static_cast<std::uint32_t>(rest_bytes(context.type, exponents_.size()));
        end_part(out.size(), work);
        for (std::size_t lane = 0; lane < writer_.lanes(); ++lane) {
            writer_.append_stream(lane, out);
            end_part(out.size(), work);
        }
        return writer_.wide() ? kWideLengths : 0;
    }

    void decode(PacketContext const& context, std::uint8_t flags, ByteSpan block, std::span<std::uint8_t> values,
                BlockWork& work) override {
        ByteSpan rest = block;
        auto const end = [&] { end_part(1 + block.size() - rest.size(), work); };
        if ((flags & ~kWideLengths) != 0) throw RunError("exponent_huffman: unknown flags in a block");
        read_table(context.type, rest);
        end();
        reader_.read_lengths(rest, (flags & kWideLengths) != 0);
        end();
        ByteSpan const rests = take_bytes(rest, rest_bytes(context.type, exponents_.size()));
        work.literals = static_cast<std::uint32_t>(rests.size());
        end();
        reader_.start(rest);
        for (std::size_t const size : reader_.sizes()) {
            rest = rest.subspan(size);
            end();
        }
        read_codes(context.type, work);
        reader_.check_exhausted();
        join_fields(context.type, exponents_, rests, {}, values);
    }

private:
    struct Code {
        std::uint8_t first = 1;             ///< exponent field of the first code after those of escape and field 0
        std::vector<std::uint8_t> lengths;  ///< escape, field 0, then from `first` up
        std::vector<CodeWord> words;        ///< sending side only
    };

    static void choose_code(ExponentCounts const& counts, Code& code) {
        std::uint64_t total = 0;
        for (auto const c : counts) total += c;
        std::uint64_t const least = total / kRare + 1;
        std::size_t low = counts.size();
        std::size_t high = 0;
        for (std::size_t e = 1; e < counts.size(); ++e) {
            if (counts[e] < least) continue;
            low = std::min(low, e);
            high = e;
        }
        code.first = static_cast<std::uint8_t>(low <= high ? low : 1);
        std::size_t const fields = low <= high ? high - low + 1 : 0;
        // Every exponent of the range gets a code: one that was rare may come up, and the range is short.
        std::vector<std::uint64_t> weights(kFirstExponent + fields, 1);
        std::uint64_t covered = counts[0];
        for (std::size_t k = 0; k < fields; ++k) {
            weights[kFirstExponent + k] = std::max<std::uint64_t>(counts[code.first + k], 1);
            covered += counts[code.first + k];
        }
        weights[kZeroField] = std::max<std::uint64_t>(counts[0], 1);
        weights[kEscape] = std::max<std::uint64_t>(total - covered, 1);
        code.lengths = limited_code_lengths(weights, kLongest);
        code.words.resize(code.lengths.size());
        assign_code_words(code.lengths, code.words);
    }

    static void append_table(Code const& code, ByteBuffer& out) {
        out.push_back(code.first);
        out.push_back(static_cast<std::uint8_t>(code.lengths.size() - kFirstExponent));
        for (std::size_t i = 0; i < code.lengths.size(); i += 2) {
            int const upper = i + 1 < code.lengths.size() ? code.lengths[i + 1] : 0;
            out.push_back(static_cast<std::uint8_t>(code.lengths[i] | upper << 4));
        }
    }

    void put_codes(DataType type, Code const& code, BlockWork& work) {
        writer_.start(exponents_.size());
        unsigned const exponent_bits = number_format(type).exponent_bits;
        std::array<CodeWord, 256> by_exponent{};
        by_exponent[0] = code.words[kZeroField];
        for (std::size_t k = kFirstExponent; k < code.words.size(); ++k)
            by_exponent[code.first + k - kFirstExponent] = code.words[k];
        CodeWord const escape = code.words[kEscape];
        std::size_t lane = 0;
        for (std::size_t i = 0; i < exponents_.size(); ++i, lane = writer_.after(lane)) {
            CodeWord const word = by_exponent[exponents_[i]];
            if (word.length != 0) {
                writer_.lane(lane).put(word.bits, word.length);
                continue;
            }
            writer_.lane(lane).put(escape.bits | std::uint64_t{exponents_[i]} << escape.length,
                                   escape.length + exponent_bits);
            ++work.escapes;
        }
    }

    void read_table(DataType type, ByteSpan& rest) {
        ByteSpan const head = take_bytes(rest, 2);
        if (head[0] == 0 || head[0] + std::size_t{head[1]} > number_format(type).exponent_field() + std::size_t{1})
            throw RunError("exponent_huffman: the table leaves the range of the exponents");
        received_.first = head[0];
        std::vector<std::uint8_t>& lengths = received_.lengths;
        lengths.assign(kFirstExponent + head[1], 0);
        ByteSpan const packed = take_bytes(rest, (lengths.size() + 1) / 2);
        for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = packed[i / 2] >> (i % 2 * 4) & 0xF;
        // Packets of one layer carry the same table: it is built once.
        if (lengths == built_) return;
        built_.clear();
        build_decoder(lengths, kLongest, decoder_);
        built_ = lengths;
    }

    void read_codes(DataType type, BlockWork& work) {
        NumberFormat const f = number_format(type);
        std::size_t at = 0;
        for (std::size_t i = 0; i < exponents_.size(); ++i, at = reader_.after(at)) {
            BitReader& lane = reader_.lane(at);
            auto const next = lane.peek();
            DecodedSymbol const symbol = decoder_[next & ((1U << kLongest) - 1)];
            if (symbol.length == 0) throw RunError("exponent_huffman: bits that are no code word");
            lane.skip(symbol.length);
            if (symbol.symbol == kEscape) {
                exponents_[i] = static_cast<std::uint8_t>(next >> symbol.length & f.exponent_field());
                lane.skip(f.exponent_bits);
                ++work.escapes;
            } else {
                exponents_[i] = symbol.symbol == kZeroField
                                    ? std::uint8_t{0}
                                    : static_cast<std::uint8_t>(received_.first + symbol.symbol - kFirstExponent);
            }
        }
    }

    LaneWriter writer_;
    LaneReader reader_;
    ExponentHistory history_;
    ExponentCounts counts_{};
    std::vector<Code> codes_;  ///< sending side, by layer
    Code received_;
    std::vector<std::uint8_t> built_;  ///< lengths that `decoder_` is for
    std::vector<DecodedSymbol> decoder_;
};

}  // namespace

std::unique_ptr<Codec> make_exponent_huffman(std::size_t lanes) {
    return std::make_unique<ExponentHuffman>(lanes);
}

}  // namespace netzip
