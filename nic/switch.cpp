#include "nic/switch.h"

#include <algorithm>

namespace netzip {

Switch::Switch(sc_core::sc_module_name name, SwitchConfig const& config)
    : sc_module(name), in("in", *this), out("out", *this), config_(config), recorder_("switch", 0) {}

void Switch::arrived(StreamInput& port, Payload& payload, Duration head) {
    Duration const tail = tag_of(payload).tail_at;
    Duration const decided = (config_.cut_through ? head : tail) + config_.latency;
    queue_.push_back({decided, std::max(decided, tail + config_.latency), head});
    recorder_.entered(payload.get_data_length(), queue_.size());
    out.push(payload);
    port.release(tail);
}

Departure Switch::depart(StreamOutput&, Payload& payload, Duration sink_ready) {
    Queued const frame = queue_.front();
    queue_.pop_front();
    Duration const head = std::max(frame.head, sink_ready);
    Duration const tail = std::max(frame.tail, head);
    recorder_.left(tag_of(payload), payload.get_data_length(), frame.head_in, tail);
    return {head, tail};
}

StageStats Switch::stats() const {
    StageStats stats = recorder_.stats();
    stats.inside = queue_.size();
    if (!out.ready()) stats.waits_for = out.receiver();
    return stats;
}

}  // namespace netzip
