#pragma once

#include "nic/nic_config.h"
#include "pipeline/decompressor.h"
#include "pipeline/delta_decoder.h"
#include "pipeline/demux.h"
#include "pipeline/mux.h"
#include "pipeline/stage_chain.h"
#include "pipeline/staging_buffer.h"
#include "pipeline/ungrouper.h"

namespace netzip {

/// NetZIP's receive accelerator, composition only:
///
///     in -> demux -> decompressor -> ungrouping buffer -> ungrouper -> delta decoder -> slices -> mux -> out
///             \------------------------------ bypass buffer ---------------------------------/
class ReceivePath : public sc_core::sc_module {
public:
    ReceivePath(sc_core::sc_module_name name, NicConfig const& config, PayloadWork& payload_work);

    StreamInput& in() { return demux_.in; }
    StreamOutput& out() { return mux_.out; }
    std::vector<StageStats> stats() const;
    DecompressorStage const& decompressor() const { return decompressor_; }

private:
    QueuePairOrder order_;
    Demux demux_;
    DecompressorStage decompressor_;
    StageChain after_;  ///< ungrouping buffer, ungrouper, delta decoder, slices
    StageChain bypass_;
    Mux mux_;
};

}  // namespace netzip
