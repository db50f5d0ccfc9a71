#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "pipeline/packet_tag.h"
#include "pipeline/ring.h"

namespace netzip {

/// Which packets of each queue pair are between demux and mux, and in what order they must come out.
///
/// The demux enters every packet; the mux lets a packet go only when it is the oldest of its queue pair. The
/// compressor bank may finish packets of different queue pairs out of order; it must not let one go past an older
/// bypassing packet of its queue pair, or the two paths could wait for each other for ever.
class QueuePairOrder {
public:
    /// Called each time a bypassing packet has gone: an engine bank may have waited for it.
    void on_bypass_leave(std::function<void()> listener) { listeners_.push_back(std::move(listener)); }

    void enter(PacketTag const& tag, bool bypass) {
        if (tag.queue_pair >= pairs_.size()) pairs_.resize(tag.queue_pair + std::size_t{1});
        pairs_[tag.queue_pair].push_back({tag.qp_sequence, bypass});
        ++(bypass ? bypassing_ : accelerated_);
    }
    /// Packets between demux and mux, by path.
    std::uint64_t bypassing() const { return bypassing_; }
    std::uint64_t accelerated() const { return accelerated_; }
    bool oldest(PacketTag const& tag) const { return pairs_[tag.queue_pair].front().sequence == tag.qp_sequence; }
    bool behind_bypass(PacketTag const& tag) const {
        if (bypassing_ == 0) return false;
        auto const& pair = pairs_[tag.queue_pair];
        for (std::size_t i = 0; i < pair.size() && pair[i].sequence != tag.qp_sequence; ++i) {
            if (pair[i].bypass) return true;
        }
        return false;
    }
    void leave(PacketTag const& tag) {
        auto& pair = pairs_[tag.queue_pair];
        bool const bypass = pair.front().bypass;
        pair.pop_front();
        --(bypass ? bypassing_ : accelerated_);
        if (!bypass) return;
        for (auto const& listener : listeners_) listener();
    }

private:
    struct Entry {
        std::uint64_t sequence = 0;
        bool bypass = false;
    };
    std::vector<Ring<Entry>> pairs_;
    std::uint64_t bypassing_ = 0;
    std::uint64_t accelerated_ = 0;
    std::vector<std::function<void()>> listeners_;
};

}  // namespace netzip
