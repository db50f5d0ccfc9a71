#include <algorithm>

#include "base/error.h"
#include "models/packet_codec.h"
#include "support/algorithms.h"
#include "support/catch.h"
#include "support/packet_bytes.h"

using namespace netzip;

namespace {

enum class Outcome { refused, decoded };

/// A decoder may refuse damaged input with RunError or decode it to the announced length; nothing else.
Outcome decode(PacketDecompressor& decompressor, PacketContext const& context, ByteBuffer const& damaged) {
    // A copy of exactly this size, so that sanitizers notice a read beyond it.
    ByteBuffer const payload(damaged.begin(), damaged.end());
    ByteBuffer grouped;
    DeltaBase base;
    CodecWork work;
    try {
        decompressor.decompress(context, payload, grouped, base, work);
    } catch (RunError const&) {
        return Outcome::refused;
    }
    REQUIRE(grouped.size() == payload[0] + 256U * payload[1]);
    return Outcome::decoded;
}

struct Sample {
    PacketContext context;
    ByteBuffer payload;
};

/// Payloads of one algorithm for packets of several shapes and types.
std::vector<Sample> samples(AlgorithmConfig const& config) {
    std::vector<Sample> all;
    PacketEncoder encoder(config);
    EncodedPacket encoded;
    for (auto const type : {DataType::bf16, DataType::fp32, DataType::fp8_e4m3}) {
        for (auto const& packet : {dense_bytes(515, 1), sparse_bytes(514, 2), ByteBuffer(512, 0x41)}) {
            PacketContext const context{static_cast<std::uint16_t>(type), true, 0, type};
            encoder.encode(context, packet, encoded);
            if (!encoded.raw) all.push_back({context, encoded.payload});
        }
    }
    return all;
}

/// One of each codec and layout: the delta does not matter to a decompressor beyond the size of its base.
std::vector<AlgorithmConfig> decoders() {
    auto all = accepted_algorithms();
    std::erase_if(all, [](AlgorithmConfig const& c) {
        bool const base = c.delta == DeltaKind::none || c.delta == DeltaKind::min_previous;
        return !base || c.group_order != GroupOrder::high_first || c.codec == CodecKind::none;
    });
    return all;
}

}  // namespace

TEST_CASE("a damaged payload is refused or decodes to its announced length", "[corruption]") {
    std::mt19937 generator(7);
    for (auto const& config : decoders()) {
        PacketDecompressor decompressor(config);
        for (auto const& sample : samples(config)) {
            for (int round = 0; round < 150; ++round) {
                ByteBuffer damaged = sample.payload;
                std::size_t const flips = 1 + generator() % 4;
                for (std::size_t f = 0; f < flips; ++f)
                    damaged[generator() % damaged.size()] ^= static_cast<std::uint8_t>(1U << generator() % 8);
                decode(decompressor, sample.context, damaged);
            }
        }
    }
}

TEST_CASE("random bytes are refused or decode to their announced length", "[corruption]") {
    std::mt19937 generator(8);
    for (auto const& config : decoders()) {
        PacketDecompressor decompressor(config);
        for (unsigned round = 0; round < 150; ++round) {
            ByteBuffer bytes = random_bytes(generator() % 300, round);
            if (bytes.size() > 1) bytes[1] &= 3;
            decode(decompressor, {0, true, 0, all_of<DataType>()[round % 5]}, bytes);
        }
    }
}

TEST_CASE("a truncated payload is refused", "[corruption]") {
    for (auto const& config : decoders()) {
        PacketDecompressor decompressor(config);
        for (auto const& sample : samples(config)) {
            ByteBuffer shorter = sample.payload;
            while (!shorter.empty()) {
                shorter.pop_back();
                if (decode(decompressor, sample.context, shorter) != Outcome::refused)
                    FAIL(config.name() << " decodes " << shorter.size() << " of " << sample.payload.size() << " B");
            }
        }
    }
}

TEST_CASE("a wrong original length is refused", "[corruption]") {
    for (auto const& config : decoders()) {
        PacketDecompressor decompressor(config);
        for (auto const& sample : samples(config)) {
            for (int const step : {-256, -1, 1, 256}) {
                ByteBuffer damaged = sample.payload;
                int const length = damaged[0] + 256 * damaged[1] + step;
                damaged[0] = static_cast<std::uint8_t>(length);
                damaged[1] = static_cast<std::uint8_t>(length >> 8);
                if (decode(decompressor, sample.context, damaged) != Outcome::refused)
                    FAIL(config.name() << " decodes to " << length << " B");
            }
        }
    }
}
