#pragma once

#include "pipeline/stage.h"

namespace netzip {

/// Grouping staging buffer: whole packets, one half fills while the grouper empties the other.
///
/// Models:          store-and-forward; as many packets as it has slots (two halves by default).
/// Approximates:    nothing beyond Stage.
/// Does not model:  partial halves: a short packet occupies a whole one.
class StagingBuffer : public Stage {
public:
    using Stage::Stage;
};

}  // namespace netzip
