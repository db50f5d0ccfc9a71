#include "nic/transmit_path.h"

namespace netzip {

TransmitPath::TransmitPath(sc_core::sc_module_name name, NicConfig const& c, PayloadWork& payload_work)
    : sc_module(name),
      demux_("demux", Demux::Direction::transmit, c.tx_demux, c.clock, payload_work, order_),
      delta_encoder_("delta_encoder", c.delta_encoder, c.clock, c.tx_demux.clock, payload_work),
      staging_buffer_("staging_buffer", Station::staging_buffer, c.staging_buffer, c.clock, c.delta_encoder.clock),
      grouper_("grouper", c.grouper, c.clock, c.staging_buffer.clock, payload_work),
      compressor_("compressor", c.compressor, c.algorithm, c.clock, c.grouper.clock, payload_work, order_),
      merge_("merge", c.merge, c.clock, c.compressor.clock, payload_work),
      slices_("slices", Station::tx_slices, c.tx_slices, c.clock, c.merge.clock),
      bypass_("bypass", Station::tx_bypass, c.tx_bypass, c.clock, c.tx_demux.clock),
      mux_("mux", Station::tx_mux, c.tx_mux, c.clock, {c.tx_slices.clock, c.tx_bypass.clock}, order_) {
    demux_.accelerated.bind(delta_encoder_.in);
    delta_encoder_.out.bind(staging_buffer_.in);
    staging_buffer_.out.bind(grouper_.in);
    grouper_.out.bind(compressor_.in);
    compressor_.out.bind(merge_.in);
    merge_.out.bind(slices_.in);
    slices_.out.bind(mux_.accelerated);
    demux_.bypass.bind(bypass_.in);
    bypass_.out.bind(mux_.bypass);
}

std::vector<StageStats> TransmitPath::stats() const {
    return {demux_.stats(), delta_encoder_.stats(), staging_buffer_.stats(), grouper_.stats(), compressor_.stats(),
            merge_.stats(), slices_.stats(),        bypass_.stats(),         mux_.stats()};
}

}  // namespace netzip
