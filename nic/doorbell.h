#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

namespace netzip {

/// The processor's end of a NIC's doorbell register.
class Doorbell : public tlm::tlm_initiator_socket<64>, private tlm::tlm_bw_transport_if<> {
public:
    explicit Doorbell(char const* name);

    /// Tells the NIC, from now on, of the descriptor at `address`. Throws RunError when the NIC refuses.
    void ring(std::uint64_t address);

private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

}  // namespace netzip
