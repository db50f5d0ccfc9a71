#pragma once

#include <algorithm>
#include <string>

#include "pipeline/packet_tag.h"
#include "pipeline/stage_stats.h"
#include "pipeline/trace/trace.h"

namespace netzip {

/// Counts what goes through a stage, and tells a trace when somebody watches.
class StageRecorder {
public:
    StageRecorder(std::string name, std::uint64_t slots) {
        stats_.name = std::move(name);
        stats_.slots = slots;
    }

    /// A packet came in; `inside` counts it.
    void entered(std::uint64_t bytes, std::uint64_t inside) {
        ++stats_.packets_in;
        stats_.bytes_in += Bytes{bytes};
        stats_.most_inside = std::max(stats_.most_inside, inside);
    }
    /// A packet that came at `head_in` is gone at `tail`.
    void left(PacketTag const& tag, std::uint64_t bytes, Duration head_in, Duration tail) {
        ++stats_.packets_out;
        stats_.bytes_out += Bytes{bytes};
        stats_.resident += tail - head_in;
        if (trace_ != nullptr) [[unlikely]]
            tell(tag, head_in, tail);
    }
    /// A slot was free only at `slot`, though the stage could have gone on at `ready`.
    void blocked(Duration ready, Duration slot) {
        if (slot > ready) stats_.blocked += slot - ready;
    }
    void watch(Trace& trace, std::string track) {
        trace_ = &trace;
        track_ = std::move(track);
    }

    StageStats const& stats() const { return stats_; }

private:
    /// Cold: text in the way of every packet of every stage would not fit the instruction cache.
    [[gnu::cold]] void tell(PacketTag const& tag, Duration head_in, Duration tail) const;

    StageStats stats_;
    Trace* trace_ = nullptr;
    std::string track_;
};

/// A module that can be watched; found by walking the module hierarchy.
class Watched {
public:
    virtual ~Watched() = default;
    /// `track` is the dotted path of the module, "a.tx.grouper".
    virtual void watch(Trace& trace, std::string const& track) = 0;
};

}  // namespace netzip
