#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace netzip::test {

/// A stage, cycle by cycle: it has room for `slots` whole packets, takes up to `width` bytes of the oldest packet not
/// yet taken per cycle, sends each byte at the earliest `latency` cycles later, up to `width` per cycle, and only
/// begins to send a packet when the next place has a free slot. It shares no arithmetic with StageTimer: it counts.
struct BeatStage {
    std::uint64_t width = 64;
    std::uint64_t latency = 4;
    std::uint64_t slots = 2;
    bool store = false;               ///< take a packet only when all of it is there
    std::uint64_t release_early = 0;  ///< store: free when at most so many beats have still to leave
};

struct BeatPacket {
    std::uint64_t offered = 0;     ///< cycle from which the source has its first beat
    std::uint64_t pace = 64;       ///< bytes per cycle of the source
    std::uint64_t bytes = 0;       ///< into the first stage
    std::uint64_t added = 0;       ///< bytes that every stage puts in front
    std::uint64_t sink_ready = 0;  ///< cycle from which the sink takes its head
};

struct BeatStamps {
    std::uint64_t head = 0;
    std::uint64_t tail = 0;  ///< end of the last cycle
};

/// Runs packets through a chain of stages; stamps[place][packet], place 0 is the source, place i what left stage i.
class BeatChain {
public:
    BeatChain(std::vector<BeatStage> const& stages, std::vector<BeatPacket> packets)
        : packets_(std::move(packets)), stamps_(stages.size() + 1, std::vector<BeatStamps>(packets_.size())) {
        for (auto const& s : stages) places_.push_back({s, {}, {}});
    }

    std::vector<std::vector<BeatStamps>> run() {
        for (std::uint64_t cycle = 0; done_ < packets_.size(); ++cycle) {
            source(cycle);
            for (std::size_t i = 0; i < places_.size(); ++i) {
                if (places_[i].stage.latency > 0) send(i, cycle);
                take(i, cycle);
                if (places_[i].stage.latency == 0) send(i, cycle);
                release(i);
            }
        }
        return std::move(stamps_);
    }

private:
    struct Slot {
        std::size_t packet;
        std::uint64_t bytes_in;
        std::uint64_t bytes_out;
        std::uint64_t arrived = 0;
        std::uint64_t taken = 0;
        std::uint64_t through = 0;  ///< of the output bytes, those the pipeline has delivered
        std::uint64_t sent = 0;
        bool complete = false;  ///< the last byte arrived in an earlier cycle
        bool released = false;
    };
    struct Beat {
        std::uint64_t due;
        std::size_t packet;
        std::uint64_t bytes;
    };
    struct Place {
        BeatStage stage;
        std::deque<Slot> slots;  ///< released packets stay here until they have left
        std::deque<Beat> pipe;
    };

    bool accepts(std::size_t index, std::size_t packet, std::uint64_t cycle) const {
        if (index == places_.size()) return cycle >= packets_[packet].sink_ready;
        auto const& place = places_[index];
        auto const held =
            std::count_if(place.slots.begin(), place.slots.end(), [](Slot const& s) { return !s.released; });
        return static_cast<std::uint64_t>(held) < place.stage.slots;
    }

    void arrive(std::size_t index, std::size_t packet, std::uint64_t bytes) {
        if (index == places_.size()) return;
        auto& slots = places_[index].slots;
        auto const& p = packets_[packet];
        if (slots.empty() || slots.back().packet != packet) {
            slots.push_back({packet, p.bytes + index * p.added, p.bytes + (index + 1) * p.added});
        }
        slots.back().arrived += bytes;
    }

    void source(std::uint64_t cycle) {
        if (source_packet_ == packets_.size()) return;
        auto const& packet = packets_[source_packet_];
        auto& stamp = stamps_[0][source_packet_];
        if (source_sent_ == 0) {
            if (cycle < packet.offered || !accepts(0, source_packet_, cycle)) return;
            stamp.head = cycle;
        }
        std::uint64_t const bytes = std::min(packet.pace, packet.bytes - source_sent_);
        arrive(0, source_packet_, bytes);
        source_sent_ += bytes;
        if (source_sent_ < packet.bytes) return;
        stamp.tail = cycle + 1;
        source_sent_ = 0;
        ++source_packet_;
    }

    void take(std::size_t index, std::uint64_t cycle) {
        Place& place = places_[index];
        for (auto& slot : place.slots) {
            if (slot.taken == slot.bytes_in) continue;
            if (slot.arrived > slot.taken && (!place.stage.store || slot.complete)) {
                std::uint64_t const bytes = std::min(place.stage.width, slot.arrived - slot.taken);
                std::uint64_t const front = slot.taken == 0 ? slot.bytes_out - slot.bytes_in : 0;
                slot.taken += bytes;
                place.pipe.push_back({cycle + place.stage.latency, slot.packet, bytes + front});
            }
            break;
        }
        for (auto& slot : place.slots) slot.complete = slot.arrived == slot.bytes_in;
    }

    void send(std::size_t index, std::uint64_t cycle) {
        Place& place = places_[index];
        while (!place.pipe.empty() && place.pipe.front().due <= cycle) {
            for (auto& slot : place.slots) {
                if (slot.packet == place.pipe.front().packet) slot.through += place.pipe.front().bytes;
            }
            place.pipe.pop_front();
        }
        if (place.slots.empty() || place.slots.front().through == place.slots.front().sent) return;
        Slot& slot = place.slots.front();
        auto& stamp = stamps_[index + 1][slot.packet];
        if (slot.sent == 0) {
            if (!accepts(index + 1, slot.packet, cycle)) return;
            stamp.head = cycle;
        }
        std::uint64_t const bytes = std::min(place.stage.width, slot.through - slot.sent);
        arrive(index + 1, slot.packet, bytes);
        slot.sent += bytes;
        if (slot.sent < slot.bytes_out) return;
        stamp.tail = cycle + 1;
        if (index + 1 == places_.size()) ++done_;
    }

    void release(std::size_t index) {
        Place& place = places_[index];
        for (auto& slot : place.slots) {
            std::uint64_t const left = slot.bytes_out - slot.sent;
            std::uint64_t const beats_left = (left + place.stage.width - 1) / place.stage.width;
            slot.released = slot.released || (slot.taken == slot.bytes_in && slot.sent > 0 &&
                                              (!place.stage.store || beats_left <= place.stage.release_early));
        }
        auto const gone = [](Slot const& s) { return s.released && s.sent == s.bytes_out; };
        while (!place.slots.empty() && gone(place.slots.front())) place.slots.pop_front();
    }

    std::vector<Place> places_;
    std::vector<BeatPacket> packets_;
    std::vector<std::vector<BeatStamps>> stamps_;
    std::size_t source_packet_ = 0;
    std::uint64_t source_sent_ = 0;
    std::size_t done_ = 0;
};

}  // namespace netzip::test
