#include "models/codec/codecs.h"
#include "models/codec/lz_match_finder.h"

namespace netzip {
namespace {

constexpr std::size_t kNibbleFull = 15;

std::uint8_t nibble(std::size_t length) {
    return static_cast<std::uint8_t>(length < kNibbleFull ? length : kNibbleFull);
}

void append_rest(std::size_t length, ByteBuffer& out) {
    if (length < kNibbleFull) return;
    for (length -= kNibbleFull; length >= 255; length -= 255) out.push_back(255);
    out.push_back(static_cast<std::uint8_t>(length));
}

/// LZ4 block format with the matches of LzMatchFinder; liblz4 decodes it.
class Lz4Hardware : public Codec {
public:
    explicit Lz4Hardware(LzEngineConfig const& config) : finder_(config), decoder_(make_lz4()) {}

    void compress(PacketContext const&, ByteSpan in, ByteBuffer& out, BlockWork& work) override {
        std::size_t const start = out.size();
        work.reset();
        work.bytes_in = static_cast<std::uint32_t>(in.size());
        finder_.find(in, work);
        std::size_t at = 0;
        for (LzSequence const& s : work.sequences) {
            bool const last = s.match_length == 0;
            std::size_t const match = last ? 0 : s.match_length - LzMatchFinder::kMinimumMatch;
            out.push_back(static_cast<std::uint8_t>(nibble(s.literals) << 4 | nibble(match)));
            append_rest(s.literals, out);
            auto const from = in.begin() + static_cast<std::ptrdiff_t>(at);
            out.insert(out.end(), from, from + s.literals);
            at += std::size_t{s.literals} + s.match_length;
            if (last) break;
            out.push_back(static_cast<std::uint8_t>(s.offset));
            out.push_back(static_cast<std::uint8_t>(s.offset >> 8));
            append_rest(match, out);
        }
        work.bytes_out = static_cast<std::uint32_t>(out.size() - start);
    }

    void decompress(PacketContext const& context, ByteSpan in, std::span<std::uint8_t> out, BlockWork& work) override {
        decoder_->decompress(context, in, out, work);
    }

private:
    LzMatchFinder finder_;
    std::unique_ptr<Codec> decoder_;
};

}  // namespace

std::unique_ptr<Codec> make_lz4_hw(LzEngineConfig const& config) {
    return std::make_unique<Lz4Hardware>(config);
}

}  // namespace netzip
