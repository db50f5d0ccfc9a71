#include <benchmark/benchmark.h>
#include <cstring>

#include "models/codec/codec.h"
#include "models/packet_codec.h"
#include "models/transform/delta.h"
#include "models/transform/grouping.h"
#include "models/transform/simd.h"
#include "support/recordings.h"

using namespace netzip;

namespace {

/// Packets of one kind of tensor of the recordings that ship with the project.
std::vector<ByteBuffer> const& packets() {
    static std::vector<ByteBuffer> const all = [] {
        std::vector<ByteBuffer> list;
        for (auto const& pair : read_recordings(small_recordings())) {
            if (pair.current.kind == "gradient" && pair.current.name == "embed.weight") continue;
            for (std::size_t at = 0; at < 8 * kRecordedPacketBytes; at += kRecordedPacketBytes)
                list.emplace_back(pair.current.bytes.begin() + static_cast<std::ptrdiff_t>(at),
                                  pair.current.bytes.begin() + static_cast<std::ptrdiff_t>(at + kRecordedPacketBytes));
        }
        return list;
    }();
    return all;
}

/// Walks through all packets, one per iteration, and reports original bytes per second.
template <class Step>
void run(benchmark::State& state, Step step) {
    std::size_t turn = 0;
    for (auto _ : state) step(turn++ % packets().size());
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kRecordedPacketBytes));
}

PacketContext const kContext{0, false, 0, DataType::bf16};
PacketContext const kFirst{0, true, 0, DataType::bf16};

void copy(benchmark::State& state) {
    ByteBuffer out(kRecordedPacketBytes);
    run(state, [&](std::size_t i) {
        std::memcpy(out.data(), packets()[i].data(), out.size());
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    });
}

void with_level(SimdLevel level, void (*bench)(benchmark::State&), benchmark::State& state) {
    limit_simd_level(level);
    bench(state);
    limit_simd_level(best_simd_level());
}

template <DeltaKind Kind>
void delta(benchmark::State& state) {
    DeltaEncoder encoder(Kind);
    ByteBuffer out(kRecordedPacketBytes);
    run(state, [&](std::size_t i) {
        std::memcpy(out.data(), packets()[i].data(), out.size());
        benchmark::DoNotOptimize(encoder.encode(kContext, out));
    });
}

template <GroupingKind Kind>
void grouping(benchmark::State& state) {
    ByteBuffer out(kRecordedPacketBytes);
    run(state, [&](std::size_t i) {
        group(Kind, GroupOrder::high_first, DataType::bf16, packets()[i], out);
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    });
}

template <GroupingKind Kind>
void ungrouping(benchmark::State& state) {
    ByteBuffer out(kRecordedPacketBytes);
    run(state, [&](std::size_t i) {
        ungroup(Kind, GroupOrder::high_first, DataType::bf16, packets()[i], out);
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    });
}

AlgorithmConfig algorithm(CodecKind codec) {
    AlgorithmConfig config;
    config.codec = codec;
    if (codec >= CodecKind::exponent_window) {
        config.delta = DeltaKind::none;
        config.grouping = GroupingKind::none;
    }
    return config;
}

/// Packets as the codec of an algorithm sees them.
std::vector<ByteBuffer> grouped_packets(AlgorithmConfig const& config) {
    std::vector<ByteBuffer> all = packets();
    for (std::size_t i = 0; i < all.size(); ++i)
        group(config.grouping, config.group_order, DataType::bf16, packets()[i], all[i]);
    return all;
}

void compress(benchmark::State& state, CodecKind kind) {
    auto const config = algorithm(kind);
    auto const inputs = grouped_packets(config);
    auto const codec = make_codec(config);
    ByteBuffer out;
    BlockWork work;
    // Two iterations of the layer, so that codecs with a history have one.
    for (int iteration = 0; iteration < 2; ++iteration) codec->compress(kFirst, inputs[0], out, work);
    run(state, [&](std::size_t i) {
        out.clear();
        codec->compress(kContext, inputs[i], out, work);
        benchmark::DoNotOptimize(out.data());
    });
}

void decompress(benchmark::State& state, CodecKind kind) {
    auto const config = algorithm(kind);
    auto const codec = make_codec(config);
    std::vector<ByteBuffer> blocks;
    BlockWork work;
    for (auto const& input : grouped_packets(config)) codec->compress(kContext, input, blocks.emplace_back(), work);
    ByteBuffer out(kRecordedPacketBytes);
    run(state, [&](std::size_t i) {
        codec->decompress(kContext, blocks[i], out, work);
        benchmark::DoNotOptimize(out.data());
    });
}

void encode(benchmark::State& state, CodecKind kind) {
    PacketEncoder encoder(algorithm(kind));
    EncodedPacket encoded;
    run(state, [&](std::size_t i) {
        encoder.encode(kContext, packets()[i], encoded);
        benchmark::DoNotOptimize(encoded.payload.data());
    });
}

void decode(benchmark::State& state, CodecKind kind) {
    PacketEncoder encoder(algorithm(kind));
    PacketDecoder decoder(algorithm(kind));
    std::vector<EncodedPacket> encoded(packets().size());
    for (std::size_t i = 0; i < encoded.size(); ++i) encoder.encode(kContext, packets()[i], encoded[i]);
    ByteBuffer out;
    CodecWork work;
    run(state, [&](std::size_t i) {
        decoder.decode(kContext, encoded[i], out, work);
        benchmark::DoNotOptimize(out.data());
    });
}

void register_steps(std::string const& name, void (*bench)(benchmark::State&)) {
    for (auto const& [level, level_name] : EnumNames<SimdLevel>::values)
        benchmark::RegisterBenchmark((name + "/" + level_name).c_str(),
                                     [bench, level = level](benchmark::State& s) { with_level(level, bench, s); });
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::RegisterBenchmark("memcpy", copy);
    register_steps("delta_min_previous", delta<DeltaKind::min_previous>);
    register_steps("delta_min_previous_ordered", delta<DeltaKind::min_previous_ordered>);
    register_steps("delta_packet_exponent", delta<DeltaKind::packet_exponent>);
    register_steps("group_byte", grouping<GroupingKind::byte>);
    register_steps("group_bit", grouping<GroupingKind::bit>);
    register_steps("ungroup_byte", ungrouping<GroupingKind::byte>);
    register_steps("ungroup_bit", ungrouping<GroupingKind::bit>);
    for (auto const& [kind, name] : EnumNames<CodecKind>::values) {
        benchmark::RegisterBenchmark((std::string("compress/") + name).c_str(), compress, kind);
        benchmark::RegisterBenchmark((std::string("decompress/") + name).c_str(), decompress, kind);
    }
    for (auto const kind : {CodecKind::lz4, CodecKind::exponent_prefix}) {
        benchmark::RegisterBenchmark(("encode/" + algorithm(kind).name()).c_str(), encode, kind);
        benchmark::RegisterBenchmark(("decode/" + algorithm(kind).name()).c_str(), decode, kind);
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
}
