#include "nic/transmit_path.h"

namespace netzip {

TransmitPath::TransmitPath(sc_core::sc_module_name name, NicConfig const& c, PayloadWork& payload_work)
    : sc_module(name),
      demux_("demux", Demux::Direction::transmit, c.tx_demux, c.clock, payload_work, order_),
      before_("delta_encoder"),
      compressor_("compressor", c.compressor, c.algorithm, c.clock, c.grouper.clock, payload_work, order_),
      after_("merge"),
      bypass_("bypass"),
      mux_("mux", Station::tx_mux, c.tx_mux, c.clock, {c.tx_slices.clock, c.tx_bypass.clock}, order_) {
    before_.add<DeltaEncoderStage>("delta_encoder", c.delta_encoder, c.clock, c.tx_demux.clock, payload_work);
    before_.add<StagingBuffer>("staging_buffer", Station::staging_buffer, c.staging_buffer, c.clock,
                               c.delta_encoder.clock);
    before_.add<GrouperStage>("grouper", c.grouper, c.clock, c.staging_buffer.clock, payload_work);
    after_.add<Merge>("merge", c.merge, c.clock, c.compressor.clock, payload_work);
    after_.add<Stage>("slices", Station::tx_slices, c.tx_slices, c.clock, c.merge.clock);
    bypass_.add<Stage>("bypass", Station::tx_bypass, c.tx_bypass, c.clock, c.tx_demux.clock);

    demux_.accelerated.bind(before_.in);
    before_.out.bind(compressor_.in);
    compressor_.out.bind(after_.in);
    after_.out.bind(mux_.accelerated);
    demux_.bypass.bind(bypass_.in);
    bypass_.out.bind(mux_.bypass);
}

std::vector<StageStats> TransmitPath::stats() const {
    std::vector<StageStats> all{demux_.stats()};
    append(all, before_.stats());
    all.push_back(compressor_.stats());
    append(all, after_.stats());
    append(all, bypass_.stats());
    all.push_back(mux_.stats());
    return all;
}

}  // namespace netzip
