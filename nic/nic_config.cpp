#include "nic/nic_config.h"

#include "base/config/unused.h"
#include "models/packet_codec.h"

namespace netzip {

void NicConfig::check(std::string const& place, Problems& problems) const {
    if (protocol.path_mtu.count() > kMaximumPacketBytes) {
        problems.add(place + "protocol.path_mtu: expected at most " + std::to_string(kMaximumPacketBytes) + " B, got " +
                     to_string(protocol.path_mtu));
    }
}

void NicConfig::unused(std::string const& place, UnusedParameters& unused) const {
    if (accelerator) return;
    for (char const* key : {"technology",     "base_registers", "algorithm",  "tx_demux",     "delta_encoder",
                            "staging_buffer", "grouper",        "compressor", "merge",        "tx_slices",
                            "tx_mux",         "tx_bypass",      "rx_demux",   "decompressor", "ungrouping_buffer",
                            "ungrouper",      "delta_decoder",  "rx_slices",  "rx_mux",       "rx_bypass"}) {
        unused.add(place + key, place + "accelerator is false");
    }
}

}  // namespace netzip
