#include "pipeline/stream_port.h"

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
    sc_core::sc_time delay = annotate(at);
    (*this)->nb_transport_bw(*current_, phase, delay);
}

tlm::tlm_sync_enum StreamInput::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) throw RunError(std::string(name()) + ": a stream knows only BEGIN_REQ and END_REQ");
    if (holding_) throw RunError(std::string(name()) + ": a second BEGIN_REQ before END_REQ");
    holding_ = true;
    current_ = &payload;
    sink_.arrived(*this, payload, annotated(delay));
    return tlm::TLM_ACCEPTED;
}

void StreamInput::b_transport(Payload&, sc_core::sc_time&) {
    throw RunError(std::string(name()) + ": a stream has no blocking transport");
}

StreamOutput::StreamOutput(char const* name, StreamSource& source)
    : tlm::tlm_initiator_socket<512, StreamProtocol>(name), source_(source) {
    bind(static_cast<tlm::tlm_bw_transport_if<StreamProtocol>&>(*this));
}

std::string StreamOutput::receiver() const {
    auto const* object = dynamic_cast<sc_core::sc_object const*>((*this)[0]);
    return object != nullptr && object->get_parent_object() != nullptr ? object->get_parent_object()->name() : "?";
}

void StreamOutput::push(Payload& payload) {
    if (busy_ || sending_) {
        queue_.push_back(&payload);
    } else {
        send(payload);
    }
}

/// END_REQ may come back while a packet is being sent: the loop goes on, it does not nest.
void StreamOutput::send(Payload& first) {
    sending_ = true;
    Payload* payload = &first;
    while (true) {
        busy_ = true;
        Departure const departure = source_.depart(*this, *payload, free_at());
        sending_until_ = departure.tail;
        tag_of(*payload).tail_at = departure.tail;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = annotate(departure.head);
        (*this)->nb_transport_fw(*payload, phase, delay);
        if (busy_ || queue_.empty()) break;
        payload = queue_.front();
        queue_.pop_front();
    }
    sending_ = false;
}

tlm::tlm_sync_enum StreamOutput::nb_transport_bw(Payload&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::END_REQ || !busy_) throw RunError(std::string(name()) + ": unexpected END_REQ");
    busy_ = false;
    free_at_ = annotated(delay);
    source_.slot_free(*this, free_at());
    if (!busy_ && !sending_ && !queue_.empty()) {
        Payload& next = *queue_.front();
        queue_.pop_front();
        send(next);
    }
    return tlm::TLM_ACCEPTED;
}

}  // namespace netzip
