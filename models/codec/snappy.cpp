#include <snappy.h>

#include "base/error.h"
#include "models/codec/codecs.h"
#include "models/codec/lz_sequences.h"

namespace netzip {
namespace {

/// Snappy's raw format: the original length as a varint, then literals and copies.
class Snappy : public Codec {
public:
    void compress(PacketContext const&, ByteSpan in, ByteBuffer& out, BlockWork& work) override {
        std::size_t const start = out.size();
        out.resize(start + snappy::MaxCompressedLength(in.size()));
        std::size_t size = 0;
        snappy::RawCompress(reinterpret_cast<char const*>(in.data()), in.size(),
                            reinterpret_cast<char*>(out.data() + start), &size);
        out.resize(start + size);
        record({out.data() + start, size}, in.size(), work);
    }

    void decompress(PacketContext const&, ByteSpan in, std::span<std::uint8_t> out, BlockWork& work) override {
        auto const* const from = reinterpret_cast<char const*>(in.data());
        std::size_t original = 0;
        char nothing = 0;
        char* const to = out.empty() ? &nothing : reinterpret_cast<char*>(out.data());
        if (!snappy::GetUncompressedLength(from, in.size(), &original) || original != out.size() ||
            !snappy::RawUncompress(from, in.size(), to))
            throw RunError("snappy: the block does not decode to " + std::to_string(out.size()) + " B");
        record(in, out.size(), work);
    }

private:
    static void record(ByteSpan block, std::size_t original, BlockWork& work) {
        work.reset();
        work.bytes_in = static_cast<std::uint32_t>(original);
        work.bytes_out = static_cast<std::uint32_t>(block.size());
        read_snappy_sequences(block, work);
    }
};

}  // namespace

std::unique_ptr<Codec> make_snappy() {
    return std::make_unique<Snappy>();
}

}  // namespace netzip
