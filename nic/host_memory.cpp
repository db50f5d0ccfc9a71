#include "nic/host_memory.h"

#include <cstring>

#include "base/error.h"
#include "pipeline/stream_protocol.h"

namespace netzip {

HostMemory::HostMemory(sc_core::sc_module_name name, HostConfig const& config)
    : sc_module(name), read_port("read_port"), write_port("write_port"), config_(config) {
    read_port.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    write_port.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
}

HostMemory::Region& HostMemory::slot(std::uint64_t region) {
    if (region >= regions_.size()) regions_.resize(region + 1);
    return regions_[region];
}

std::uint64_t HostMemory::register_source(std::uint64_t region, std::uint8_t const* data, std::uint64_t size) {
    slot(region) = {data, nullptr, size};
    return region << kRegionShift;
}

std::uint64_t HostMemory::register_target(std::uint64_t region, std::uint8_t* data, std::uint64_t size) {
    slot(region) = {data, data, size};
    return region << kRegionShift;
}

void HostMemory::forget(std::uint64_t region) {
    slot(region) = {};
}

/// A null data pointer asks for the time of the access alone.
void HostMemory::access(tlm::tlm_generic_payload& transaction) {
    std::uint64_t const region = transaction.get_address() >> kRegionShift;
    std::uint64_t const offset = transaction.get_address() & ((std::uint64_t{1} << kRegionShift) - 1);
    std::uint64_t const length = transaction.get_data_length();
    bool const inside = region < regions_.size() && offset + length <= regions_[region].size;
    bool const write = transaction.is_write();
    if (!inside || (write && regions_[region].target == nullptr)) {
        transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    if (transaction.get_data_ptr() != nullptr) {
        if (write) {
            std::memcpy(regions_[region].target + offset, transaction.get_data_ptr(), length);
        } else {
            std::memcpy(transaction.get_data_ptr(), regions_[region].source + offset, length);
        }
    }
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
}

tlm::tlm_sync_enum HostMemory::nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    if (phase != tlm::BEGIN_REQ) throw RunError(std::string(name()) + ": unexpected phase on the memory port");
    access(transaction);
    delay += to_sc_time(transaction.is_write() ? config_.write_latency : config_.read_latency);
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_UPDATED;
}

void HostMemory::b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) {
    throw RunError(std::string(name()) + ": one timing path: use nb_transport");
}

unsigned HostMemory::transport_dbg(tlm::tlm_generic_payload& transaction) {
    access(transaction);
    return transaction.is_response_ok() ? transaction.get_data_length() : 0;
}

}  // namespace netzip
