#include "pipeline/stream_port.h"

#include <algorithm>

#include "base/error.h"

namespace netzip {

StreamInput::StreamInput(char const* name, StreamSink& sink)
    : tlm::tlm_target_socket<512, StreamProtocol>(name), sink_(sink) {
    bind(static_cast<tlm::tlm_fw_transport_if<StreamProtocol>&>(*this));
}

void StreamInput::release(Duration at) {
    if (!holding_) throw RunError(std::string(name()) + ": END_REQ without a packet");
    holding_ = false;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = to_sc_time(at - now());
    (*this)->nb_transport_bw(*current_, phase, delay);
}

tlm::tlm_sync_enum StreamInput::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) throw RunError(std::string(name()) + ": a stream knows only BEGIN_REQ and END_REQ");
    if (holding_) throw RunError(std::string(name()) + ": a second BEGIN_REQ before END_REQ");
    holding_ = true;
    current_ = &payload;
    sink_.arrived(*this, payload, now() + to_duration(delay));
    return tlm::TLM_ACCEPTED;
}

void StreamInput::b_transport(Payload&, sc_core::sc_time&) {
    throw RunError(std::string(name()) + ": a stream has no blocking transport");
}

StreamOutput::StreamOutput(char const* name, StreamSource& source, ClockDomain const& clock, std::uint64_t width)
    : tlm::tlm_initiator_socket<512, StreamProtocol>(name), source_(source), clock_(clock), width_(width) {
    bind(static_cast<tlm::tlm_bw_transport_if<StreamProtocol>&>(*this));
}

void StreamOutput::push(Payload& payload, Duration head, Duration tail) {
    queue_.push_back({&payload, head, tail});
    pump();
}

void StreamOutput::pump() {
    if (pumping_) return;
    pumping_ = true;
    while (!busy_ && !queue_.empty()) {
        Ready const next = queue_.front();
        queue_.pop_front();
        Duration head = next.head;
        Duration tail = next.tail;
        if (free_at_ > head) {
            std::uint64_t const edge = clock_.index_at_or_after(free_at_);
            head = clock_.edge(edge);
            tail = std::max(tail, clock_.edge(edge + beats(next.payload->get_data_length(), width_).count()));
        }
        PacketTag& tag = tag_of(*next.payload);
        tag.tail_at = tail;
        if (stamps_) tag.stamp(station_, tail);
        busy_ = true;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = to_sc_time(head - now());
        (*this)->nb_transport_fw(*next.payload, phase, delay);
    }
    pumping_ = false;
}

tlm::tlm_sync_enum StreamOutput::nb_transport_bw(Payload&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::END_REQ || !busy_) throw RunError(std::string(name()) + ": unexpected END_REQ");
    busy_ = false;
    free_at_ = now() + to_duration(delay);
    source_.left(*this, free_at_);
    pump();
    return tlm::TLM_ACCEPTED;
}

}  // namespace netzip
