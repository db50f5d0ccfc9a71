#include <algorithm>
#include <iostream>
#include <lz4.h>
#include <snappy-stubs-public.h>
#include <zlib.h>
#include <zstd.h>

#include "base/sha256.h"
#include "golden/reference.h"
#include "models/packet_codec.h"
#include "models/transform/delta.h"
#include "support/catch.h"

using namespace netzip;

namespace {

bool absent(Reference const& reference) {
    if (reference.tensors.empty()) std::cout << "skipped: the medium recordings are not beside the project\n";
    return reference.tensors.empty();
}

std::string label(ReferenceTensor const& t) {
    return t.pair.current.phase + " " + t.pair.current.kind + " " + t.pair.current.name;
}

void check_digests(Reference const& reference, std::vector<std::string> const& layouts) {
    for (auto const& t : reference.tensors) {
        for (std::string const delta : kReferenceDeltas) {
            ByteBuffer const shifted = shifted_tensor(t.pair, reference_delta(delta));
            for (auto const& layout : layouts) {
                ByteBuffer const grouped = grouped_tensor(shifted, reference_layout(layout));
                Sha256 digest;
                digest.add(grouped);
                INFO(label(t) << " " << delta << "_" << layout);
                CHECK(digest.hex() == t.sha256.at(delta + "_" + layout));
            }
        }
    }
}

/// Sum over packets of the coded blocks, without the packet's own header.
std::uint64_t coded_bytes(Codec& codec, ByteSpan tensor) {
    std::uint64_t total = 0;
    ByteBuffer out;
    BlockWork work;
    for_each_packet(tensor, [&](PacketContext const& context, ByteSpan packet) {
        out.clear();
        codec.compress(context, packet, out, work);
        total += out.size();
    });
    return total;
}

struct Library {
    char const* sizes;    ///< name of the sizes in the reference
    char const* version;  ///< name of the library there
    std::string here;
    CodecKind kind;
};

std::vector<Library> libraries() {
    std::string const snappy_version =
        std::to_string(SNAPPY_MAJOR) + "." + std::to_string(SNAPPY_MINOR) + "." + std::to_string(SNAPPY_PATCHLEVEL);
    return {{"lz4", "liblz4", LZ4_versionString(), CodecKind::lz4},
            {"snappy", "libsnappy", snappy_version, CodecKind::snappy},
            {"zlib1", "zlib", zlibVersion(), CodecKind::deflate},
            {"zstd1", "libzstd", ZSTD_versionString(), CodecKind::zstd}};
}

/// Equal with the library version of the reference, else within 0.2 %.
void check_sizes(Reference const& reference, std::vector<std::string> const& layouts, std::size_t libraries_used) {
    auto const all = libraries();
    for (std::size_t l = 0; l < libraries_used; ++l) {
        Library const& library = all[l];
        AlgorithmConfig config;
        config.codec = library.kind;
        auto const codec = make_codec(config);
        bool const same = reference.versions.at(library.version) == library.here;
        for (auto const& t : reference.tensors) {
            for (auto const& layout : layouts) {
                for (std::string const delta : kReferenceDeltas) {
                    ByteBuffer const shifted = shifted_tensor(t.pair, reference_delta(delta));
                    auto const bytes = coded_bytes(*codec, grouped_tensor(shifted, reference_layout(layout)));
                    auto const expected = t.bytes.at(library.sizes).at(delta + "_" + layout);
                    INFO(label(t) << " " << library.sizes << " " << delta << "_" << layout);
                    if (same) CHECK(bytes == expected);
                    CHECK(static_cast<double>(bytes) / static_cast<double>(expected) == Approx(1).margin(0.002));
                }
            }
        }
    }
}

/// Bits per value as the reference counts them: it knows no stored packets nor the first byte of a block (`table`:
/// bytes of base or table).
double window_bits(ReferenceTensor const& t, unsigned bits, WindowBase base, std::size_t table) {
    AlgorithmConfig config;
    config.codec = CodecKind::exponent_window;
    config.window_bits = bits;
    config.window_base = base;
    auto const codec = make_codec(config);
    coded_bytes(*codec, t.pair.previous.bytes);
    std::size_t total = 0;
    ByteBuffer out;
    BlockWork work;
    for_each_packet(t.pair.current.bytes, [&](PacketContext const& context, ByteSpan packet) {
        out.clear();
        codec->compress(context, packet, out, work);
        std::size_t const values = packet.size() / 2;
        std::size_t const coded = table + values + (values * bits + 7) / 8 + work.escapes;
        CHECK(out.size() == std::min(1 + coded, packet.size() + 1));
        total += coded;
    });
    return static_cast<double>(total) * 8 / static_cast<double>(t.values());
}

void check_windows(Reference const& reference) {
    for (auto const& t : reference.tensors) {
        for (unsigned const bits : {3U, 4U}) {
            std::string const w = std::to_string(bits);
            INFO(label(t) << " w = " << w);
            CHECK(window_bits(t, bits, WindowBase::best_of_packet, 1) ==
                  Approx(t.bits_per_value.at("win" + w)).margin(0.01));
            CHECK(window_bits(t, bits, WindowBase::packet_maximum, 1) ==
                  Approx(t.bits_per_value.at("max" + w)).margin(0.01));
            // The reference does not count the table that every packet carries.
            CHECK(window_bits(t, bits, WindowBase::previous_iteration, (1U << bits) - 1) -
                      ((1U << bits) - 1) * 8 / 2048.0 ==
                  Approx(t.bits_per_value.at("prev" + w)).margin(0.01));
        }
    }
}

}  // namespace

TEST_CASE("every transform gives the bytes of the reference", "[golden]") {
    check_digests(small_reference(), {"raw", "byte", "bit"});
}

TEST_CASE("the library codecs give the sizes of the reference", "[golden]") {
    check_sizes(small_reference(), {"raw", "byte", "bit"}, 4);
}

TEST_CASE("the exponent windows cost the bits of the reference", "[golden]") {
    check_windows(small_reference());
}

TEST_CASE("the float delta to the minimum loses as many values as in the reference", "[golden]") {
    for (auto const& t : small_reference().tensors) {
        DeltaEncoder encoder(DeltaKind::float_min);
        DeltaDecoder decoder(DeltaKind::float_min);
        std::size_t lost = 0;
        for (auto const* const tensor : {&t.pair.previous, &t.pair.current}) {
            lost = 0;
            for_each_packet(tensor->bytes, [&](PacketContext const& context, ByteSpan packet) {
                ByteBuffer values(packet.begin(), packet.end());
                DeltaBase const base = encoder.encode(context, values);
                decoder.decode(context, base.span(), values);
                lost += count_different_values(context.type, packet, values);
            });
        }
        INFO(label(t));
        CHECK(lost == t.lost_by_float_min);
    }
}

TEST_CASE("on the medium recordings the bit planes and their LZ4 sizes are those of the reference", "[golden]") {
    Reference const reference = medium_reference();
    if (absent(reference)) return;
    check_digests(reference, {"bit"});
    check_sizes(reference, {"bit"}, 1);
    check_windows(reference);
}
