#include "pipeline/stage_recorder.h"

namespace netzip {

void StageRecorder::tell(PacketTag const& tag, Duration head_in, Duration tail) const {
    bool const ack = tag.acknowledgement;
    trace_->span(track_, (ack ? "ack " : "packet ") + std::to_string(ack ? tag.qp_sequence : tag.serial), head_in,
                 tail);
}

}  // namespace netzip
