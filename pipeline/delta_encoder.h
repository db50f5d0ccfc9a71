#pragma once

#include "pipeline/byte_stage.h"

namespace netzip {

/// Delta encoder: base registers, running minimum per layer, 32-lane subtraction.
///
/// Models:          the base that each packet gets, and the depth of the pipeline.
/// Approximates:    the minimum tree runs beside the subtraction and adds no cycles.
/// Does not model:  the memory that a delta to the whole previous iteration would need inside the NIC.
using DeltaEncoderStage = ByteStage<Station::delta_encoder, &PayloadWork::delta_encode>;

}  // namespace netzip
