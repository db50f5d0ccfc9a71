#include "workloads/readers/capture.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <pcap/pcap.h>

#include "base/error.h"
#include "workloads/mapped_file.h"
#include "workloads/readers/excerpt.h"

namespace netzip {

struct Capture::Handle {
    pcap_t* pcap = nullptr;
    Handle() = default;
    Handle(Handle const&) = delete;
    Handle& operator=(Handle const&) = delete;
    ~Handle() {
        if (pcap != nullptr) pcap_close(pcap);
    }
};

Capture::Capture(std::string const& path) : name_(path), handle_(std::make_unique<Handle>()) {
    MappedFile::open(path);  // says what is wrong with a file that is missing, empty or no file
    std::FILE* const file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) throw InputError(name_ + ": cannot be read: " + std::strerror(errno));
    open(file);
}

Capture::Capture(std::string name, std::span<std::uint8_t const> bytes)
    : name_(std::move(name)), handle_(std::make_unique<Handle>()) {
    if (bytes.empty()) throw InputError(name_ + ": the file is empty");
    std::FILE* const file = ::fmemopen(const_cast<std::uint8_t*>(bytes.data()), bytes.size(), "rb");
    if (file == nullptr) throw InputError(name_ + ": cannot be read: " + std::strerror(errno));
    open(file);
}

Capture::~Capture() = default;

void Capture::open(void* file) {
    char error[PCAP_ERRBUF_SIZE] = "";
    auto* const stream = static_cast<std::FILE*>(file);
    handle_->pcap = pcap_fopen_offline_with_tstamp_precision(stream, PCAP_TSTAMP_PRECISION_NANO, error);
    if (handle_->pcap == nullptr) {
        std::fclose(stream);
        throw InputError(name_ + ": not a pcap or pcapng capture (" + excerpt(error) + ")");
    }
    int const type = pcap_datalink(handle_->pcap);
    if (type != DLT_EN10MB) {
        char const* const found = pcap_datalink_val_to_name(type);
        throw InputError(name_ + ": expected a capture of Ethernet frames, found link type " +
                         (found != nullptr ? std::string(found) : std::to_string(type)));
    }
}

bool Capture::next(CapturedPacket& packet) {
    pcap_pkthdr* header = nullptr;
    u_char const* data = nullptr;
    int const status = pcap_next_ex(handle_->pcap, &header, &data);
    if (status == PCAP_ERROR_BREAK) return false;
    ++packets_;
    if (status != 1) {
        throw InputError(name_ + ": packet " + std::to_string(packets_) + ": " + excerpt(pcap_geterr(handle_->pcap)));
    }
    std::uint64_t constexpr kNanosecondsPerSecond = 1'000'000'000;
    packet.number = packets_;
    packet.nanoseconds = static_cast<std::uint64_t>(header->ts.tv_sec) * kNanosecondsPerSecond +
                         static_cast<std::uint64_t>(header->ts.tv_usec);
    packet.bytes = {data, header->caplen};
    packet.wire_size = header->len;
    return true;
}

namespace {

// Sizes and codes of IEEE 802.1Q, RFC 791, RFC 8200, RFC 768 and the InfiniBand specification, annex A17 (RoCEv2).
constexpr std::size_t kMacs = 12;
constexpr std::size_t kVlanTag = 4;
constexpr std::size_t kIpv6Header = 40;
constexpr std::size_t kUdpHeader = 8;
constexpr std::size_t kBth = 12;
constexpr std::size_t kReth = 16;
constexpr std::size_t kImmediate = 4;
constexpr std::size_t kIcrc = 4;
constexpr unsigned kUdp = 17;
constexpr unsigned kRocePort = 4791;

/// Reads big-endian fields from the front; a read beyond the end sets `good` to false.
struct Cursor {
    std::span<std::uint8_t const> rest;
    bool good = true;

