#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/tensor_files.h"

// Packet captures made by hand, for the tests of their reader.
namespace netzip {

inline constexpr unsigned kFirst = 0x06;
inline constexpr unsigned kMiddle = 0x07;
inline constexpr unsigned kLast = 0x08;
inline constexpr unsigned kOnly = 0x0a;
inline constexpr unsigned kOnlyImmediate = 0x0b;

inline std::string big_endian(std::uint64_t value, std::size_t n) {
    std::string const bytes = little_endian(value, n);
    return {bytes.rbegin(), bytes.rend()};
}

struct Frame {
    unsigned opcode = kOnly;
    unsigned queue_pair = 0x12;
    unsigned sequence = 0;
    std::string payload;
    unsigned message_size = 0;
    bool vlan = false;
    bool ipv6 = false;
    unsigned port = 4791;

    /// Ethernet frame without FCS, as captures hold it.
    std::string bytes() const {
        bool const reth = opcode == kFirst || opcode == kOnly || opcode == kOnlyImmediate;
        std::size_t const pad = (4 - payload.size() % 4) % 4;
        std::string ib = big_endian(opcode, 1) + big_endian(pad << 4, 1) + big_endian(0xffff, 2) +
                         big_endian(queue_pair, 4) + big_endian(sequence, 4);
        if (reth) ib += std::string(12, 'R') + big_endian(message_size, 4);
        if (opcode == kOnlyImmediate) ib += "IMMD";
        ib += payload + std::string(pad, '\0') + "ICRC";
        std::string const udp = big_endian(49152, 2) + big_endian(port, 2) + big_endian(8 + ib.size(), 2) + "cs" + ib;
        std::string const ip4 = "\x45" + std::string(1, '\0') + big_endian(20 + udp.size(), 2) +
                                std::string("id\x40\0", 4) + "\x40\x11" + "cs" + "\x0a" + std::string(2, '\0') +
                                "\x01" + "\x0a" + std::string(2, '\0') + "\x02";
        std::string const ip6 = "\x60" + std::string(3, '\0') + big_endian(udp.size(), 2) + "\x11\x40" +
                                std::string(16, 'a') + std::string(16, 'b');
        return std::string(12, 'M') + (vlan ? std::string("\x81\0\0\x07", 4) : "") +
               (ipv6 ? big_endian(0x86dd, 2) + ip6 : big_endian(0x0800, 2) + ip4) + udp;
    }
};

struct Timed {
    std::uint64_t nanoseconds;
    Frame frame;
};

inline constexpr std::uint64_t kStart = 1'700'000'000'000'000'123;  ///< nanoseconds since 1970

/// A pcap file with times in units of `tick` nanoseconds, in either byte order.
inline std::string pcap_file(std::vector<Timed> const& packets, std::uint64_t tick, bool big) {
    auto const number = [&](std::uint64_t value, std::size_t n) {
        return big ? big_endian(value, n) : little_endian(value, n);
    };
    std::string file = number(tick == 1 ? 0xa1b23c4d : 0xa1b2c3d4, 4) + number(2, 2) + number(4, 2) + number(0, 8) +
                       number(65535, 4) + number(1, 4);
    for (Timed const& packet : packets) {
        std::uint64_t const at = kStart + packet.nanoseconds;
        std::string const bytes = packet.frame.bytes();
        file += number(at / 1'000'000'000, 4) + number(at % 1'000'000'000 / tick, 4) + number(bytes.size(), 4) +
                number(bytes.size(), 4) + bytes;
    }
    return file;
}

inline std::string block(unsigned type, std::string body) {
    while (body.size() % 4 != 0) body += '\0';
    std::string const size = little_endian(body.size() + 12, 4);
    return little_endian(type, 4) + size + body + size;
}

/// A pcapng file whose clock ticks as `resolution` (option if_tsresol) says; ticks per second are `rate`.
inline std::string pcapng_file(std::vector<Timed> const& packets, unsigned resolution, std::uint64_t rate) {
    std::string file = block(0x0a0d0d0a, little_endian(0x1a2b3c4d, 4) + little_endian(1, 4) + std::string(8, '\xff'));
    file += block(1, little_endian(1, 2) + little_endian(0, 2) + little_endian(65535, 4) + little_endian(9, 2) +
                         little_endian(1, 2) + little_endian(resolution, 4) + little_endian(0, 4));
    file += block(0x77, "an unknown block is skipped by its length");
    for (Timed const& packet : packets) {
        std::uint64_t const at = kStart + packet.nanoseconds;
        std::uint64_t const ticks = at / 1'000'000'000 * rate + at % 1'000'000'000 * rate / 1'000'000'000;
        std::string const bytes = packet.frame.bytes();
        file += block(6, little_endian(0, 4) + little_endian(ticks >> 32, 4) + little_endian(ticks, 4) +
                             little_endian(bytes.size(), 4) + little_endian(bytes.size(), 4) + bytes);
    }
    return file;
}

/// Three packets of one message, one of another 2 us later.
inline std::vector<Timed> two_messages() {
    return {{0, {kFirst, 0x12, 100, std::string(8, 'a'), 20}},
            {500, {kMiddle, 0x12, 101, std::string(8, 'b')}},
            {1000, {kLast, 0x12, 102, std::string(4, 'c')}},
            {2000, {kOnly, 0x13, 7, "xyz", 3}}};
}

}  // namespace netzip
