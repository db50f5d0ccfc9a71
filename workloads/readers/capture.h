#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace netzip {

/// One packet of a capture; the bytes live until the next one is read.
struct CapturedPacket {
    std::uint64_t number = 0;       ///< from 1 on, as capture tools count
    std::uint64_t nanoseconds = 0;  ///< since 1970
    std::span<std::uint8_t const> bytes;
    std::uint64_t wire_size = 0;  ///< bytes before the capture cut the packet short
};

/// A pcap or pcapng file, read by libpcap packet by packet: every byte order and time resolution it knows.
///
/// Approximates: times are cut to whole nanoseconds.
class Capture {
public:
    /// Throws InputError when the file is no capture of Ethernet frames.
    explicit Capture(std::string const& path);
    /// The same for bytes in memory, which must outlive the object.
    Capture(std::string name, std::span<std::uint8_t const> bytes);
    ~Capture();

    /// False at the end; throws InputError when the file is damaged.
    bool next(CapturedPacket& packet);

private:
    void open(void* file);

    struct Handle;
    std::string name_;
    std::unique_ptr<Handle> handle_;
    std::uint64_t packets_ = 0;
};

/// The parts of a RoCEv2 packet that carries bytes of an RDMA write.
struct RoceWrite {
    std::string source;       ///< IP address, network order
    std::string destination;  ///< IP address, network order
    std::uint32_t queue_pair = 0;
    std::uint32_t sequence = 0;      ///< PSN, 24 bits
    bool reliable = true;            ///< lost packets are sent again
    bool first = false;              ///< begins a message
    bool last = false;               ///< ends it
    std::uint32_t message_size = 0;  ///< of the RETH, only when `first`
    std::span<std::uint8_t const> payload;
    bool cut = false;  ///< the capture holds only a part of the packet
};

/// The write in an Ethernet frame (VLAN tags, IPv4 or IPv6, UDP port 4791, RC or UC), or nothing for other packets.
std::optional<RoceWrite> parse_roce_write(CapturedPacket const& packet);

/// "10.0.0.1" or "2001:db8::1" for an address in network order.
std::string address_text(std::string const& address);

}  // namespace netzip
