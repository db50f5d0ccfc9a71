#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

#include "base/units.h"

namespace netzip {

/// Initiator end of a host memory: one access through the TLM-2.0 base protocol.
class MemoryPort : public tlm::tlm_initiator_socket<512>, private tlm::tlm_bw_transport_if<> {
public:
    explicit MemoryPort(char const* name);

    /// The memory's own time for the access that reaches it at `at` (not before now). A null `data` asks for the
    /// time alone. Throws RunError when the address is not registered.
    Duration read(std::uint64_t address, std::uint8_t* data, std::uint64_t length, Duration at);
    Duration write(std::uint64_t address, std::uint8_t* data, std::uint64_t length, Duration at);

private:
    Duration access(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, std::uint64_t length,
                    Duration at);
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    tlm::tlm_generic_payload transaction_;
};

}  // namespace netzip
