#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "nic/experiment_config.h"

namespace netzip {

/// Bits of an address below the region's number: a region holds at most 4 GiB.
inline constexpr unsigned kRegionShift = 32;

/// Memory of one host behind the root complex, as registered regions.
///
/// Models:          reads and writes of real bytes through the TLM-2.0 base protocol; a fixed latency each.
/// Approximates:    a response returns on the path of its request (TLM_UPDATED, BEGIN_RESP) with its time annotated;
///                  as many transactions are outstanding as the caller's tags allow.
/// Does not model:  caches, DRAM banks, IOMMU misses.
class HostMemory : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<512> read_port;
    tlm::tlm_target_socket<512> write_port;

    HostMemory(sc_core::sc_module_name name, HostConfig const& config);

    /// Registers bytes that the NIC may read; they stay valid until `forget`. Returns the region's address.
    std::uint64_t register_source(std::uint64_t region, std::uint8_t const* data, std::uint64_t size);
    /// Registers bytes that the NIC may also write.
    std::uint64_t register_target(std::uint64_t region, std::uint8_t* data, std::uint64_t size);
    void forget(std::uint64_t region);

private:
    struct Region {
        std::uint8_t const* source = nullptr;
        std::uint8_t* target = nullptr;
        std::uint64_t size = 0;
    };
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
    void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override;
    void access(tlm::tlm_generic_payload& transaction);
    Region& slot(std::uint64_t region);

    HostConfig config_;
    std::vector<Region> regions_;
};

}  // namespace netzip
