#pragma once

#include <cstdint>
#include <string>

#include "pipeline/packet_tag.h"
#include "workloads/message.h"

namespace netzip {

/// What a comparison of a packet with its original found.
struct Comparison {
    std::uint64_t values = 0;  ///< elements compared; a trailing fraction counts as one
    std::uint64_t mismatched = 0;
    std::uint64_t first = 0;  ///< element of the packet; meaningful when something mismatched
};

/// Compares `size` bytes element by element.
Comparison compare_values(std::uint8_t const* sent, std::uint8_t const* received, std::uint64_t size, DataType type);

/// Tensor, packet, element and both values of a mismatch.
std::string describe_mismatch(Message const& message, PacketTag const& tag, std::uint64_t path_mtu,
                              std::uint64_t element, std::uint8_t const* sent, std::uint8_t const* received);

}  // namespace netzip
