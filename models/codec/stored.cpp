#include <algorithm>

#include "base/error.h"
#include "models/codec/codecs.h"

namespace netzip {
namespace {

/// The bytes as they are.
class Stored : public Codec {
public:
    void compress(PacketContext const&, ByteSpan in, ByteBuffer& out, BlockWork& work) override {
        out.insert(out.end(), in.begin(), in.end());
        record(in.size(), work);
    }
    void decompress(PacketContext const&, ByteSpan in, std::span<std::uint8_t> out, BlockWork& work) override {
        if (in.size() != out.size()) throw RunError("stored block: its size is not the original length");
        std::copy(in.begin(), in.end(), out.begin());
        record(in.size(), work);
    }

private:
    static void record(std::size_t bytes, BlockWork& work) {
        work.reset();
        work.bytes_in = work.bytes_out = work.literals = static_cast<std::uint32_t>(bytes);
        work.stored_raw = true;
    }
};

}  // namespace

std::unique_ptr<Codec> make_stored() {
    return std::make_unique<Stored>();
}

}  // namespace netzip
