#include <algorithm>
#include <cstdio>
#include <map>

#include "golden/reference.h"
#include "models/packet_codec.h"
#include "models/transform/delta.h"
#include "support/catch.h"

using namespace netzip;

namespace {

struct Totals {
    std::uint64_t original = 0;
    std::uint64_t coded = 0;
    std::uint64_t values = 0;
    std::uint64_t lost = 0;
    double floor_bytes = 0;
};

/// Iteration 1 after iteration 0; packets that would not shrink travel as they are.
void add_tensor(AlgorithmConfig const& config, ReferenceTensor const& t, Totals& totals) {
    PacketEncoder encoder(config);
    PacketDecoder decoder(config);
    EncodedPacket encoded;
    ByteBuffer restored;
    CodecWork work;
    for (auto const* const tensor : {&t.pair.previous, &t.pair.current}) {
        for_each_packet(tensor->bytes, [&](PacketContext const& context, ByteSpan packet) {
            encoder.encode(context, packet, encoded);
            decoder.decode(context, encoded, restored, work);
            if (tensor == &t.pair.previous) return;
            totals.coded += encoded.payload.size();
            totals.lost += count_different_values(context.type, packet, restored);
        });
    }
    totals.original += t.pair.current.bytes.size();
    totals.values += t.values();
    totals.floor_bytes += t.floor() * static_cast<double>(t.pair.current.bytes.size());
}

AlgorithmConfig algorithm(DeltaKind delta, GroupingKind grouping, CodecKind codec,
                          GroupPolicy policy = GroupPolicy::one_block) {
    AlgorithmConfig config;
    config.delta = delta;
    config.grouping = grouping;
    config.codec = codec;
    config.group_policy = policy;
    return config;
}

std::vector<AlgorithmConfig> algorithms() {
    using D = DeltaKind;
    using G = GroupingKind;
    using C = CodecKind;
    auto const either = GroupPolicy::per_group_or_raw;
    std::vector<AlgorithmConfig> all{
        algorithm(D::none, G::none, C::lz4),
        algorithm(D::none, G::byte, C::lz4, either),
        algorithm(D::none, G::bit, C::lz4),
        algorithm(D::min_previous, G::bit, C::lz4),
        algorithm(D::min_previous, G::bit, C::lz4, either),
        algorithm(D::min_previous_ordered, G::bit, C::lz4),
        algorithm(D::p1_previous, G::bit, C::lz4),
        algorithm(D::packet_exponent, G::bit, C::lz4),
        algorithm(D::true_integer, G::bit, C::lz4),
        algorithm(D::min_previous, G::bit, C::lz4_hw),
        algorithm(D::min_previous, G::bit, C::snappy),
        algorithm(D::none, G::none, C::zstd),
        algorithm(D::none, G::byte, C::zstd, either),
        algorithm(D::min_previous, G::bit, C::zstd),
        algorithm(D::none, G::none, C::deflate),
        algorithm(D::none, G::none, C::exponent_window),
        algorithm(D::none, G::none, C::exponent_huffman),
        algorithm(D::none, G::none, C::exponent_prefix),
        algorithm(D::none, G::none, C::exponent_prefix),
        algorithm(D::none, G::none, C::exponent_prefix),
        algorithm(D::float_min, G::bit, C::lz4),
        algorithm(D::float_p1, G::bit, C::lz4),
        algorithm(D::float_true, G::bit, C::lz4),
    };
    auto const first_prefix = std::find_if(
        all.begin(), all.end(), [](AlgorithmConfig const& c) { return c.codec == CodecKind::exponent_prefix; });
    first_prefix[1].lanes = 16;
    first_prefix[2].anchor_values = 2048;
    // The order in which the reference and the artifact store the planes.
    for (auto const delta : {D::none, D::min_previous, D::float_min}) {
        all.push_back(algorithm(delta, G::bit, C::lz4));
        all.back().group_order = GroupOrder::artifact;
    }
    return all;
}

bool wanted(ReferenceTensor const& t) {
    auto const& phase = t.pair.current.phase;
    return phase == "late" || phase == "ft";
}

}  // namespace

// Not a check: prints the table of docs/validation.md.
TEST_CASE("ratios of the medium recordings, as a table", "[.table]") {
    Reference const reference = medium_reference();
    std::vector<std::string> groups;
    for (auto const& t : reference.tensors)
        if (wanted(t) && std::find(groups.begin(), groups.end(), t.group) == groups.end()) groups.push_back(t.group);
    std::printf("| algorithm |");
    for (auto const& group : groups) std::printf(" %s |", group.c_str());
    std::map<std::string, double> floors;
    for (auto config : algorithms()) {
        std::map<std::string, Totals> by_group;
        for (auto const& t : reference.tensors)
            if (wanted(t)) add_tensor(config, t, by_group[t.group]);
        std::printf("\n| %s |", config.name().c_str());
        for (auto const& group : groups) {
            Totals const& totals = by_group[group];
            floors[group] = totals.floor_bytes / static_cast<double>(totals.original);
            std::printf(" %.3f", static_cast<double>(totals.coded) / static_cast<double>(totals.original));
            if (totals.lost != 0)
                std::printf(" (%.0f %% lost)",
                            100.0 * static_cast<double>(totals.lost) / static_cast<double>(totals.values));
            std::printf(" |");
        }
    }
    std::printf("\n| floor |");
    for (auto const& group : groups) std::printf(" %.3f |", floors[group]);
    std::printf("\n");
}
