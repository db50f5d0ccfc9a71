// The exponent encoders: byte for byte what the C++ codecs make, and how fast.
#include "Vexponent_prefix_encoder.h"
#include "Vexponent_window_encoder.h"
#include "models/codec/codec.h"
#include "packets.h"
#include "support/catch.h"

using namespace netzip;
using namespace netzip::rtl;

namespace {

constexpr std::size_t kPacket = 4096;

/// The encoder of sv/exponent_prefix_encoder.sv or sv/exponent_window_encoder.sv.
template <class Dut>
AlgorithmConfig codec_of() {
    AlgorithmConfig config;
    if constexpr (std::is_same_v<Dut, Vexponent_prefix_encoder>) {
        config.codec = CodecKind::exponent_prefix;
        config.lanes = 32;
        config.anchor_values = 128;
    } else {
        config.codec = CodecKind::exponent_window;
        config.window_bits = 3;
        config.window_base = WindowBase::packet_maximum;
    }
    return config;
}

/// Zeros where `of_256` says so, in whole blocks of 128 values at times.
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

std::vector<StreamPacket> mixed_packets(std::size_t count, Random& random) {
    std::vector<ByteBuffer> const recorded = recorded_packets(count);
    std::vector<StreamPacket> packets(count);
    for (std::size_t n = 0; n < count; ++n) {
        std::size_t const size = random.chance(110) ? 1 + random.below(kPacket) : kPacket;
        ByteBuffer data;
        switch (random.below(4)) {
            case 0:
                data = adversarial_packet(random.next(), size, random);
                break;
            case 1:
                data = sparse_packet(size, random);
                break;
            default:
                data = recorded[n % recorded.size()];
        }
        data.resize(std::min(size, data.size()));
        packets[n].data = data;
    }
    return packets;
}

template <class Dut>
std::size_t count_wrong(std::vector<StreamPacket> const& packets, Stalls stalls) {
    Dut dut;
    auto const out = run_stream(dut, packets, stalls, 9);
    auto const codec = make_codec(codec_of<Dut>());
    std::size_t wrong = 0;
    for (std::size_t n = 0; n < packets.size(); ++n) {
        ByteBuffer coded;
        BlockWork work;
        codec->compress({}, packets[n].data, coded, work);
        wrong += coded != out[n].data;
    }
    return wrong;
}

}  // namespace

TEMPLATE_TEST_CASE("an exponent encoder sends what the C++ codec makes of every packet, whatever stalls",
                   "[rtl][exponent]", Vexponent_prefix_encoder, Vexponent_window_encoder) {
    for (Stalls const stalls : {Stalls{0, 0}, Stalls{100, 0}, Stalls{0, 100}, Stalls{180, 180}}) {
        Random random(61 + stalls.sink);
        INFO("stalls " << stalls.source << " " << stalls.sink);
        CHECK(count_wrong<TestType>(mixed_packets(300, random), stalls) == 0);
    }
}

TEMPLATE_TEST_CASE("short packets of every length come out of an exponent encoder right", "[rtl][exponent]",
                   Vexponent_prefix_encoder, Vexponent_window_encoder) {
    Random random(62);
    std::vector<StreamPacket> packets;
    for (std::size_t size = 1; size <= kPacket; size += size < 600 ? 1 : 37) {
        StreamPacket p;
        p.data = size % 3 == 0 ? sparse_packet(size, random) : adversarial_packet(size % 5 == 0 ? 5 : 8, size, random);
        packets.push_back(p);
    }
    CHECK(count_wrong<TestType>(packets, {}) == 0);
}

// Escapes at the end of a packet and of a lane, lanes above 64 bytes, and packets that no longer shrink.
TEMPLATE_TEST_CASE("escapes at the end of a packet and many escapes are coded right", "[rtl][exponent]",
                   Vexponent_prefix_encoder, Vexponent_window_encoder) {
    Random random(63);
    std::vector<StreamPacket> packets;
    for (unsigned n = 0; n < 120; ++n) {
        StreamPacket p;
        p.data = adversarial_packet(8, kPacket - (n % 4 == 0 ? random.below(200) : 0), random);
        for (std::size_t lane = 0; lane < random.below(6); ++lane) {
            std::size_t const which = random.below(32);
            for (std::size_t i = 2 * which; i + 1 < p.data.size(); i += 64) p.data[i + 1] = n % 2 == 0 ? 0x7F : 0x01;
        }
        std::size_t const last = p.data.size() / 2 * 2;
        for (std::size_t i = 0; i < n % 7; ++i) p.data[last - 1 - 2 * i] = 0x7F;
        packets.push_back(p);
    }
    CHECK(count_wrong<TestType>(packets, {}) == 0);
}

TEMPLATE_TEST_CASE("an exponent encoder takes recorded packets at 55 bytes per cycle and more", "[rtl][exponent]",
                   Vexponent_prefix_encoder, Vexponent_window_encoder) {
    std::vector<StreamPacket> packets;
    for (ByteBuffer const& data : recorded_packets(400)) {
        StreamPacket p;
        p.data = data;
        packets.push_back(p);
    }
    TestType dut;
    auto const out = run_stream(dut, packets, {}, 10);
    std::size_t bytes = 0;
    for (StreamPacket const& p : packets) bytes += p.data.size();
    Stamps const& lone = out[0].stamps;
    double const rate = static_cast<double>(bytes) / static_cast<double>(out.back().stamps.tail_out);
    WARN(rate << " B/cycle; a lone packet's first beat leaves " << lone.head_out - lone.tail_in
              << " cycles after its last beat came, its last one " << lone.tail_out - lone.tail_in);
    CHECK(rate > 55);
}
