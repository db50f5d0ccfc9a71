#include <lz4.h>

#include "base/error.h"
#include "models/codec/codecs.h"
#include "models/codec/lz_sequences.h"

namespace netzip {
namespace {

char const* chars(std::uint8_t const* p) {
    return reinterpret_cast<char const*>(p);
}
char* chars(std::uint8_t* p) {
    return reinterpret_cast<char*>(p);
}

/// LZ4 block format as liblz4 makes it.
class Lz4 : public Codec {
public:
    void compress(PacketContext const&, ByteSpan in, ByteBuffer& out, BlockWork& work) override {
        std::size_t const start = out.size();
        int const bound = LZ4_compressBound(static_cast<int>(in.size()));
        out.resize(start + static_cast<std::size_t>(bound));
        int const size =
            LZ4_compress_default(chars(in.data()), chars(out.data() + start), static_cast<int>(in.size()), bound);
        if (size <= 0) throw RunError("lz4: liblz4 refused to compress " + std::to_string(in.size()) + " B");
        out.resize(start + static_cast<std::size_t>(size));
        record({out.data() + start, static_cast<std::size_t>(size)}, in.size(), work);
    }

    void decompress(PacketContext const&, ByteSpan in, std::span<std::uint8_t> out, BlockWork& work) override {
        // liblz4 takes no null pointer, even for nothing.
        char nothing = 0;
        char* const to = out.empty() ? &nothing : chars(out.data());
        int const size = in.empty() ? -1
                                    : LZ4_decompress_safe(chars(in.data()), to, static_cast<int>(in.size()),
                                                          static_cast<int>(out.size()));
        if (size < 0 || static_cast<std::size_t>(size) != out.size())
            throw RunError("lz4: the block does not decode to " + std::to_string(out.size()) + " B");
        record(in, out.size(), work);
    }

private:
    static void record(ByteSpan block, std::size_t original, BlockWork& work) {
        work.reset();
        work.bytes_in = static_cast<std::uint32_t>(original);
        work.bytes_out = static_cast<std::uint32_t>(block.size());
        read_lz4_sequences(block, original, work);
    }
};

}  // namespace

std::unique_ptr<Codec> make_lz4() {
    return std::make_unique<Lz4>();
}

}  // namespace netzip
