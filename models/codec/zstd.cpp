#include <zstd.h>

#include "base/error.h"
#include "models/codec/codecs.h"

namespace netzip {
namespace {

struct FreeContext {
    void operator()(ZSTD_CCtx* c) const { ZSTD_freeCCtx(c); }
    void operator()(ZSTD_DCtx* c) const { ZSTD_freeDCtx(c); }
};

/// One zstd frame per block, as libzstd makes it.
class Zstd : public Codec {
public:
    explicit Zstd(int level) : level_(level), coder_(ZSTD_createCCtx()), decoder_(ZSTD_createDCtx()) {}

    void compress(PacketContext const&, ByteSpan in, ByteBuffer& out, BlockWork& work) override {
        std::size_t const start = out.size();
        out.resize(start + ZSTD_compressBound(in.size()));
        std::size_t const size =
            ZSTD_compressCCtx(coder_.get(), out.data() + start, out.size() - start, in.data(), in.size(), level_);
        if (ZSTD_isError(size) != 0) throw RunError(std::string("zstd: ") + ZSTD_getErrorName(size));
        out.resize(start + size);
        record(in.size(), size, work);
    }

    void decompress(PacketContext const&, ByteSpan in, std::span<std::uint8_t> out, BlockWork& work) override {
        std::size_t const size = ZSTD_decompressDCtx(decoder_.get(), out.data(), out.size(), in.data(), in.size());
        if (ZSTD_isError(size) != 0) throw RunError(std::string("zstd: ") + ZSTD_getErrorName(size));
        if (size != out.size() || in.empty())
            throw RunError("zstd: the frame does not decode to " + std::to_string(out.size()) + " B");
        record(out.size(), in.size(), work);
    }

private:
    static void record(std::size_t original, std::size_t coded, BlockWork& work) {
        work.reset();
        work.bytes_in = static_cast<std::uint32_t>(original);
        work.bytes_out = static_cast<std::uint32_t>(coded);
    }

    int level_;
    std::unique_ptr<ZSTD_CCtx, FreeContext> coder_;
    std::unique_ptr<ZSTD_DCtx, FreeContext> decoder_;
};

}  // namespace

std::unique_ptr<Codec> make_zstd(int level) {
    return std::make_unique<Zstd>(level);
}

}  // namespace netzip
