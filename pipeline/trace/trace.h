#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace netzip {

/// A frame as a capture between the nodes would see it.
struct WireFrame {
    Duration time{0};                    ///< its first bit on the wire
    std::uint32_t from = 0;              ///< number of the sending node
    std::uint32_t to = 1;                ///< number of the receiving node
    std::uint32_t queue_pair = 0;        ///< of the receiver
    std::uint32_t psn = 0;               ///< packet sequence number, its low 24 bits
    bool acknowledgement = false;        ///< an ACK or NAK: no payload
    bool negative = false;               ///< NAK: sequence error
    std::uint32_t message_sequence = 0;  ///< of an acknowledgement: messages completed
    bool first = true;                   ///< of its message: carries address and length of the message
    bool last = true;
    bool ask_acknowledgement = false;
    std::uint64_t address = 0;              ///< target of the message
    std::uint32_t message_bytes = 0;        ///< length of the message
    std::uint32_t payload_bytes = 0;        ///< length after the transport header; `payload` may hold less, or nothing
    std::span<std::uint8_t const> payload;  ///< the bytes, where the run carries bytes
};

/// What a trace keeps: only what happens from `begin` to `end`, and at most `bytes` in the file.
struct TraceLimits {
    Duration begin{0};
    Duration end = Duration::max();
    std::uint64_t bytes = 256u << 20;
};

/// Watches a run. A module that is traced holds a pointer, null when nobody watches, and reports
///   * `span` when it knows from when to when a packet was in it (any order, also ahead of the kernel's time),
///   * `level` each time a FIFO, a window or a credit count changes,
///   * `frame` when a frame goes onto the wire.
/// Names are dotted paths, "a.tx.grouper"; the first part is the node. A watcher never changes a result.
class Trace {
public:
    virtual ~Trace() = default;
    virtual void span(std::string_view track, std::string_view name, Duration begin, Duration end) {
        static_cast<void>(track), static_cast<void>(name), static_cast<void>(begin), static_cast<void>(end);
    }
    virtual void level(std::string_view name, Duration time, std::uint64_t value) {
        static_cast<void>(name), static_cast<void>(time), static_cast<void>(value);
    }
    virtual void frame(WireFrame const& frame) { static_cast<void>(frame); }
    /// Finishes the file; returns a line for the user when something was left out, else an empty string.
    virtual std::string close() { return {}; }
};

/// Several watchers as one.
class TraceGroup final : public Trace {
public:
    void add(Trace& trace) { traces_.push_back(&trace); }
    bool empty() const { return traces_.empty(); }
    void span(std::string_view track, std::string_view name, Duration begin, Duration end) override {
        for (Trace* t : traces_) t->span(track, name, begin, end);
    }
    void level(std::string_view name, Duration time, std::uint64_t value) override {
        for (Trace* t : traces_) t->level(name, time, value);
    }
    void frame(WireFrame const& frame) override {
        for (Trace* t : traces_) t->frame(frame);
    }

private:
    std::vector<Trace*> traces_;
};

}  // namespace netzip
