#include "nic/memory_port.h"

#include "base/error.h"
#include "pipeline/stream_protocol.h"

namespace netzip {

MemoryPort::MemoryPort(char const* name) : tlm::tlm_initiator_socket<512>(name) {
    bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
}

Duration MemoryPort::read(std::uint64_t address, std::uint8_t* data, std::uint64_t length, Duration at) {
    return access(tlm::TLM_READ_COMMAND, address, data, length, at);
}

Duration MemoryPort::write(std::uint64_t address, std::uint8_t* data, std::uint64_t length, Duration at) {
    return access(tlm::TLM_WRITE_COMMAND, address, data, length, at);
}

Duration MemoryPort::access(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, std::uint64_t length,
                            Duration at) {
    transaction_.set_command(command);
    transaction_.set_address(address);
    transaction_.set_data_ptr(data);
    transaction_.set_data_length(static_cast<unsigned>(length));
    transaction_.set_streaming_width(static_cast<unsigned>(length));
    transaction_.set_byte_enable_ptr(nullptr);
    transaction_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time const offset = annotate(at);
    sc_core::sc_time delay = offset;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    tlm::tlm_sync_enum const status = (*this)->nb_transport_fw(transaction_, phase, delay);
    if (status != tlm::TLM_UPDATED || phase != tlm::BEGIN_RESP) {
        throw RunError(std::string(this->name()) + ": the memory answers on the path of the request");
    }
    if (transaction_.is_response_error()) {
        throw RunError(std::string(this->name()) + ": " + transaction_.get_response_string() + " at address " +
                       std::to_string(address) + ", " + std::to_string(length) + " B");
    }
    Duration const latency = to_duration(delay - offset);
    phase = tlm::END_RESP;
    (*this)->nb_transport_fw(transaction_, phase, delay);
    return latency;
}

tlm::tlm_sync_enum MemoryPort::nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
    throw RunError(std::string(this->name()) + ": unexpected call of the memory");
}

}  // namespace netzip
