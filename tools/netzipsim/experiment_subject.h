#pragma once

#include "tools/explore/sweep/sweep.h"

namespace netzip {

/// The simulator as a sweep sees it: the base experiments of the file with its fixed values. Points share what they can
/// in `cache`, unless they name a directory of their own.
/// Throws UsageError with all problems of the base.
SweepSubject experiment_subject(SweepFile const& sweep, std::string const& cache);

}  // namespace netzip
