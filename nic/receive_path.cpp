#include "nic/receive_path.h"

namespace netzip {

ReceivePath::ReceivePath(sc_core::sc_module_name name, NicConfig const& c, PayloadWork& payload_work)
    : sc_module(name),
      demux_("demux", Demux::Direction::receive, c.rx_demux, c.clock, payload_work, order_),
      decompressor_("decompressor", c.decompressor, c.algorithm, c.clock, c.rx_demux.clock, c.ungrouping_buffer.width,
                    payload_work, order_),
      after_("ungrouping_buffer"),
      bypass_("bypass"),
      mux_("mux", Station::rx_mux, c.rx_mux, c.clock, {c.rx_slices.clock, c.rx_bypass.clock}, order_) {
    after_.add<StagingBuffer>("ungrouping_buffer", Station::ungrouping_buffer, c.ungrouping_buffer, c.clock,
                              c.decompressor.clock);
    after_.add<UngrouperStage>("ungrouper", c.ungrouper, c.clock, c.ungrouping_buffer.clock, payload_work);
    after_.add<DeltaDecoderStage>("delta_decoder", c.delta_decoder, c.clock, c.ungrouper.clock, payload_work);
    after_.add<Stage>("slices", Station::rx_slices, c.rx_slices, c.clock, c.delta_decoder.clock);
    bypass_.add<Stage>("bypass", Station::rx_bypass, c.rx_bypass, c.clock, c.rx_demux.clock);

    demux_.accelerated.bind(decompressor_.in);
    decompressor_.out.bind(after_.in);
    after_.out.bind(mux_.accelerated);
    demux_.bypass.bind(bypass_.in);
    bypass_.out.bind(mux_.bypass);
}

std::vector<StageStats> ReceivePath::stats() const {
    std::vector<StageStats> all{demux_.stats(), decompressor_.stats()};
    append(all, after_.stats());
    append(all, bypass_.stats());
    all.push_back(mux_.stats());
    return all;
}

}  // namespace netzip
