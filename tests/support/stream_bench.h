#pragma once

#include <functional>
#include <vector>

#include "pipeline/payload_pool.h"
#include "pipeline/stream_port.h"
#include "support/catch.h"

namespace Catch {
template <>
struct StringMaker<netzip::Duration> {
    static std::string convert(netzip::Duration const& time) { return netzip::to_string(time); }
};
}  // namespace Catch

namespace netzip::test {

/// One simulation: declare it before any module, so that they die before the next reset.
struct Sim {
    Sim() {
        sc_core::sc_get_curr_simcontext()->reset();
        set_time_resolution();
    }
    /// Runs until nothing is left to happen.
    void run() {
        sc_core::sc_start();
        CHECK_FALSE(sc_core::sc_pending_activity());
        CHECK(pool.live() == 0);
    }
    PayloadPool pool;
};

/// A packet that a test sends: its first byte is there at `head`, its last one at `tail`.
struct Offer {
    Duration head;
    Duration tail;
    std::uint64_t bytes = 0;
    PacketTag tag{};
    ByteBuffer data{};  ///< `bytes` bytes, or empty: zeros
};

/// Sends packets, each when its first byte is there, in order.
class PacketSource : public sc_core::sc_module, private StreamSource {
public:
    StreamOutput out{"out", *this};
    std::vector<Duration> sent;  ///< when the receiver took each packet's head

    PacketSource(sc_core::sc_module_name name, PayloadPool& pool, std::vector<Offer> offers)
        : sc_module(name), pool_(pool), offers_(std::move(offers)) {
        SC_HAS_PROCESS(PacketSource);
        SC_METHOD(offer);
    }

private:
    void offer() {
        for (; offered_ < offers_.size(); ++offered_) {
            Offer const& packet = offers_[offered_];
            if (packet.head > now()) return next_trigger(to_sc_time(packet.head - now()));
            Payload& payload = pool_.take();
            tag_of(payload) = packet.tag;
            ByteBuffer& bytes = PayloadPool::bytes_of(payload).current;
            bytes = packet.data;
            bytes.resize(packet.bytes);
            PayloadPool::publish(payload);
            out.push(payload);
        }
    }
    Departure depart(StreamOutput&, Payload&, Duration sink_ready) override {
        Offer const& packet = offers_[sent.size()];
        Duration const head = std::max({packet.head, sink_ready, free_});
        free_ = head + (packet.tail - packet.head);
        sent.push_back(head);
        return {head, free_};
    }

    PayloadPool& pool_;
    std::vector<Offer> offers_;
    std::size_t offered_ = 0;
    Duration free_;
};

/// A packet as it came.
struct Arrival {
    Duration head;
    Duration tail;
    PacketTag tag;
    ByteBuffer data;
};

/// Takes packets and keeps what they were. `ready(n)` is the time from which packet n, counted from 0, may come;
/// the answer for it is given by an event at that time, as a slow receiver does.
class PacketSink : public sc_core::sc_module, private StreamSink {
public:
    StreamInput in{"in", *this};
    std::vector<Arrival> arrivals;
    std::function<Duration(std::size_t n)> ready = [](std::size_t) { return Duration::zero(); };
    /// Called with each packet when it comes; may keep nothing of it.
    std::function<void(Payload&)> seen = [](Payload&) {};

    explicit PacketSink(sc_core::sc_module_name name) : sc_module(name) {
        SC_HAS_PROCESS(PacketSink);
        SC_METHOD(answer);
        sensitive << answer_;
        dont_initialize();
    }
    std::vector<Duration> tails() const {
        std::vector<Duration> result;
        for (Arrival const& arrival : arrivals) result.push_back(arrival.tail);
        return result;
    }

private:
    void arrived(StreamInput&, Payload& payload, Duration head) override {
        PacketTag const& tag = tag_of(payload);
        arrivals.push_back({head, tag.tail_at, tag, PayloadPool::bytes_of(payload).current});
        Duration const next = std::max(tag.tail_at, ready(arrivals.size()));
        seen(payload);
        payload.release();
        answer_.notify(to_sc_time(next - now()));
    }
    void answer() { in.release(now()); }

    sc_core::sc_event answer_;
};

}  // namespace netzip::test
