#pragma once

#include "pipeline/byte_stage.h"

namespace netzip {

/// Delta decoder: adds the base that came with the packet.
///
/// Models:          the depth of the pipeline; the values are exact.
/// Approximates:    nothing beyond Stage.
/// Does not model:  the memory that a delta to the whole previous iteration would need inside the NIC.
using DeltaDecoderStage = ByteStage<Station::delta_decoder, &PayloadWork::delta_decode>;

}  // namespace netzip
