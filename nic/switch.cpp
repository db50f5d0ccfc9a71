#include "nic/switch.h"

#include <algorithm>

namespace netzip {

Switch::Switch(sc_core::sc_module_name name, SwitchConfig const& config)
    : sc_module(name), in("in", *this), out("out", *this), config_(config) {}

void Switch::arrived(StreamInput& port, Payload& payload, Duration head) {
    Duration const tail = tag_of(payload).tail_at;
    Duration const decided = (config_.cut_through ? head : tail) + config_.latency;
    ++stats_.packets_in;
    stats_.bytes_in += Bytes{payload.get_data_length()};
    queue_.push_back({decided, std::max(decided, tail + config_.latency), head});
    stats_.most_inside = std::max<std::uint64_t>(stats_.most_inside, queue_.size());
    out.push(payload);
    port.release(tail);
}

Departure Switch::depart(StreamOutput&, Payload&, Duration sink_ready) {
    Queued const frame = queue_.front();
    queue_.pop_front();
    ++stats_.packets_out;
    Duration const head = std::max(frame.head, sink_ready);
    stats_.resident += head - frame.head_in;
    return {head, std::max(frame.tail, head)};
}

StageStats Switch::stats() const {
    StageStats stats = stats_;
    stats.name = "switch";
    stats.bytes_out = stats.bytes_in;
    stats.inside = queue_.size();
    if (!out.ready()) stats.waits_for = out.receiver();
    return stats;
}

}  // namespace netzip
