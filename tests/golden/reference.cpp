#include "golden/reference.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "models/transform/delta.h"
#include "models/transform/grouping.h"

namespace netzip {
namespace {

ReferenceTensor read_tensor(nlohmann::json const& entry, std::vector<RecordedPair>& recordings) {
    ReferenceTensor t;
    auto const phase = entry.at("phase").get<std::string>();
    auto const kind = entry.at("kind").get<std::string>();
    auto const name = entry.at("name").get<std::string>();
    auto const found = std::find_if(recordings.begin(), recordings.end(), [&](RecordedPair const& p) {
        return p.current.phase == phase && p.current.kind == kind && p.current.name == name;
    });
    if (found == recordings.end()) throw std::runtime_error("no recording of " + phase + " " + kind + " " + name);
    t.pair = std::move(*found);
    t.group = entry.at("group").get<std::string>();
    t.exponent_entropy = entry.at("H_exponent").get<double>();
    t.sha256 = entry.at("sha256").get<std::map<std::string, std::string>>();
    for (auto const* const codec : {"lz4", "snappy", "zlib1", "zstd1"})
        t.bytes[codec] = entry.at(codec).get<std::map<std::string, std::uint64_t>>();
    t.bits_per_value = entry.at("fixed_bits_per_value").get<std::map<std::string, double>>();
    t.lost_by_float_min = entry.at("fmin_not_exact").get<std::uint64_t>();
    return t;
}

Reference read_reference(std::filesystem::path const& numbers, std::filesystem::path const& folder) {
    Reference reference;
    if (!std::filesystem::exists(numbers) || !std::filesystem::exists(folder)) return reference;
    std::ifstream in(numbers);
    auto const root = nlohmann::json::parse(in);
    reference.versions = root.at("versions").get<std::map<std::string, std::string>>();
    auto recordings = read_recordings(folder);
    for (auto const& entry : root.at("tensors")) reference.tensors.push_back(read_tensor(entry, recordings));
    return reference;
}

}  // namespace

Reference small_reference() {
    return read_reference(std::filesystem::path(NETZIP_SOURCE_DIR) / "tests/golden/public_small.json",
                          small_recordings());
}

Reference medium_reference() {
    return read_reference(std::filesystem::path(NETZIP_SOURCE_DIR) / "../shared/data/golden_public_medium.json",
                          medium_recordings());
}

DeltaKind reference_delta(std::string const& name) {
    static std::map<std::string, DeltaKind> const kinds{{"none", DeltaKind::none},
                                                        {"imin", DeltaKind::min_previous},
                                                        {"omin", DeltaKind::min_previous_ordered},
                                                        {"true16", DeltaKind::true_integer},
                                                        {"xor", DeltaKind::true_xor},
                                                        {"fmin", DeltaKind::float_min}};
    return kinds.at(name);
}

GroupingKind reference_layout(std::string const& name) {
    static std::map<std::string, GroupingKind> const kinds{
        {"raw", GroupingKind::none}, {"byte", GroupingKind::byte}, {"bit", GroupingKind::bit}};
    return kinds.at(name);
}

ByteBuffer shifted_tensor(RecordedPair const& pair, DeltaKind kind) {
    DeltaEncoder encoder(kind);
    ByteBuffer shifted;
    for (auto const* const tensor : {&pair.previous, &pair.current}) {
        shifted = tensor->bytes;
        for_each_packet(tensor->bytes, [&](PacketContext const& context, ByteSpan packet) {
            encoder.encode(context, {shifted.data() + context.tensor_offset, packet.size()});
        });
    }
    return shifted;
}

ByteBuffer grouped_tensor(ByteSpan tensor, GroupingKind kind) {
    ByteBuffer grouped(tensor.size());
    for_each_packet(tensor, [&](PacketContext const& context, ByteSpan packet) {
        group(kind, GroupOrder::artifact, context.type, packet,
              {grouped.data() + context.tensor_offset, packet.size()});
    });
    return grouped;
}

}  // namespace netzip
