// The exponent encoders: byte for byte what the C++ codecs make, and how fast.
#include "Vexponent_prefix_encoder.h"
#include "Vexponent_window_encoder.h"
#include "engine_difference.h"
#include "models/codec/codec.h"
#include "models/timing/exponent_encoder.h"
#include "packets.h"
#include "support/catch.h"

using namespace netzip;
using namespace netzip::rtl;

namespace {

constexpr std::size_t kPacket = 4096;

/// The encoder of sv/exponent_prefix_encoder.sv or sv/exponent_window_encoder.sv.
template <class Dut>
AlgorithmConfig codec_of() {
    return std::is_same_v<Dut, Vexponent_prefix_encoder> ? exponent_prefix_of_rtl() : exponent_window_of_rtl();
}

std::vector<StreamPacket> mixed_packets(std::size_t count, Random& random) {
    std::vector<StreamPacket> packets;
    for (ByteBuffer const& data : mixed_exponent_packets(count, kPacket, random)) packets.emplace_back().data = data;
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
        p.data = escaped_lanes(kPacket - (n % 4 == 0 ? random.below(200) : 0), random);
        std::size_t const last = p.data.size() / 2 * 2;
        for (std::size_t i = 0; i < n % 7; ++i) p.data[last - 1 - 2 * i] = 0x7F;
        packets.push_back(p);
    }
    CHECK(count_wrong<TestType>(packets, {}) == 0);
}

namespace {

/// The constants of the encoder's RTL.
template <class Dut>
ExponentEncoder::Timing timing_of() {
    ExponentEncoder::Timing timing;
    timing.width = timing.coder_width = kBeat;
    timing.pack = 4;
    if constexpr (std::is_same_v<Dut, Vexponent_prefix_encoder>) {
        timing.lanes = 32;
        timing.slots = 2;
        timing.scan_block = 256;
        timing.scan = 6;
        timing.code = 6;
        timing.gap = 2;
    } else {
        timing.slots = 4;
        timing.scan = 1;
        timing.code = 5;
        timing.gap = 1;
    }
    return timing;
}

template <class Dut>
std::vector<BlockWork> works_of(std::vector<StreamPacket> const& packets) {
    auto const codec = make_codec(codec_of<Dut>());
    std::vector<BlockWork> works(packets.size());
    for (std::size_t n = 0; n < packets.size(); ++n) {
        ByteBuffer coded;
        codec->compress({}, packets[n].data, coded, works[n]);
    }
    return works;
}

}  // namespace

TEMPLATE_TEST_CASE("the three loops of an exponent encoder predict every stamp", "[rtl][exponent][timing]",
                   Vexponent_prefix_encoder, Vexponent_window_encoder) {
    using Timing = ExponentEncoder::Timing;
    constexpr std::size_t kPackets = 6000;
    for (bool const gaps : {false, true}) {
        INFO("gaps " << gaps);
        Random random(64 + gaps);
        std::vector<StreamPacket> packets = mixed_packets(kPackets, random);
        std::uint64_t offer = 0;
        for (StreamPacket& p : packets) {
            p.offer = offer;
            if (gaps) offer += random.below(200);
        }
        TestType dut;
        auto const rtl = run_stream(dut, packets, {}, 11);
        auto const works = works_of<TestType>(packets);
        Timing const right = timing_of<TestType>();
        CHECK(compare(ExponentEncoder(right), packets, works, rtl) == EngineDifference{});
        for (auto const constant : {&Timing::scan, &Timing::code, &Timing::pack}) {
            Timing wrong = right;
            ++(wrong.*constant);
            CHECK(compare(ExponentEncoder(wrong), packets, works, rtl).done > kPackets / 4);
        }
        for (auto const constant : {&Timing::gap, &Timing::slots}) {
            Timing wrong = right;
            ++(wrong.*constant);
            CHECK(compare(ExponentEncoder(wrong), packets, works, rtl).done > 20);
        }
    }
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
