#include "models/timing/group_slots.h"

#include <algorithm>

namespace netzip {
namespace {

constexpr std::size_t kBeat = 64;

std::size_t groups_of(GroupingKind kind) {
    switch (kind) {
        case GroupingKind::bit:
            return 16;
        case GroupingKind::byte:
            return 2;
        case GroupingKind::none:
            break;
    }
    return 1;
}

}  // namespace

GroupSlots group_slots(GroupingKind kind, std::size_t bytes) {
    std::size_t const groups = groups_of(kind);
    std::size_t const group = bytes / groups;
    std::size_t const rest = bytes % groups;
    std::size_t const per_group = (group + kBeat - 1) / kBeat;
    std::size_t const data = groups * per_group + (rest > 0 ? 1 : 0);
    std::size_t const last_slot = rest > 0 ? rest : group == 0 ? 0 : (group - 1) % kBeat + 1;
    std::size_t const last_beat = bytes == 0 ? 0 : (bytes - 1) % kBeat + 1;

    GroupSlots slots;
    slots.ungroup = data;
    slots.group = data + (last_slot > last_beat ? 1 : 0);
    // A group below one beat is one slot; the first beat is full when enough of them came, or all.
    if (group >= kBeat)
        slots.head = 1;
    else
        slots.head = group == 0 ? data : std::min((kBeat + group - 1) / group, data);
    return slots;
}

}  // namespace netzip
