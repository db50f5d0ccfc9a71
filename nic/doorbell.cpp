#include "nic/doorbell.h"

#include "base/error.h"
#include "pipeline/stream_protocol.h"

namespace netzip {

Doorbell::Doorbell(char const* name) : tlm::tlm_initiator_socket<64>(name) {
    bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
}

void Doorbell::ring(std::uint64_t address) {
    tlm::tlm_generic_payload write;
    write.set_command(tlm::TLM_WRITE_COMMAND);
    write.set_data_ptr(reinterpret_cast<unsigned char*>(&address));
    write.set_data_length(sizeof address);
    write.set_streaming_width(sizeof address);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = annotate(now());
    (*this)->nb_transport_fw(write, phase, delay);
    if (!write.is_response_ok()) throw RunError(std::string(name()) + ": the NIC refused the doorbell");
}

tlm::tlm_sync_enum Doorbell::nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
    throw RunError(std::string(name()) + ": unexpected call of the NIC");
}

}  // namespace netzip
