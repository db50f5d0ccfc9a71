#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/trace/trace.h"

namespace netzip {

/// Bytes of a RoCEv2 frame from the Ethernet header to the invariant CRC; the frame check sequence is not part of a
/// capture. Reliable connection, RDMA WRITE or acknowledgement, IPv4, UDP port 4791. The payload is padded to 4 bytes;
/// payload that the run does not carry is zero.
void build_roce_frame(WireFrame const& frame, std::vector<std::uint8_t>& out);

/// The internet checksum of a header whose checksum field is zero.
std::uint16_t internet_checksum(std::span<std::uint8_t const> header);

/// The invariant CRC of a RoCEv2 packet: `ip` is everything from the IPv4 header to the last byte before the CRC.
/// It is sent least significant byte first.
std::uint32_t invariant_crc(std::span<std::uint8_t const> ip);

}  // namespace netzip