    std::span<std::uint8_t const> take(std::size_t n) {
        if (n > rest.size()) good = false;
        auto const head = rest.first(std::min(n, rest.size()));
        rest = rest.subspan(head.size());
        return head;
    }
    std::uint32_t number(std::size_t n) {
        std::uint32_t value = 0;
        for (std::uint8_t const byte : take(n)) value = value << 8 | byte;
        return value;
    }
};

/// What the last byte of an opcode says about a write; the three highest bits are the transport (0 RC, 1 UC).
struct WriteOpcode {
    bool first;
    bool last;
    bool immediate;
};
std::optional<WriteOpcode> write_opcode(std::uint32_t opcode) {
    if (opcode >> 5 > 1) return std::nullopt;
    switch (opcode & 31) {
        case 0x06:
            return WriteOpcode{true, false, false};
        case 0x07:
            return WriteOpcode{false, false, false};
        case 0x08:
            return WriteOpcode{false, true, false};
        case 0x09:
            return WriteOpcode{false, true, true};
        case 0x0a:
            return WriteOpcode{true, true, false};
        case 0x0b:
            return WriteOpcode{true, true, true};
        default:
            return std::nullopt;
    }
}

std::string text_of(std::span<std::uint8_t const> bytes) {
    return {bytes.begin(), bytes.end()};
}

/// Moves behind the IP header of an unfragmented UDP packet.
bool skip_to_udp(Cursor& in, RoceWrite& write) {
    in.take(kMacs);
    std::uint32_t type = in.number(2);
    while (type == 0x8100 || type == 0x88a8) {
        in.take(kVlanTag - 2);
        type = in.number(2);
    }
    if (type == 0x0800) {
        std::uint32_t const version_ihl = in.number(1);
        in.take(5);  // service, length, identification
        std::uint32_t const fragment = in.number(2);
        in.take(1);  // time to live
        std::uint32_t const protocol = in.number(1);
        in.take(2);  // checksum
        write.source = text_of(in.take(4));
        write.destination = text_of(in.take(4));
        std::size_t const words = version_ihl & 15;
        if (version_ihl >> 4 != 4 || words < 5 || (fragment & 0x3fff) != 0 || protocol != kUdp) return false;
        in.take((words - 5) * 4);
    } else if (type == 0x86dd) {
        Cursor header{in.take(kIpv6Header)};
        header.take(6);
        std::uint32_t const protocol = header.number(1);
        header.take(1);
        write.source = text_of(header.take(16));
        write.destination = text_of(header.take(16));
        if (protocol != kUdp) return false;
    } else {
        return false;
    }
    return in.good;
}

}  // namespace

std::optional<RoceWrite> parse_roce_write(CapturedPacket const& packet) {
    Cursor in{packet.bytes};
    RoceWrite write;
    if (!skip_to_udp(in, write)) return std::nullopt;
    in.take(2);
    std::uint32_t const port = in.number(2);
    std::size_t const udp_length = in.number(2);
    in.take(2);
    if (!in.good || port != kRocePort) return std::nullopt;

    std::uint32_t const opcode_byte = in.number(1);
    std::uint32_t const pad = in.number(1) >> 4 & 3;
    in.take(3);  // partition key, reserved
    write.queue_pair = in.number(3);
    in.take(1);
    write.sequence = in.number(3);
    auto const opcode = write_opcode(opcode_byte);
    if (!in.good || !opcode) return std::nullopt;
    write.reliable = opcode_byte >> 5 == 0;
    write.first = opcode->first;
    write.last = opcode->last;

    std::size_t const overhead =
        kUdpHeader + kBth + (opcode->first ? kReth : 0) + (opcode->immediate ? kImmediate : 0) + pad + kIcrc;
    if (udp_length < overhead) return std::nullopt;
    if (opcode->first) {
        in.take(12);  // virtual address, remote key
        write.message_size = in.number(4);
    }
    if (opcode->immediate) in.take(kImmediate);
    write.payload = in.take(udp_length - overhead);
    write.cut = !in.good;
    return write;
}

std::string address_text(std::string const& address) {
    char text[INET6_ADDRSTRLEN] = "";
    ::inet_ntop(address.size() == 4 ? AF_INET : AF_INET6, address.data(), text, sizeof text);
    return text;
}

}  // namespace netzip
