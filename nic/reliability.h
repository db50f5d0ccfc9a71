#pragma once

#include <cstdint>

#include "base/units.h"
#include "pipeline/ring.h"
#include "pipeline/stream_protocol.h"

namespace netzip {

/// Go-back-N at the sender of one queue pair: what is sent and not acknowledged, and what to send again.
///
/// Packets are numbered from 0 in posting order (the packet sequence number before it is cut to 24 bits).
class SendWindow {
public:
    explicit SendWindow(std::uint64_t window) : window_(window) {}

    bool open() const { return kept_.size() < window_; }
    bool has_resend() const { return resend_ < next_; }
    bool waiting() const { return !kept_.empty(); }
    std::uint64_t oldest() const { return oldest_; }
    std::uint64_t next() const { return next_; }

    /// A new packet was sent at `time`; the window keeps it. Its number must be `next()`.
    void sent(Payload& payload, Duration time);
    /// The packet to send again; moves on to the following one.
    Payload& take_resend(Duration time);
    /// Everything before `expected` has arrived: hands each payload to `release`, oldest first.
    template <class Release>
    void acknowledged(std::uint64_t expected, Duration time, Release release) {
        while (oldest_ < expected && !kept_.empty()) {
            release(*kept_.front());
            kept_.pop_front();
            ++oldest_;
            progress_ = time;
            fruitless_ = 0;
        }
        if (resend_ < oldest_) resend_ = oldest_;
    }
    /// Starts again at the oldest packet that is not acknowledged.
    void go_back() { resend_ = oldest_; }

    /// Nothing has been acknowledged since then.
    Duration progress() const { return progress_; }
    /// A time-out passed; returns how many have in a row.
    std::uint64_t timed_out(Duration time) {
        progress_ = time;
        go_back();
        return ++fruitless_;
    }

private:
    std::uint64_t window_;
    Ring<Payload*> kept_;  ///< packets oldest_ .. next_ - 1
    std::uint64_t oldest_ = 0;
    std::uint64_t next_ = 0;
    std::uint64_t resend_ = 0;  ///< first packet to send again; next_ when there is none
    Duration progress_;
    std::uint64_t fruitless_ = 0;
};

/// The receiver of one queue pair: what is expected next, and when to say so.
class ReceiveOrder {
public:
    enum class Verdict { accept, duplicate, gap };

    Verdict judge(std::uint64_t sequence);
    std::uint64_t expected() const { return expected_; }
    /// One more accepted packet awaits its acknowledgement; true when it is due at once.
    bool due(std::uint64_t ack_every, bool last_of_message) {
        ++unacknowledged_;
        return unacknowledged_ >= ack_every || last_of_message;
    }
    std::uint64_t unacknowledged() const { return unacknowledged_; }
    void answered() { unacknowledged_ = 0; }
    /// A gap is reported once until a packet is accepted again.
    bool first_of_gap() {
        bool const first = !gap_reported_;
        gap_reported_ = true;
        return first;
    }

private:
    std::uint64_t expected_ = 0;
    std::uint64_t unacknowledged_ = 0;
    bool gap_reported_ = false;
};

}  // namespace netzip
