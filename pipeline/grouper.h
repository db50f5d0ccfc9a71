#pragma once

#include "pipeline/byte_stage.h"

namespace netzip {

/// Grouper: reads a staged packet plane by plane or byte by byte.
///
/// Models:          the order of the bytes, and the depth of the rotators behind the staging banks.
/// Approximates:    planes that end inside a beat cost no extra beat.
/// Does not model:  bank conflicts; the banks are skewed so that there are none.
using GrouperStage = ByteStage<Station::grouper, &PayloadWork::group>;

}  // namespace netzip
