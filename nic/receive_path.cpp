#include "nic/receive_path.h"

namespace netzip {

ReceivePath::ReceivePath(sc_core::sc_module_name name, NicConfig const& c, PayloadWork& payload_work)
    : sc_module(name),
      demux_("demux", Demux::Direction::receive, c.rx_demux, c.clock, payload_work, order_),
      decompressor_("decompressor", c.decompressor, c.algorithm, c.clock, c.rx_demux.clock, c.ungrouping_buffer.width,
                    payload_work, order_),
      ungrouping_buffer_("ungrouping_buffer", Station::ungrouping_buffer, c.ungrouping_buffer, c.clock,
                         c.decompressor.clock),
      ungrouper_("ungrouper", c.ungrouper, c.clock, c.ungrouping_buffer.clock, payload_work),
      delta_decoder_("delta_decoder", c.delta_decoder, c.clock, c.ungrouper.clock, payload_work),
      slices_("slices", Station::rx_slices, c.rx_slices, c.clock, c.delta_decoder.clock),
      bypass_("bypass", Station::rx_bypass, c.rx_bypass, c.clock, c.rx_demux.clock),
      mux_("mux", Station::rx_mux, c.rx_mux, c.clock, {c.rx_slices.clock, c.rx_bypass.clock}, order_) {
    demux_.accelerated.bind(decompressor_.in);
    decompressor_.out.bind(ungrouping_buffer_.in);
    ungrouping_buffer_.out.bind(ungrouper_.in);
    ungrouper_.out.bind(delta_decoder_.in);
    delta_decoder_.out.bind(slices_.in);
    slices_.out.bind(mux_.accelerated);
    demux_.bypass.bind(bypass_.in);
    bypass_.out.bind(mux_.bypass);
}

std::vector<StageStats> ReceivePath::stats() const {
    return {demux_.stats(),
            decompressor_.stats(),
            ungrouping_buffer_.stats(),
            ungrouper_.stats(),
            delta_decoder_.stats(),
            slices_.stats(),
            bypass_.stats(),
            mux_.stats()};
}

}  // namespace netzip
