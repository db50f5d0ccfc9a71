#include "pipeline/trace/rocev2.h"

#include <algorithm>
#include <array>
#include <zlib.h>

namespace netzip {
namespace {

constexpr std::size_t kEthernet = 14;
constexpr std::size_t kIpv4 = 20;
constexpr std::size_t kUdp = 8;
constexpr std::size_t kTransport = 12;
constexpr std::size_t kExtended = 16;    // RETH
constexpr std::size_t kAcknowledge = 4;  // AETH
constexpr std::size_t kCrc = 4;

constexpr std::uint16_t kRocePort = 4791;
constexpr std::uint16_t kFirstSourcePort = 0xC000;  // RoCEv2: entropy in the source port, 0xC000 to 0xFFFF
constexpr std::uint16_t kDefaultPartition = 0xFFFF;
constexpr std::uint8_t kTimeToLive = 64;
constexpr std::uint8_t kUdpProtocol = 17;

// Opcodes of reliable connections (InfiniBand architecture, base transport header).
constexpr std::uint8_t kWriteFirst = 0x06;
constexpr std::uint8_t kWriteMiddle = 0x07;
constexpr std::uint8_t kWriteLast = 0x08;
constexpr std::uint8_t kWriteOnly = 0x0A;
constexpr std::uint8_t kAcknowledgeOpcode = 0x11;
// Syndromes of an AETH: 31 credits means unlimited; NAK with code 0 is a sequence error.
constexpr std::uint8_t kAckUnlimited = 0x1F;
constexpr std::uint8_t kNakSequence = 0x60;

class Bytes8 {
public:
    explicit Bytes8(std::vector<std::uint8_t>& out) : out_(out) {}
    template <unsigned N>
    void big(std::uint64_t value) {
        for (unsigned i = N; i-- > 0;) out_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }

private:
    std::vector<std::uint8_t>& out_;
};

std::uint8_t opcode_of(WireFrame const& frame) {
    if (frame.acknowledgement) return kAcknowledgeOpcode;
    if (frame.first) return frame.last ? kWriteOnly : kWriteFirst;
    return frame.last ? kWriteLast : kWriteMiddle;
}

/// Locally administered addresses 02:00:00:00:00:nn, and 10.0.0.nn, counted from 1.
void addresses(Bytes8& out, std::uint32_t node) {
    out.big<2>(0x0200);
    out.big<4>(node + 1);
}
std::uint32_t internet_address(std::uint32_t node) {
    return 0x0A000000u + node + 1;
}

}  // namespace

std::uint16_t internet_checksum(std::span<std::uint8_t const> header) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i + 1 < header.size(); i += 2)
        sum += static_cast<std::uint32_t>(header[i]) << 8 | header[i + 1];
    while (sum >> 16) sum = (sum & 0xFFFF) + (sum >> 16);
    return static_cast<std::uint16_t>(~sum);
}

std::uint32_t invariant_crc(std::span<std::uint8_t const> ip) {
    // RoCEv2 annex: eight bytes of ones stand for the missing link header; fields that change on the way are ones.
    constexpr std::size_t kMasked = kIpv4 + kUdp + kTransport;
    std::array<std::uint8_t, 8 + kMasked> front;
    front.fill(0xFF);
    std::copy_n(ip.begin(), std::min(ip.size(), kMasked), front.begin() + 8);
    std::uint8_t* const header = front.data() + 8;
    for (std::size_t const at : {1, 8, 10, 11}) header[at] = 0xFF;  // type of service, time to live, checksum
    header[kIpv4 + 6] = header[kIpv4 + 7] = 0xFF;                   // UDP checksum
    header[kIpv4 + kUdp + 4] = 0xFF;                                // congestion bits of the transport header
    auto crc = crc32(0, front.data(), static_cast<uInt>(front.size()));
    if (ip.size() > kMasked) crc = crc32(crc, ip.data() + kMasked, static_cast<uInt>(ip.size() - kMasked));
    return static_cast<std::uint32_t>(crc);
}

void build_roce_frame(WireFrame const& frame, std::vector<std::uint8_t>& out) {
    bool const extended = !frame.acknowledgement && frame.first;
    std::uint32_t const payload = frame.acknowledgement ? 0 : frame.payload_bytes;
    std::uint32_t const pad = (4 - payload % 4) % 4;
    std::size_t const transport = kTransport + (extended ? kExtended : 0) + (frame.acknowledgement ? kAcknowledge : 0);
    std::size_t const udp = kUdp + transport + payload + pad + kCrc;

    out.clear();
    Bytes8 bytes(out);
    addresses(bytes, frame.to);
    addresses(bytes, frame.from);
    bytes.big<2>(0x0800);

    bytes.big<1>(0x45);  // version 4, five words
    bytes.big<1>(0);
    bytes.big<2>(kIpv4 + udp);
    bytes.big<2>(0);
    bytes.big<2>(0x4000);  // do not fragment
    bytes.big<1>(kTimeToLive);
    bytes.big<1>(kUdpProtocol);
    bytes.big<2>(0);
    bytes.big<4>(internet_address(frame.from));
    bytes.big<4>(internet_address(frame.to));
    std::uint16_t const checksum = internet_checksum({out.data() + kEthernet, kIpv4});
    out[kEthernet + 10] = static_cast<std::uint8_t>(checksum >> 8);
    out[kEthernet + 11] = static_cast<std::uint8_t>(checksum);

    bytes.big<2>(kFirstSourcePort | (frame.queue_pair & 0x3FFF));
    bytes.big<2>(kRocePort);
    bytes.big<2>(udp);
    bytes.big<2>(0);

    bytes.big<1>(opcode_of(frame));
    bytes.big<1>(pad << 4);  // solicited 0, migration 0, version 0
    bytes.big<2>(kDefaultPartition);
    bytes.big<1>(0);
    bytes.big<3>(frame.queue_pair);
    bytes.big<1>(frame.ask_acknowledgement ? 0x80 : 0);
    bytes.big<3>(frame.psn & 0xFFFFFF);
    if (extended) {
        bytes.big<8>(frame.address);
        bytes.big<4>(0);  // remote key
        bytes.big<4>(frame.message_bytes);
    }
    if (frame.acknowledgement) {
        bytes.big<1>(frame.negative ? kNakSequence : kAckUnlimited);
        bytes.big<3>(frame.message_sequence & 0xFFFFFF);
    }
    std::size_t const known = std::min<std::size_t>(frame.payload.size(), payload);
    out.insert(out.end(), frame.payload.begin(), frame.payload.begin() + static_cast<std::ptrdiff_t>(known));
    out.insert(out.end(), payload - known + pad, 0);
    std::uint32_t const crc = invariant_crc({out.data() + kEthernet, out.size() - kEthernet});
    for (unsigned i = 0; i < kCrc; ++i) out.push_back(static_cast<std::uint8_t>(crc >> (8 * i)));
}

}  // namespace netzip
