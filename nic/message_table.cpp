#include "nic/message_table.h"

namespace netzip {

std::uint32_t MessageTable::take() {
    if (idle_.empty()) {
        idle_.push_back(static_cast<std::uint32_t>(slots_.size()));
        slots_.emplace_back();
    }
    std::uint32_t const slot = idle_.back();
    idle_.pop_back();
    slots_[slot].in_use = true;
    return slot;
}

void MessageTable::free(std::uint32_t slot) {
    PostedMessage& posted = slots_[slot];
    posted.in_use = false;
    posted.message = Message{};
    posted.bytes_done = 0;
    posted.acknowledged = false;
    idle_.push_back(slot);
}

}  // namespace netzip
