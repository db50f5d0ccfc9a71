#include "nic/nic_config.h"

#include <initializer_list>

#include "base/config/unused.h"
#include "models/packet_codec.h"

namespace netzip {

namespace {

/// What engines of another codec than the chosen one would have needed.
void unused_engines(NicConfig const& nic, std::string const& place, UnusedParameters& unused) {
    CodecKind const codec = nic.algorithm.codec;
    std::string const reason = place + "algorithm.codec is \"" + enum_name(codec) + "\"";
    bool const zstd = codec == CodecKind::zstd;
    bool const deflate = codec == CodecKind::deflate;
    bool const exponent = codec == CodecKind::exponent_window || codec == CodecKind::exponent_prefix ||
                          codec == CodecKind::exponent_huffman;
    auto const unless = [&](bool used, std::initializer_list<char const*> keys) {
        if (used) return;
        for (char const* key : keys) unused.add(place + key, reason);
    };
    unless(zstd || deflate, {"compressor.entropy"});
    unless(zstd, {"compressor.entropy.zstd_table_build", "decompressor.zstd_bytes_per_100_cycles",
                  "decompressor.zstd_table_build"});
    unless(deflate, {"compressor.entropy.deflate_table_build", "decompressor.deflate_bytes_per_100_cycles",
                     "decompressor.deflate_table_build"});
    unless(exponent, {"compressor.exponent", "decompressor.exponent"});
}

}  // namespace

void NicConfig::check(std::string const& place, Problems& problems) const {
    if (protocol.path_mtu.count() > kMaximumPacketBytes) {
        problems.add(place + "protocol.path_mtu: expected at most " + std::to_string(kMaximumPacketBytes) + " B, got " +
                     to_string(protocol.path_mtu));
    }
    for (auto const& [name, stage] : {std::pair{"tx_bypass", &tx_bypass}, std::pair{"rx_bypass", &rx_bypass}}) {
        if (stage->latency == Cycles::zero()) {
            problems.add(place + name + ".latency: expected at least 1 cycle, so that the mux sees what competes");
        }
    }
}

void NicConfig::unused(std::string const& place, UnusedParameters& unused) const {
    unused_engines(*this, place, unused);
    if (accelerator) return;
    for (char const* key : {"technology",     "base_registers", "algorithm",  "tx_demux",     "delta_encoder",
                            "staging_buffer", "grouper",        "compressor", "merge",        "tx_slices",
                            "tx_mux",         "tx_bypass",      "rx_demux",   "decompressor", "ungrouping_buffer",
                            "ungrouper",      "delta_decoder",  "rx_slices",  "rx_mux",       "rx_bypass"}) {
        unused.add(place + key, place + "accelerator is false");
    }
}

}  // namespace netzip
