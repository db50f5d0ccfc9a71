#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "support/beat_bank.h"

namespace netzip::test {

/// A stage, cycle by cycle: it has room for `slots` whole packets, takes up to `width` bytes of the oldest packet not
/// yet taken per cycle, sends each byte at the earliest `latency` cycles later, up to `width` per cycle, and only
/// begins to send a packet when the next place has a free slot. It shares no arithmetic with StageTimer: it counts.
struct BeatStage {
    std::uint64_t width = 64;
    std::uint64_t latency = 4;
    std::uint64_t slots = 2;
    bool store = false;                       ///< take a packet only when all of it is there
    std::uint64_t release_early = 0;          ///< store: free when at most so many beats have still to leave
    std::optional<BeatBankConfig> bank = {};  ///< this place is a bank; `width` is that of its output
};

struct BeatPacket {
    std::uint64_t offered = 0;     ///< cycle from which the source has its first beat
    std::uint64_t pace = 64;       ///< bytes per cycle of the source
    std::uint64_t bytes = 0;       ///< into the first stage
    std::uint64_t added = 0;       ///< bytes that every stage puts in front
    std::uint64_t sink_ready = 0;  ///< cycle from which the sink takes its head
    std::uint64_t coded = 0;       ///< bytes out of the bank; the next stage sends the original when it is not smaller
};

struct BeatStamps {
    std::uint64_t head = 0;
    std::uint64_t tail = 0;  ///< end of the last cycle
};

/// Runs packets through a chain of stages; stamps[place][packet], place 0 is the source, place i what left stage i.
class BeatChain {
public:
    /// `works` is for a bank: what the codec did to each packet.
    BeatChain(std::vector<BeatStage> const& stages, std::vector<BeatPacket> packets,
              std::vector<BlockWork> const& works = {})
        : packets_(std::move(packets)), stamps_(stages.size() + 1, std::vector<BeatStamps>(packets_.size())) {
        for (auto const& s : stages) {
            if (s.bank) bank_at_ = places_.size();
            places_.push_back({s, {}, {}, {}, 0});
            if (s.bank) places_.back().bank.emplace(*s.bank, works);
        }
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
        std::optional<BeatBank> bank;
        std::uint64_t result_sent = 0;
    };

    /// Bytes of a packet into a place.
    std::uint64_t size(std::size_t index, std::size_t packet) const {
        auto const& p = packets_[packet];
        if (index <= bank_at_) return p.bytes + index * p.added;
        if (index == bank_at_ + 1) return p.coded;
        return std::min(p.coded, p.bytes);
    }

    bool accepts(std::size_t index, std::size_t packet, std::uint64_t cycle) const {
        if (index == places_.size()) return cycle >= packets_[packet].sink_ready;
        auto const& place = places_[index];
        if (place.bank) return place.bank->accepts();
        auto const held =
            std::count_if(place.slots.begin(), place.slots.end(), [](Slot const& s) { return !s.released; });
        return static_cast<std::uint64_t>(held) < place.stage.slots;
    }

    void arrive(std::size_t index, std::size_t packet, std::uint64_t bytes, std::uint64_t cycle) {
        if (index == places_.size()) return;
        if (places_[index].bank) return places_[index].bank->arrive(packet, bytes, cycle);
        auto& slots = places_[index].slots;
        if (slots.empty() || slots.back().packet != packet) {
            slots.push_back({packet, size(index, packet), size(index + 1, packet)});
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
        arrive(0, source_packet_, bytes, cycle);
        source_sent_ += bytes;
        if (source_sent_ < packet.bytes) return;
        stamp.tail = cycle + 1;
        source_sent_ = 0;
        ++source_packet_;
    }

    void take(std::size_t index, std::uint64_t cycle) {
        Place& place = places_[index];
        if (place.bank) return place.bank->step(cycle);
        for (auto& slot : place.slots) {
            if (slot.taken == slot.bytes_in) continue;
            if (slot.arrived > slot.taken && (!place.stage.store || slot.complete)) {
                std::uint64_t const bytes = std::min(place.stage.width, slot.arrived - slot.taken);
                // What a stage adds stands in front; what it takes away is missing at the end, but for the last byte.
                std::uint64_t const grown = slot.bytes_out > slot.bytes_in ? slot.bytes_out - slot.bytes_in : 0;
                auto const output = [&](std::uint64_t taken) {
                    if (taken == 0 || taken == slot.bytes_in) return taken == 0 ? 0 : slot.bytes_out;
                    return std::min(taken + grown, slot.bytes_out - 1);
                };
                std::uint64_t const before = output(slot.taken);
                slot.taken += bytes;
                place.pipe.push_back({cycle + place.stage.latency, slot.packet, output(slot.taken) - before});
            }
            break;
        }
        for (auto& slot : place.slots) slot.complete = slot.arrived == slot.bytes_in;
    }

    void send_result(std::size_t index, std::uint64_t cycle) {
        Place& place = places_[index];
        std::size_t packet = 0;
        if (!place.bank->complete(cycle, packet)) return;
        auto& stamp = stamps_[index + 1][packet];
        if (place.result_sent == 0) {
            if (!accepts(index + 1, packet, cycle)) return;
            stamp.head = cycle;
        }
        std::uint64_t const bytes = std::min(place.stage.width, packets_[packet].coded - place.result_sent);
        arrive(index + 1, packet, bytes, cycle);
        place.result_sent += bytes;
        if (place.result_sent < packets_[packet].coded) return;
        stamp.tail = cycle + 1;
        place.result_sent = 0;
        place.bank->left();
        if (index + 1 == places_.size()) ++done_;
    }

    void send(std::size_t index, std::uint64_t cycle) {
        Place& place = places_[index];
        if (place.bank) return send_result(index, cycle);
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
        arrive(index + 1, slot.packet, bytes, cycle);
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
    std::size_t bank_at_ = ~std::size_t{0} - 1;
};

}  // namespace netzip::test
