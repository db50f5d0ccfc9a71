#include <algorithm>
#include <iostream>

#include "golden/reference.h"
#include "models/packet_codec.h"
#include "support/catch.h"

using namespace netzip;

namespace {

/// Compressed size over original size of iteration 1, original length and base of every packet counted, packets that
/// would not shrink counted as they are.
double packet_ratio(AlgorithmConfig const& config, ReferenceTensor const& t) {
    PacketEncoder encoder(config);
    EncodedPacket encoded;
    std::size_t bytes = 0;
    for (auto const* const tensor : {&t.pair.previous, &t.pair.current}) {
        bytes = 0;
        for_each_packet(tensor->bytes, [&](PacketContext const& context, ByteSpan packet) {
            encoder.encode(context, packet, encoded);
            bytes += encoded.payload.size();
        });
    }
    return static_cast<double>(bytes) / static_cast<double>(t.pair.current.bytes.size());
}

AlgorithmConfig algorithm(DeltaKind delta, GroupingKind grouping, CodecKind codec) {
    AlgorithmConfig config;
    config.delta = delta;
    config.grouping = grouping;
    config.codec = codec;
    return config;
}

AlgorithmConfig prefix() {
    return algorithm(DeltaKind::none, GroupingKind::none, CodecKind::exponent_prefix);
}

/// More than one value in ten is zero: what is left of the exponents is no dense tensor.
bool zero_heavy(ReferenceTensor const& t) {
    auto const& bytes = t.pair.current.bytes;
    std::size_t zeros = 0;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) zeros += bytes[i] == 0 && bytes[i + 1] == 0 ? 1 : 0;
    return 10 * zeros > t.values();
}

void check_prefix(Reference const& reference) {
    for (auto const& t : reference.tensors) {
        double const ratio = packet_ratio(prefix(), t);
        INFO(t.pair.current.phase << " " << t.pair.current.kind << " " << t.pair.current.name);
        if (!zero_heavy(t)) {
            CHECK(ratio < 1.02 * t.floor());
            continue;
        }
        for (auto const delta : {DeltaKind::none, DeltaKind::min_previous})
            CHECK(ratio < packet_ratio(algorithm(delta, GroupingKind::bit, CodecKind::lz4), t));
    }
}

}  // namespace

TEST_CASE("the exponent-prefix code is within 2 % of the floor, and beats LZ4 on zero-heavy tensors", "[golden]") {
    check_prefix(small_reference());
    check_prefix(medium_reference());
}
