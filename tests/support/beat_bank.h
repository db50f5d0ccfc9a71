#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/codec/work.h"

namespace netzip::test {

/// A bank of LZ4 engines of one byte per cycle, cycle by cycle: every byte that is taken and every byte that leaves.
/// It knows what a packet's sequences are, and counts; it shares no arithmetic with the recurrences.
struct BeatBankConfig {
    std::size_t engines = 1;
    std::uint64_t before = 8;          ///< cycles from the bank's input to an engine
    std::uint64_t match_latency = 99;  ///< cycles from the byte that ends a match to its token
    std::uint64_t after = 12;          ///< cycles from an engine's output to the bank's
    std::uint64_t gap = 69;            ///< cycles between two blocks of an engine
    std::uint64_t literal_fifo = 4096;
    std::uint64_t in_flight = 64;
    std::uint64_t clear_after = 4095;  ///< blocks until the table is cleared
    std::uint64_t clear = 4096;        ///< cycles
};

class BeatBank {
public:
    BeatBank(BeatBankConfig const& config, std::vector<BlockWork> const& works)
        : config_(config), works_(&works), engines_(config.engines) {}

    /// One slot per engine: the packet that it takes. The lowest number of those that take nothing.
    bool accepts() const {
        if (inside_ >= config_.in_flight) return false;
        for (Engine const& e : engines_)
            if (!e.taking) return true;
        return false;
    }
    void arrive(std::size_t packet, std::uint64_t bytes, std::uint64_t cycle) {
        if (order_.empty() || newest_ != packet) {
            newest_ = packet;
            for (target_ = 0; engines_[target_].taking; ++target_) {
            }
            engines_[target_].begin(packet);
            order_.push_back({packet, 0, false});
            ++inside_;
        }
        engines_[target_].coming.push_back({cycle + config_.before, bytes});
    }
    void step(std::uint64_t cycle) {
        for (Engine& e : engines_) {
            take(e, cycle);
            emit(e, cycle);
        }
    }
    /// The oldest packet, when all of it is at the output.
    bool complete(std::uint64_t cycle, std::size_t& packet) const {
        if (order_.empty() || !order_.front().done || order_.front().at > cycle) return false;
        packet = order_.front().packet;
        return true;
    }
    void left() {
        order_.pop_front();
        --inside_;
    }

private:
    struct Coming {
        std::uint64_t cycle, bytes;
    };
    struct Push {
        std::uint64_t cycle;
        LzSequence sequence;
        std::size_t packet;
        bool last;
    };
    struct Engine {
        // Input.
        bool taking = false;
        std::size_t packet = 0;
        std::deque<Coming> coming;
        std::uint64_t there = 0, taken = 0, in_sequence = 0, sequence = 0, idle_until = 0, blocks = 0;
        // Output.
        std::deque<Push> fifo;
        bool emitting = false;
        Push now{};
        std::uint64_t sent = 0;
        std::uint64_t literals_held = 0;

        void begin(std::size_t p) {
            taking = true;
            packet = p;
            coming.clear();
            there = taken = in_sequence = sequence = 0;
        }
    };
    struct Inside {
        std::size_t packet;
        std::uint64_t at;
        bool done;
    };

    static std::uint64_t more(std::uint64_t length) { return length < 15 ? 0 : (length - 15) / 255 + 1; }

    void take(Engine& e, std::uint64_t cycle) {
        if (!e.taking) return;
        while (!e.coming.empty() && e.coming.front().cycle <= cycle) {
            e.there += e.coming.front().bytes;
            e.coming.pop_front();
        }
        BlockWork const& work = (*works_)[e.packet];
        if (cycle < e.idle_until || e.there == e.taken) return;
        LzSequence const* s = &work.sequences[e.sequence];
        // The byte behind a match belongs to the next sequence, which is not the current one yet.
        bool const behind = e.in_sequence == std::uint64_t{s->literals} + s->match_length;
        bool const literal =
            behind ? e.sequence + 1 < work.sequences.size() && s[1].literals > 0 : e.in_sequence < s->literals;
        if (literal && e.literals_held >= config_.literal_fifo) return;
        if (literal) ++e.literals_held;
        ++e.taken;
        ++e.in_sequence;
        bool const last_byte = e.taken == work.bytes_in;
        // The end of a match is seen with the byte after it, or with the last of the block.
        while (e.sequence < work.sequences.size()) {
            s = &work.sequences[e.sequence];
            std::uint64_t const length = std::uint64_t{s->literals} + s->match_length;
            if (e.in_sequence <= length && !last_byte) break;
            bool const last = e.sequence + 1 == work.sequences.size();
            e.fifo.push_back({cycle + config_.match_latency, *s, e.packet, last});
            e.in_sequence -= std::min(e.in_sequence, length);
            ++e.sequence;
        }
        if (!last_byte) return;
        e.taking = false;
        e.idle_until = cycle + 1 + config_.gap;
        if (++e.blocks % config_.clear_after == 0) e.idle_until += config_.clear;
    }

    void emit(Engine& e, std::uint64_t cycle) {
        if (!e.emitting) {
            if (e.fifo.empty() || e.fifo.front().cycle > cycle) return;
            e.now = e.fifo.front();
            e.fifo.pop_front();
            e.emitting = true;
            e.sent = 0;
        }
        LzSequence const& s = e.now.sequence;
        std::uint64_t const prefix = 1 + more(s.literals);
        std::uint64_t const whole =
            prefix + s.literals + (s.match_length > 0 ? 2 + more(std::uint64_t{s.match_length} - 4) : 0);
        if (e.sent >= prefix && e.sent < prefix + s.literals) --e.literals_held;
        if (++e.sent < whole) return;
        e.emitting = false;
        if (!e.now.last) return;
        for (Inside& i : order_) {
            if (i.packet == e.now.packet) i = {i.packet, cycle + 1 + config_.after, true};
        }
    }

    BeatBankConfig config_;
    std::vector<BlockWork> const* works_;
    std::vector<Engine> engines_;
    std::deque<Inside> order_;
    std::size_t target_ = 0, newest_ = 0;
    std::uint64_t inside_ = 0;
};

}  // namespace netzip::test
