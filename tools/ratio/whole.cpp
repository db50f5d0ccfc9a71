#include "tools/ratio/whole.h"

#include <algorithm>

#include "base/error.h"
#include "models/codec/codec.h"
#include "models/transform/delta.h"
#include "models/transform/grouping.h"

namespace netzip {
namespace {

constexpr std::size_t kLengthBytes = 8;
/// liblz4 takes at most 0x7E000000 bytes at once; larger groups are coded in blocks of this size.
constexpr std::size_t kLargestBlock = std::size_t{1} << 30;

/// Codes whole tensors with one combination, and back.
class WholeCodec {
public:
    explicit WholeCodec(AlgorithmConfig const& algorithm)
        : algorithm_(algorithm), codec_(make_codec(algorithm)), encoder_(algorithm.delta), decoder_(algorithm.delta) {}

    /// Bytes that `tensor` takes; `restored` is what comes back.
    std::size_t round_trip(DataType type, ByteSpan tensor, ByteBuffer& restored) {
        PacketContext const context{0, true, 0, type};
        ByteBuffer shifted(tensor.begin(), tensor.end());
        DeltaBase const base = encoder_.encode(context, shifted);
        ByteBuffer grouped(tensor.size());
        group(algorithm_.grouping, algorithm_.group_order, type, shifted, grouped);

        bool const apart = algorithm_.group_policy != GroupPolicy::one_block;
        auto const extents = group_layout(apart ? algorithm_.grouping : GroupingKind::none, type, tensor.size());
        std::size_t size = kLengthBytes + base.size;
        if (apart) size += extents.size() * kLengthBytes;
        if (algorithm_.group_policy == GroupPolicy::per_group_or_raw) size += (extents.size() + 7) / 8;
        ByteBuffer back(tensor.size());
        for (GroupExtent const& extent : extents) {
            size += code({grouped.data() + extent.offset, extent.size}, {back.data() + extent.offset, extent.size});
        }
        restored.resize(tensor.size());
        ungroup(algorithm_.grouping, algorithm_.group_order, type, back, restored);
        decoder_.decode(context, base.span(), restored);
        return size;
    }

private:
    /// Codes one group to a number of bytes and decodes it to `back`.
    std::size_t code(ByteSpan group, std::span<std::uint8_t> back) {
        std::size_t size = 0;
        std::size_t at = 0;
        do {
            std::size_t const n = std::min(kLargestBlock, group.size() - at);
            coded_.clear();
            codec_->compress({}, group.subspan(at, n), coded_, work_);
            codec_->decompress({}, coded_, back.subspan(at, n), work_);
            size += coded_.size();
            at += n;
        } while (at < group.size());
        bool const or_raw = algorithm_.group_policy == GroupPolicy::per_group_or_raw;
        return or_raw ? std::min(size, group.size()) : size;
    }

    AlgorithmConfig algorithm_;
    std::unique_ptr<Codec> codec_;
    DeltaEncoder encoder_;
    DeltaDecoder decoder_;
    ByteBuffer coded_;
    BlockWork work_;
};

}  // namespace

void check_whole(std::vector<AlgorithmConfig> const& combinations) {
    Problems problems;
    for (AlgorithmConfig const& algorithm : combinations) {
        switch (algorithm.codec) {
            case CodecKind::none:
            case CodecKind::lz4:
            case CodecKind::snappy:
            case CodecKind::zstd:
            case CodecKind::deflate:
                break;
            default:
                problems.add("--whole: " + enum_name(algorithm.codec) + " (" + algorithm.name() +
                             ") is a format for packets; whole tensors go through none, lz4, snappy, zstd or deflate");
        }
    }
    problems.throw_if_any<UsageError>();
}

Measured measure_whole(AlgorithmConfig const& algorithm, RatioLayer const& layer, std::atomic<std::uint64_t>& done) {
    WholeCodec codec(algorithm);
    Measured measured;
    ByteBuffer restored;
    for (std::size_t i = 0; i < layer.iterations.size(); ++i) {
        TensorBytes const loaded = layer.iterations[i]->load();
        std::size_t const size = codec.round_trip(layer.type, loaded.bytes, restored);
        done += loaded.bytes.size();
        if (i < layer.first_reported()) continue;
        bool const raw = size >= loaded.bytes.size();
        std::uint64_t const element = element_bytes(layer.type);
        ++measured.packets;
        measured.raw_packets += raw ? 1 : 0;
        measured.original += loaded.bytes.size();
        measured.compressed += raw ? loaded.bytes.size() : size;
        measured.values += (loaded.bytes.size() + element - 1) / element;
        measured.lost += raw ? 0 : count_different_values(layer.type, restored, loaded.bytes);
    }
    return measured;
}

}  // namespace netzip
