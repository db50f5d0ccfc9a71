#include "nic/nic_config.h"

#include "base/config/unused.h"
#include "models/packet_codec.h"

namespace netzip {
namespace {

/// Adds keys of one section for one reason.
class Section {
public:
    Section(std::string place, UnusedParameters& unused) : place_(std::move(place)), unused_(unused) {}
    void unless(bool used, std::initializer_list<char const*> keys, std::string const& reason) {
        if (used) return;
        for (char const* key : keys) unused_.add(place_ + key, reason);
    }

private:
    std::string place_;
    UnusedParameters& unused_;
};

enum class Family { none, lz, entropy, exponent };

Family family_of(CodecKind codec) {
    switch (codec) {
        case CodecKind::none:
            return Family::none;
        case CodecKind::lz4:
        case CodecKind::lz4_hw:
        case CodecKind::snappy:
            return Family::lz;
        case CodecKind::zstd:
        case CodecKind::deflate:
            return Family::entropy;
        case CodecKind::exponent_window:
        case CodecKind::exponent_prefix:
        case CodecKind::exponent_huffman:
            return Family::exponent;
    }
    return Family::none;
}

/// What an engine of another codec would read. The matcher's stages stand in front of the entropy coders, too.
void unused_by_codec(AlgorithmConfig const& algorithm, std::string const& place, UnusedParameters& unused) {
    std::string const reason = place + "algorithm.codec is \"" + enum_name(algorithm.codec) + "\"";
    Family const family = family_of(algorithm.codec);
    bool const lz = family == Family::lz;
    bool const matcher = lz || family == Family::entropy;
    bool const zstd = algorithm.codec == CodecKind::zstd;
    bool const deflate = algorithm.codec == CodecKind::deflate;
    bool const variable =
        algorithm.codec == CodecKind::exponent_prefix || algorithm.codec == CodecKind::exponent_huffman;
    bool const coupled = algorithm.codec == CodecKind::lz4 || algorithm.codec == CodecKind::lz4_hw;

    Section compressor(place + "compressor.", unused);
    compressor.unless(matcher,
                      {"bytes_per_cycle", "window_fill", "matcher", "match_filter", "booster", "sequence_split",
                       "formatter", "packer", "block_gap"},
                      reason);
    compressor.unless(lz, {"lookahead", "clear_per_cycle"}, reason);
    compressor.unless(zstd || deflate, {"entropy.encode_bytes_per_cycle"}, reason);
    compressor.unless(zstd, {"entropy.zstd_table_build"}, reason);
    compressor.unless(deflate, {"entropy.deflate_table_build"}, reason);
    compressor.unless(family == Family::exponent,
                      {"exponent.bytes_per_cycle", "exponent.slots", "exponent.scan", "exponent.code", "exponent.gap",
                       "exponent.pack"},
                      reason);
    compressor.unless(variable, {"exponent.bytes_per_lane"}, reason);

    Section decompressor(place + "decompressor.", unused);
    decompressor.unless(matcher, {"bytes_per_cycle", "latency"}, reason);
    decompressor.unless(coupled, {"coupled"}, reason);
    decompressor.unless(lz, {"short_offset", "short_offset_bytes_per_cycle"}, reason);
    decompressor.unless(zstd, {"zstd_bytes_per_100_cycles", "zstd_table_build"}, reason);
    decompressor.unless(deflate, {"deflate_bytes_per_100_cycles", "deflate_table_build"}, reason);
    decompressor.unless(family == Family::exponent || family == Family::none, {"exponent.bytes_per_cycle"}, reason);
    decompressor.unless(family == Family::exponent, {"exponent.slots", "exponent.latency"}, reason);
    decompressor.unless(variable,
                        {"exponent.bytes_per_lane", "exponent.lane_memories", "exponent.load_width", "exponent.header",
                         "exponent.turn"},
                        reason);
}

/// Synchronisers that nobody needs: the clock before the stage is its own.
void unused_crossings(NicConfig const& nic, std::string const& place, UnusedParameters& unused) {
    Frequency const zero = Frequency::zero();
    auto const clock = [&](Frequency own) { return own == zero ? nic.clock : own; };
    auto const crosses = [&](char const* name, Frequency own, std::initializer_list<Frequency> before) {
        for (Frequency const other : before) {
            if (clock(other) != clock(own)) return;
        }
        unused.add(place + name + ".crossing", "the clock before it is its own");
    };
    crosses("tx_demux", nic.tx_demux.clock, {zero});
    crosses("delta_encoder", nic.delta_encoder.clock, {nic.tx_demux.clock});
    crosses("staging_buffer", nic.staging_buffer.clock, {nic.delta_encoder.clock});
    crosses("grouper", nic.grouper.clock, {nic.staging_buffer.clock});
    crosses("compressor", nic.compressor.clock, {nic.grouper.clock});
    crosses("merge", nic.merge.clock, {nic.compressor.clock});
    crosses("tx_slices", nic.tx_slices.clock, {nic.merge.clock});
    crosses("tx_bypass", nic.tx_bypass.clock, {nic.tx_demux.clock});
    crosses("tx_mux", nic.tx_mux.clock, {nic.tx_slices.clock, nic.tx_bypass.clock});
    crosses("rx_demux", nic.rx_demux.clock, {zero});
    crosses("decompressor", nic.decompressor.clock, {nic.rx_demux.clock});
    crosses("ungrouping_buffer", nic.ungrouping_buffer.clock, {nic.decompressor.clock});
    crosses("ungrouper", nic.ungrouper.clock, {nic.ungrouping_buffer.clock});
    crosses("delta_decoder", nic.delta_decoder.clock, {nic.ungrouper.clock});
    crosses("rx_slices", nic.rx_slices.clock, {nic.delta_decoder.clock});
    crosses("rx_bypass", nic.rx_bypass.clock, {nic.rx_demux.clock});
    crosses("rx_mux", nic.rx_mux.clock, {nic.rx_slices.clock, nic.rx_bypass.clock});
}

}  // namespace

void DmaConfig::unused(std::string const& place, UnusedParameters& unused) const {
    if (pcie.read_jitter == Duration::zero()) unused.add(place + "pcie.seed", place + "pcie.read_jitter is 0");
    if (pcie.inline_descriptors) {
        unused.add(place + "pcie.descriptor", place + "pcie.inline_descriptors is true");
    }
}

void ProtocolConfig::unused(std::string const& place, UnusedParameters& unused) const {
    if (ack_every == 1) unused.add(place + "ack_delay", place + "ack_every is 1");
}

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
    if (accelerator) {
        unused_by_codec(algorithm, place, unused);
        unused_crossings(*this, place, unused);
        return;
    }
    for (char const* key : {"technology",     "base_registers", "algorithm",  "tx_demux",     "delta_encoder",
                            "staging_buffer", "grouper",        "compressor", "merge",        "tx_slices",
                            "tx_mux",         "tx_bypass",      "rx_demux",   "decompressor", "ungrouping_buffer",
                            "ungrouper",      "delta_decoder",  "rx_slices",  "rx_mux",       "rx_bypass"}) {
        unused.add(place + key, place + "accelerator is false");
    }
}

}  // namespace netzip
