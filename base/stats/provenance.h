#pragma once

#include <array>
#include <utility>

#include "base/config/range.h"

namespace netzip {

/// Where a number comes from.
enum class Provenance {
    measured,    ///< counted or timed by this run
    calibrated,  ///< from a model fitted to a published measurement
    assumed,     ///< from a value that nobody measured
    derived,     ///< computed from others
    quoted,      ///< stands in a publication as it is
};

template <>
struct EnumNames<Provenance> {
    static constexpr std::array values{
        std::pair{Provenance::measured, "measured"}, std::pair{Provenance::calibrated, "calibrated"},
        std::pair{Provenance::assumed, "assumed"}, std::pair{Provenance::derived, "derived"},
        std::pair{Provenance::quoted, "quoted"}};
};

}  // namespace netzip
