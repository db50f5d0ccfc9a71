#include "tools/ratio/artifact.h"

#include <algorithm>
#include <atomic>
#include <lz4frame.h>

#include "base/error.h"
#include "models/codec/codec.h"
#include "models/transform/delta.h"
#include "models/transform/grouping.h"

namespace netzip {
namespace {

constexpr std::array kGroupings{GroupingKind::none, GroupingKind::byte, GroupingKind::bit};
constexpr std::array kDeltas{DeltaKind::none, DeltaKind::float_p1, DeltaKind::true_integer, DeltaKind::float_true};
constexpr std::array<char const*, 4> kDeltaNames{"no delta", "diff_min", "diff_int", "diff_bfloat16"};
constexpr std::array<char const*, 4> kCodecNames{"LZ4", "Snappy", "Zlib", "Zstd"};

/// LZ4 frame format: blocks of 64 kB linked to each other, with the content's size, without checksum.
class Lz4Frame : public Codec {
public:
    void compress(PacketContext const&, ByteSpan in, ByteBuffer& out, BlockWork&) override {
        LZ4F_preferences_t preferences{};
        preferences.compressionLevel = 1;
        preferences.frameInfo.contentSize = in.size();
        out.resize(LZ4F_compressFrameBound(in.size(), &preferences));
        std::size_t const size = LZ4F_compressFrame(out.data(), out.size(), in.data(), in.size(), &preferences);
        if (LZ4F_isError(size) != 0) throw RunError(std::string("lz4 frame: ") + LZ4F_getErrorName(size));
        out.resize(size);
    }
    void decompress(PacketContext const&, ByteSpan in, std::span<std::uint8_t> out, BlockWork&) override {
        LZ4F_dctx* context = nullptr;
        LZ4F_createDecompressionContext(&context, LZ4F_VERSION);
        std::unique_ptr<LZ4F_dctx, std::size_t (*)(LZ4F_dctx*)> const owner(context, LZ4F_freeDecompressionContext);
        std::size_t done = 0;
        std::size_t read = 0;
        while (done < out.size()) {
            std::size_t to = out.size() - done;
            std::size_t from = in.size() - read;
            std::size_t const hint = LZ4F_decompress(context, out.data() + done, &to, in.data() + read, &from, nullptr);
            if (LZ4F_isError(hint) != 0 || (to == 0 && from == 0)) throw RunError("lz4 frame: does not decode");
            done += to;
            read += from;
        }
    }
};

std::array<std::unique_ptr<Codec>, 4> artifact_codecs() {
    AlgorithmConfig config;
    config.level = 1;
    std::array<std::unique_ptr<Codec>, 4> codecs{std::make_unique<Lz4Frame>()};
    config.codec = CodecKind::snappy;
    codecs[1] = make_codec(config);
    config.codec = CodecKind::deflate;
    codecs[2] = make_codec(config);
    config.codec = CodecKind::zstd;
    codecs[3] = make_codec(config);
    return codecs;
}

/// All twelve rows of one column on one layer.
class Column {
public:
    Column(RatioLayer const& layer, std::size_t index, ArtifactTable& table)
        : layer_(layer), index_(index), table_(table), encoder_(kDeltas[index]), decoder_(kDeltas[index]) {}

    void measure(std::atomic<std::uint64_t>& done) {
        for (std::size_t i = 0; i < layer_.iterations.size(); ++i) {
            TensorBytes const loaded = layer_.iterations[i]->load();
            PacketContext const context{0, true, 0, layer_.type};
            ByteBuffer shifted(loaded.bytes.begin(), loaded.bytes.end());
            DeltaBase const base = encoder_.encode(context, shifted);
            ByteBuffer restored = shifted;
            decoder_.decode(context, base.span(), restored);
            if (i >= layer_.first_reported()) {
                Measured& delta = table_.deltas[index_];
                std::size_t const size = element_bytes(layer_.type);
                delta.values += (restored.size() + size - 1) / size;
                delta.lost += count_different_values(layer_.type, restored, loaded.bytes);
                code(shifted);
            }
            done += loaded.bytes.size();
        }
    }

private:
    void code(ByteSpan tensor) {
        ByteBuffer grouped(tensor.size());
        ByteBuffer back(tensor.size());
        ByteBuffer coded;
        BlockWork work;
        for (std::size_t g = 0; g < kGroupings.size(); ++g) {
            group(kGroupings[g], GroupOrder::artifact, layer_.type, tensor, grouped);
            for (std::size_t c = 0; c < codecs_.size(); ++c) {
                coded.clear();
                codecs_[c]->compress({}, grouped, coded, work);
                codecs_[c]->decompress({}, coded, back, work);
                if (back != grouped) throw RunError(std::string(kCodecNames[c]) + " does not restore its input");
                Measured& cell = table_.cells[g * codecs_.size() + c][index_];
                ++cell.packets;
                cell.original += tensor.size();
                cell.compressed += coded.size();
            }
        }
    }

    RatioLayer const& layer_;
    std::size_t index_;
    ArtifactTable& table_;
    DeltaEncoder encoder_;
    DeltaDecoder decoder_;
    std::array<std::unique_ptr<Codec>, 4> codecs_ = artifact_codecs();
};

}  // namespace

std::uint64_t artifact_work(Recording const& recording) {
    return ratio_work(recording, ArtifactTable::kColumns);
}

ArtifactTable measure_artifact(Recording const& recording, unsigned threads, RatioProgress const& progress) {
    std::vector<RatioLayer> const layers = layers_of(recording);
    std::vector<ArtifactTable> parts(layers.size() * ArtifactTable::kColumns);
    std::atomic<std::uint64_t> done{0};
    auto const job = [&](std::size_t i) {
        Column(layers[i / ArtifactTable::kColumns], i % ArtifactTable::kColumns, parts[i]).measure(done);
    };
    run_jobs(parts.size(), threads, job, [&] { progress(done); });

    ArtifactTable table;
    for (std::size_t c = 0; c < table.columns.size(); ++c) table.columns[c] = kDeltaNames[c];
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        std::string const grouping = enum_name(kGroupings[r / kCodecNames.size()]);
        table.rows[r] = (grouping == "none" ? "" : grouping + " + ") + kCodecNames[r % kCodecNames.size()];
    }
    for (ArtifactTable const& part : parts) {
        for (std::size_t r = 0; r < table.rows.size(); ++r) {
            for (std::size_t c = 0; c < table.columns.size(); ++c) table.cells[r][c] += part.cells[r][c];
        }
        for (std::size_t c = 0; c < table.columns.size(); ++c) table.deltas[c] += part.deltas[c];
    }
    return table;
}

}  // namespace netzip
