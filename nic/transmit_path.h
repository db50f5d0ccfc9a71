#pragma once

#include "nic/nic_config.h"
#include "pipeline/compressor.h"
#include "pipeline/delta_encoder.h"
#include "pipeline/demux.h"
#include "pipeline/grouper.h"
#include "pipeline/merge.h"
#include "pipeline/mux.h"
#include "pipeline/stage_chain.h"
#include "pipeline/staging_buffer.h"

namespace netzip {

/// NetZIP's transmit accelerator, composition only:
///
///     in -> demux -> delta encoder -> staging buffer -> grouper -> compressor -> merge -> slices -> mux -> out
///             \------------------------------ bypass buffer -------------------------------------/
class TransmitPath : public sc_core::sc_module {
public:
    TransmitPath(sc_core::sc_module_name name, NicConfig const& config, PayloadWork& payload_work);

    StreamInput& in() { return demux_.in; }
    StreamOutput& out() { return mux_.out; }
    std::vector<StageStats> stats() const;
    CompressorStage const& compressor() const { return compressor_; }

private:
    QueuePairOrder order_;
    Demux demux_;
    StageChain before_;  ///< delta encoder, staging buffer, grouper
    CompressorStage compressor_;
    StageChain after_;  ///< merge, slices
    StageChain bypass_;
    Mux mux_;
};

}  // namespace netzip
