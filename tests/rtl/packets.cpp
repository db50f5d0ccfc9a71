#include "packets.h"

#include <algorithm>
#include <cmath>

#include "support/recordings.h"

namespace netzip::rtl {
namespace {

std::uint16_t bf16(double value) {
    auto const single = static_cast<float>(value);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &single, sizeof bits);
    return static_cast<std::uint16_t>(bits >> 16);
}

double normal(Random& random) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += (random.next() >> 8) * 0x1p-24;
    return sum;
}

}  // namespace

std::vector<ByteBuffer> recorded_packets(std::size_t most, std::size_t bytes) {
    std::vector<ByteBuffer> all;
    for (RecordedPair const& pair : read_recordings(small_recordings())) {
        ByteBuffer const& data = pair.current.bytes;
        for (std::size_t at = 0; at < data.size(); at += bytes) {
            auto const begin = data.begin() + static_cast<std::ptrdiff_t>(at);
            all.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(std::min(bytes, data.size() - at)));
        }
    }
    if (all.size() <= most) return all;
    std::vector<ByteBuffer> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(std::move(all[i * all.size() / most]));
    return some;
}

ByteBuffer adversarial_packet(unsigned kind, std::size_t bytes, Random& random) {
    ByteBuffer data(bytes + 1);
    auto const value = static_cast<std::uint16_t>(random.next());
    auto const other = static_cast<std::uint16_t>(random.next());
    double const scale = std::ldexp(1.0, -static_cast<int>(random.below(40)));
    for (std::size_t i = 0; i < bytes; i += 2) {
        std::uint16_t v = 0;
        switch (kind % kAdversarialKinds) {
            case 0:
                break;
            case 1:
                v = 0xFFFF;
                break;
            case 2:
                v = value;
                break;
            case 3:
                v = random.chance(128) ? value : other;
                break;
            case 4:
                v = static_cast<std::uint16_t>(value + i / 2);
                break;
            case 5:
                v = static_cast<std::uint16_t>(0x7F80 | (random.next() & 0x807F));
                break;
            case 6:
                v = (i / 2) % 2 == 0 ? value : other;
                break;
            case 7:
                v = static_cast<std::uint16_t>(random.next());
                break;
            case 8:
                v = bf16(normal(random) * scale);
                break;
            case 9:
                v = random.chance(200) ? std::uint16_t{0} : bf16(normal(random) * scale);
                break;
            case 10:
                v = i * 2 < bytes ? static_cast<std::uint16_t>(random.next()) : value;
                break;
            default:
                v = static_cast<std::uint16_t>(value ^ (1u << random.below(16)));
                break;
        }
        data[i] = static_cast<std::uint8_t>(v);
        data[i + 1] = static_cast<std::uint8_t>(v >> 8);
    }
    data.resize(bytes);
    return data;
}

AlgorithmConfig exponent_prefix_of_rtl() {
    AlgorithmConfig config;
    config.codec = CodecKind::exponent_prefix;
    config.lanes = 32;
    config.anchor_values = 128;
    return config;
}

AlgorithmConfig exponent_window_of_rtl() {
    AlgorithmConfig config;
    config.codec = CodecKind::exponent_window;
    config.window_bits = 3;
    config.window_base = WindowBase::packet_maximum;
    return config;
}

ByteBuffer sparse_packet(std::size_t bytes, Random& random) {
    ByteBuffer data = adversarial_packet(8, bytes, random);
    unsigned share = 0;
    for (std::size_t i = 0; i + 1 < bytes; i += 2) {
        if (i % 256 == 0) share = random.chance(60) ? 256 : random.chance(128) ? random.below(256) : 14;
        if (random.chance(share)) data[i] = data[i + 1] = 0;
        if (share > 200 && random.chance(10)) data[i + 1] = 0x80, data[i] = 0;  // -0 is kept
    }
    return data;
}

ByteBuffer escaped_lanes(std::size_t bytes, Random& random) {
    ByteBuffer data = adversarial_packet(8, bytes, random);
    std::uint8_t const exponent = random.chance(128) ? 0x7F : 0x01;
    for (unsigned lanes = random.below(6); lanes > 0; --lanes)
        for (std::size_t i = 2 * random.below(32); i + 1 < bytes; i += 64) data[i + 1] = exponent;
    return data;
}

std::vector<ByteBuffer> mixed_exponent_packets(std::size_t count, std::size_t bytes, Random& random) {
    std::vector<ByteBuffer> const recorded = recorded_packets(count);
    std::vector<ByteBuffer> packets(count);
    for (std::size_t n = 0; n < count; ++n) {
        std::size_t const size = random.chance(110) ? 1 + random.below(static_cast<std::uint32_t>(bytes)) : bytes;
        switch (random.below(5)) {
            case 0:
                packets[n] = adversarial_packet(random.next(), size, random);
                break;
            case 1:
                packets[n] = sparse_packet(size, random);
                break;
            case 2:
                packets[n] = escaped_lanes(size, random);
                break;
            default:
                packets[n] = recorded[n % recorded.size()];
        }
        packets[n].resize(std::min(size, packets[n].size()));
    }
    return packets;
}

}  // namespace netzip::rtl
