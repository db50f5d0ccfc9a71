#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

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

/// When a packet's first byte is announced and when its last byte is there.
struct Departure {
    Duration head;
    Duration tail;
};

/// Owns the packets of a StreamOutput.
class StreamSource {
public:
    virtual ~StreamSource() = default;
    /// The oldest pushed packet goes now that the receiver has a slot from `sink_ready` on: says when.
    virtual Departure depart(StreamOutput& port, Payload& payload, Duration sink_ready) = 0;
    /// The receiver has a slot again from `at` on.
    virtual void slot_free(StreamOutput& port, Duration at) {
        static_cast<void>(port);
        static_cast<void>(at);
    }
};

/// Receiving end of a stream. A second BEGIN_REQ before END_REQ is a RunError that names the socket.
class StreamInput : public tlm::tlm_target_socket<512, StreamProtocol>,
                    public tlm::tlm_fw_transport_if<StreamProtocol> {
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

/// Sending end of a stream: packets leave in the order they were pushed, each as soon as the receiver has a slot and
/// the last byte of the packet before has left.
class StreamOutput : public tlm::tlm_initiator_socket<512, StreamProtocol>,
                     private tlm::tlm_bw_transport_if<StreamProtocol> {
public:
    StreamOutput(char const* name, StreamSource& source);

    void push(Payload& payload);
    std::size_t waiting() const { return queue_.size(); }
    /// True when the receiver has answered the last packet: another one can go from `free_at` on.
    bool ready() const { return !busy_; }
    Duration free_at() const { return std::max(free_at_, sending_until_); }
    /// Hierarchical name of the module at the other end.
    std::string receiver() const;

private:
    void send(Payload& first);
    tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    StreamSource& source_;
    Ring<Payload*> queue_;
    Duration free_at_;
    Duration sending_until_;
    bool busy_ = false;
    bool sending_ = false;
};

}  // namespace netzip
