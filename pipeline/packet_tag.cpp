#include "pipeline/packet_tag.h"

#include "pipeline/stream_protocol.h"

namespace netzip {

void set_time_resolution() {
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
    kernel_time = &sc_core::sc_time_stamp();
}

char const* station_name(Station station) {
    static constexpr std::array<char const*, kStations> kNames{
        "dma_read",     "tx_demux",          "delta_encoder", "staging_buffer", "grouper",   "compressor",  "merge",
        "tx_slices",    "tx_bypass",         "tx_mux",        "protocol_tx",    "link",      "protocol_rx", "rx_demux",
        "decompressor", "ungrouping_buffer", "ungrouper",     "delta_decoder",  "rx_slices", "rx_bypass",   "rx_mux",
        "dma_write"};
    return kNames[static_cast<std::size_t>(station)];
}

}  // namespace netzip
