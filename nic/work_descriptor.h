#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace netzip {

/// What the library posts for one RDMA write: a work queue entry of 64 bytes in host memory.
struct WorkDescriptor {
    static constexpr std::size_t kBytes = 64;  ///< as a ConnectX work queue entry

    std::uint64_t source_address = 0;
    std::uint64_t target_address = 0;
    std::uint64_t tensor_offset = 0;  ///< of the message in its tensor
    std::uint64_t first_packet = 0;   ///< number of the first packet in the workload; the simulator's own, no hardware
    std::uint32_t length = 0;
    std::uint32_t message = 0;  ///< slot of the message at the host
    std::uint16_t queue_pair = 0;
    std::uint16_t layer = 0;    ///< 15 bits
    std::uint8_t compress = 0;  ///< flag bit of the NetZIP header
    std::uint8_t data_type = 0;

    void write_to(std::uint8_t* bytes) const { std::memcpy(bytes, this, sizeof *this); }
    static WorkDescriptor read_from(std::uint8_t const* bytes) {
        WorkDescriptor descriptor;
        std::memcpy(&descriptor, bytes, sizeof descriptor);
        return descriptor;
    }
};
static_assert(sizeof(WorkDescriptor) <= WorkDescriptor::kBytes && std::is_trivially_copyable_v<WorkDescriptor>);

}  // namespace netzip
