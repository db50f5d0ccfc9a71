#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "pipeline/packet_tag.h"
#include "pipeline/ring.h"
#include "pipeline/stream_protocol.h"

namespace netzip {

class StreamInput;
class StreamOutput;

/// Takes packets from a StreamInput.
class StreamSink {
public:
    virtual ~StreamSink() = default;
    /// A packet whose first byte is there at `head` (now or later); its tag has `tail_at`.
    /// The sink owns the payload now and answers with `port.release(t)`, at once or later.
    virtual void arrived(StreamInput& port, Payload& payload, Duration head) = 0;
};

/// Hears when a StreamOutput's packet was taken.
class StreamSource {
public:
    virtual ~StreamSource() = default;
    /// The receiver has a free slot again from `at` on: the packet is out of the sender's buffer.
    virtual void left(StreamOutput& port, Duration at) = 0;
};

/// Receiving end of a stream. A second BEGIN_REQ before END_REQ is a RunError that names the socket.
class StreamInput : public tlm::tlm_target_socket<512, StreamProtocol>,
                    private tlm::tlm_fw_transport_if<StreamProtocol> {
public:
    StreamInput(char const* name, StreamSink& sink);

    /// END_REQ: a slot for a whole packet is free from `at` on (not before now).
    void release(Duration at);
    bool holding() const { return holding_; }

private:
    tlm::tlm_sync_enum nb_transport_fw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
    void b_transport(Payload&, sc_core::sc_time&) override;
    bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(Payload&) override { return 0; }

    StreamSink& sink_;
    Payload* current_ = nullptr;
    bool holding_ = false;
};

/// Sending end of a stream: an in-order queue of packets with the times at which they are ready.
///
/// Each is sent at the first clock edge at or after both its head and the moment the receiver has a slot; a packet
/// that had to wait streams out at `width` bytes per cycle from then.
class StreamOutput : public tlm::tlm_initiator_socket<512, StreamProtocol>,
                     private tlm::tlm_bw_transport_if<StreamProtocol> {
public:
    StreamOutput(char const* name, StreamSource& source, ClockDomain const& clock, std::uint64_t width);

    void push(Payload& payload, Duration head, Duration tail);
    std::size_t waiting() const { return queue_.size(); }
    bool idle() const { return queue_.empty() && !busy_; }
    /// The receiver has a slot for the next packet from this time on; meaningful while `ready()`.
    Duration free_at() const { return free_at_; }
    bool ready() const { return !busy_; }

    /// Marks the tail of each packet in its tag when it is sent.
    void set_station(Station station) { station_ = station, stamps_ = true; }

private:
    struct Ready {
        Payload* payload;
        Duration head;
        Duration tail;
    };
    void pump();
    tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    StreamSource& source_;
    ClockDomain const& clock_;
    std::uint64_t width_;
    Ring<Ready> queue_;
    Duration free_at_;
    Station station_{};
    bool stamps_ = false;
    bool busy_ = false;
    bool pumping_ = false;
};

}  // namespace netzip
