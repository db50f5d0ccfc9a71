#pragma once

#include "pipeline/byte_stage.h"

namespace netzip {

/// Ungrouper: puts the bits of every value together again.
///
/// Models:          the order of the bytes, and the depth of the rotators behind the buffer banks.
/// Approximates:    planes that end inside a beat cost no extra beat.
/// Does not model:  bank conflicts; the banks are skewed so that there are none.
using UngrouperStage = ByteStage<Station::ungrouper, &PayloadWork::ungroup>;

}  // namespace netzip
