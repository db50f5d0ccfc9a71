#pragma once

#include <cstddef>
#include <cstdint>

#include "models/algorithm.h"

namespace netzip {

/// Cycles that a 64 B/cycle grouper or ungrouper spends on one packet of 16-bit values.
///
/// A slot moves up to 64 B of one group, the bytes beyond the groups, or what overflowed the last beat; a packet whose
/// groups are not whole beats takes more slots than beats. Own RTL: exact.
struct GroupSlots {
    std::uint64_t group = 0;    ///< slots of the grouper's reader, and of its output
    std::uint64_t head = 0;     ///< of these, until the first beat is full
    std::uint64_t ungroup = 0;  ///< slots of the ungrouper's writer, and of its input
};

/// `kind` none takes one slot per beat.
GroupSlots group_slots(GroupingKind kind, std::size_t bytes);

}  // namespace netzip
