#pragma once

#include <vector>

#include "pipeline/payload_pool.h"
#include "pipeline/stream_port.h"
#include "support/beat_reference.h"

namespace netzip::test {

// Cycles of 1 ns.
inline Duration at(std::uint64_t cycle) {
    return Duration{1'000'000} * cycle;
}
inline std::uint64_t cycle(Duration time) {
    return time.count() / 1'000'000;
}

/// Sends the packets of a scenario; by an event at each packet's time, or all at once with annotated times.
class Source : public sc_core::sc_module, private StreamSource {
public:
    StreamOutput out{"out", *this};
    std::vector<BeatStamps> stamps;

    Source(sc_core::sc_module_name name, PayloadPool& pool, std::vector<BeatPacket> const& packets, bool events)
        : sc_module(name), pool_(pool), packets_(packets), events_(events) {
        SC_HAS_PROCESS(Source);
        SC_METHOD(offer);
    }

private:
    void offer() {
        while (offered_ < packets_.size()) {
            BeatPacket const& packet = packets_[offered_];
            if (events_ && at(packet.offered) > now()) return next_trigger(to_sc_time(at(packet.offered) - now()));
            Payload& payload = pool_.take();
            payload.set_data_length(static_cast<unsigned>(packet.bytes));
            PacketTag& tag = tag_of(payload);
            tag.serial = tag.qp_sequence = tag.workload_packet = offered_++;
            tag.original_size = static_cast<std::uint32_t>(packet.bytes);
            tag.compress = true;
            out.push(payload);
        }
    }
    Departure depart(StreamOutput&, Payload& payload, Duration sink_ready) override {
        BeatPacket const& packet = packets_[tag_of(payload).serial];
        Duration const head = std::max({at(packet.offered), sink_ready, free_});
        free_ = head + at(beats(packet.bytes, packet.pace).count());
        stamps.push_back({cycle(head), cycle(free_)});
        return {head, free_};
    }

    PayloadPool& pool_;
    std::vector<BeatPacket> const& packets_;
    bool events_;
    std::size_t offered_ = 0;
    Duration free_{0};
};

/// Takes packet n not before its time; answers at once with an annotated time, or by an event at that time.
class Sink : public sc_core::sc_module, private StreamSink {
public:
    StreamInput in{"in", *this};
    std::vector<BeatStamps> stamps;

    Sink(sc_core::sc_module_name name, std::vector<BeatPacket> const& packets, bool events)
        : sc_module(name), packets_(packets), events_(events) {
        SC_HAS_PROCESS(Sink);
        SC_METHOD(ready);
        sensitive << ready_;
        dont_initialize();
    }

private:
    void arrived(StreamInput&, Payload& payload, Duration head) override {
        stamps.push_back({cycle(head), cycle(tag_of(payload).tail_at)});
        payload.release();
        Duration next = head;
        if (stamps.size() < packets_.size()) next = std::max(next, at(packets_[stamps.size()].sink_ready));
        if (events_) {
            ready_.notify(to_sc_time(next - now()));
        } else {
            in.release(next);
        }
    }
    void ready() { in.release(now()); }

    std::vector<BeatPacket> const& packets_;
    bool events_;
    sc_core::sc_event ready_;
};

}  // namespace netzip::test
