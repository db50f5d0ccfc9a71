#include <zlib.h>

#include "base/error.h"
#include "models/codec/codecs.h"

namespace netzip {
namespace {

/// One zlib stream (RFC 1950) per block; its Adler-32 notices damaged bytes.
class Deflate : public Codec {
public:
    explicit Deflate(int level) {
        if (deflateInit(&coder_, level) != Z_OK || inflateInit(&decoder_) != Z_OK)
            throw RunError("deflate: zlib cannot be initialised");
    }
    ~Deflate() override {
        deflateEnd(&coder_);
        inflateEnd(&decoder_);
    }
    Deflate(Deflate const&) = delete;
    Deflate& operator=(Deflate const&) = delete;

    void compress(PacketContext const&, ByteSpan in, ByteBuffer& out, BlockWork& work) override {
        std::size_t const start = out.size();
        deflateReset(&coder_);
        out.resize(start + deflateBound(&coder_, in.size()));
        set_buffers(coder_, in, out.data() + start, out.size() - start);
        if (deflate(&coder_, Z_FINISH) != Z_STREAM_END) throw RunError("deflate: zlib did not finish a block");
        std::size_t const size = coder_.total_out;
        out.resize(start + size);
        record(in.size(), size, work);
    }

    void decompress(PacketContext const&, ByteSpan in, std::span<std::uint8_t> out, BlockWork& work) override {
        inflateReset(&decoder_);
        std::uint8_t nothing = 0;
        set_buffers(decoder_, in, out.empty() ? &nothing : out.data(), out.size());
        bool const ended = inflate(&decoder_, Z_FINISH) == Z_STREAM_END;
        if (!ended || decoder_.total_out != out.size() || decoder_.avail_in != 0)
            throw RunError("deflate: the stream does not decode to " + std::to_string(out.size()) + " B");
        record(out.size(), in.size(), work);
    }

private:
    static void set_buffers(z_stream& stream, ByteSpan in, std::uint8_t* out, std::size_t out_size) {
        stream.next_in = const_cast<Bytef*>(in.data());
        stream.avail_in = static_cast<uInt>(in.size());
        stream.next_out = out;
        stream.avail_out = static_cast<uInt>(out_size);
    }
    static void record(std::size_t original, std::size_t coded, BlockWork& work) {
        work.reset();
        work.bytes_in = static_cast<std::uint32_t>(original);
        work.bytes_out = static_cast<std::uint32_t>(coded);
    }

    z_stream coder_{};
    z_stream decoder_{};
};

}  // namespace

std::unique_ptr<Codec> make_deflate(int level) {
    return std::make_unique<Deflate>(level);
}

}  // namespace netzip
