#pragma once

#include <vector>

#include "base/units.h"

namespace netzip {

/// When the whole-packet slots of a buffer are free, in order: packet n takes the slot of packet n - slots.
///
/// A packet's departure may be known long before it happens; its slot counts as taken until then.
class SlotRing {
public:
    explicit SlotRing(std::size_t slots) : free_(slots, Duration{0}) {}

    /// The next packet takes a slot; only with `known()`.
    void enter() {
        ++inside_;
        enter_at_ = after(enter_at_);
    }
    /// The oldest packet whose departure was not known gives its slot back at `free`.
    void leave(Duration free) {
        --inside_;
        free_[leave_at_] = free;
        leave_at_ = after(leave_at_);
    }
    /// Whether it is known when the next packet may enter.
    bool known() const { return inside_ < free_.size(); }
    Duration next() const { return free_[enter_at_]; }

private:
    std::size_t after(std::size_t place) const { return place + 1 == free_.size() ? 0 : place + 1; }

    std::vector<Duration> free_;
    std::size_t enter_at_ = 0;
    std::size_t leave_at_ = 0;
    std::size_t inside_ = 0;  ///< packets whose departure is not known
};

}  // namespace netzip
