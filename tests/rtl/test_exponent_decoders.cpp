// The exponent decoders: byte for byte the packets that the C++ codecs coded, and the C++ decoders' faults.
#include "Vexponent_prefix_decoder.h"
#include "Vexponent_window_decoder.h"
#include "base/error.h"
#include "engine_difference.h"
#include "models/codec/codec.h"
#include "models/timing/exponent_decoder.h"
#include "packets.h"
#include "support/catch.h"

using namespace netzip;
using namespace netzip::rtl;

namespace {

constexpr std::size_t kPacket = 4096;

/// What the decoder of sv/ decodes.
template <class Dut>
AlgorithmConfig codec_of() {
    return std::is_same_v<Dut, Vexponent_prefix_decoder> ? exponent_prefix_of_rtl() : exponent_window_of_rtl();
}

template <class Dut>
std::vector<StreamPacket> coded(std::vector<ByteBuffer> const& originals, std::vector<BlockWork>* works = nullptr) {
    auto const codec = make_codec(codec_of<Dut>());
    std::vector<StreamPacket> packets(originals.size());
    for (std::size_t n = 0; n < originals.size(); ++n) {
        BlockWork work;
        codec->compress({}, originals[n], packets[n].data, work);
        packets[n].size = originals[n].size();
        if (works != nullptr) works->push_back(work);
    }
    return packets;
}

template <class Dut>
std::size_t count_wrong(std::vector<ByteBuffer> const& originals, Stalls stalls) {
    Dut dut;
    auto const out = run_stream(dut, coded<Dut>(originals), stalls, 9);
    std::size_t wrong = 0;
    for (std::size_t n = 0; n < originals.size(); ++n) wrong += originals[n] != out[n].data || out[n].error;
    return wrong;
}

}  // namespace

TEMPLATE_TEST_CASE("an exponent decoder restores every packet, whatever stalls", "[rtl][exponent]",
                   Vexponent_prefix_decoder, Vexponent_window_decoder) {
    for (Stalls const stalls : {Stalls{0, 0}, Stalls{100, 0}, Stalls{0, 100}, Stalls{180, 180}}) {
        Random random(71 + stalls.sink);
        INFO("stalls " << stalls.source << " " << stalls.sink);
        CHECK(count_wrong<TestType>(mixed_exponent_packets(300, kPacket, random), stalls) == 0);
    }
}

TEMPLATE_TEST_CASE("short packets of every length come out of an exponent decoder right", "[rtl][exponent]",
                   Vexponent_prefix_decoder, Vexponent_window_decoder) {
    Random random(72);
    std::vector<ByteBuffer> packets;
    for (std::size_t size = 1; size <= kPacket; ++size)
        packets.push_back(size % 3 == 0 ? sparse_packet(size, random)
                                        : adversarial_packet(size % 5 == 0 ? 5 : 8, size, random));
    CHECK(count_wrong<TestType>(packets, {}) == 0);
}

// Escapes at the end of a packet and of a lane, lanes above 64 bytes, and packets that no longer shrink.
TEMPLATE_TEST_CASE("escapes at the end of a packet and many escapes are restored right", "[rtl][exponent]",
                   Vexponent_prefix_decoder, Vexponent_window_decoder) {
    Random random(73);
    std::vector<ByteBuffer> packets;
    for (unsigned n = 0; n < 120; ++n) {
        ByteBuffer data = escaped_lanes(kPacket - (n % 4 == 0 ? random.below(200) : 0), random);
        std::size_t const last = data.size() / 2 * 2;
        for (std::size_t i = 0; i < n % 7; ++i) data[last - 1 - 2 * i] = 0x7F;
        packets.push_back(data);
    }
    CHECK(count_wrong<TestType>(packets, {}) == 0);
}

namespace {

ByteBuffer signed_zeros() {
    ByteBuffer data(kPacket, 0);
    for (std::size_t i = 1; i < data.size(); i += 16) data[i] = 0x80;
    return data;
}

/// Cut, prolonged, of another size, or a few bits wrong: at places where a decoder has something to check, or anywhere.
void damage(StreamPacket& p, Random& random) {
    auto const bytes = static_cast<std::uint32_t>(p.data.size());
    std::size_t const values = p.size / 2;
    auto const flip = [&](std::size_t at, unsigned bit) { p.data[at % bytes] ^= static_cast<std::uint8_t>(1u << bit); };
    switch (random.below(9)) {
        case 0:
            p.data.resize(1 + random.below(bytes));
            break;
        case 1:
            p.data.resize(bytes + 1 + random.below(70), static_cast<std::uint8_t>(random.next()));
            break;
        case 2:
            p.size = 1 + random.below(kPacket);
            break;
        case 3:
            flip(0, random.below(8));
            break;
        case 4:  // base of the window, first scale
            p.data[1 % bytes] =
                static_cast<std::uint8_t>(random.chance(128) ? random.below(8) : 246 + random.below(10));
            break;
        case 5:  // padding of the codes, of the last lane
            flip(2 + values + (3 * values + 7) / 8 - 1, 7);
            break;
        case 6:
            flip(bytes - 1 - p.size % 2, 7);
            break;
        case 7:
            flip(random.below(std::min(bytes, 60u)), random.below(8));
            break;
        default:
            flip(random.below(bytes), random.below(8));
    }
}

}  // namespace

TEMPLATE_TEST_CASE("an exponent decoder finds fault with the blocks with which the C++ decoder does", "[rtl][exponent]",
                   Vexponent_prefix_decoder, Vexponent_window_decoder) {
    Random random(74);
    auto packets = coded<TestType>(mixed_exponent_packets(1000, kPacket, random));
    for (StreamPacket& p : packets) damage(p, random);
    // Of zeros with some -0 no code depends on the scale; a step down from scale 0 is wrong all the same.
    for (StreamPacket& p : coded<TestType>(std::vector(8, signed_zeros()))) {
        p.data[3 + random.below(6)] ^= 0x0F;
        packets.push_back(p);
    }
    TestType dut;
    auto const out = run_stream(dut, packets, {30, 30}, 10);
    auto const codec = make_codec(codec_of<TestType>());
    std::size_t differ = 0;
    std::size_t faults = 0;
    for (std::size_t n = 0; n < packets.size(); ++n) {
        ByteBuffer expected(packets[n].size);
        bool fault = false;
        BlockWork work;
        try {
            codec->decompress({}, packets[n].data, expected, work);
        } catch (RunError const&) {
            fault = true;
        }
        faults += fault;
        differ += out[n].error != fault || out[n].data.size() != expected.size() || (!fault && out[n].data != expected);
    }
    CHECK(differ == 0);
    CHECK(faults > 300);
    CHECK(faults < 800);
}

TEMPLATE_TEST_CASE("a packet of impossible size leaves an exponent decoder as one wrong byte", "[rtl][exponent]",
                   Vexponent_prefix_decoder, Vexponent_window_decoder) {
    Random random(76);
    auto const originals = mixed_exponent_packets(60, kPacket, random);
    auto packets = coded<TestType>(originals);
    for (std::size_t n = 0; n < packets.size(); n += 3)
        packets[n].size = n % 2 == 0 ? kPacket + 1 : kPacket + 1 + random.below(kPacket - 1);
    TestType dut;
    auto const out = run_stream(dut, packets, {}, 13);
    for (std::size_t n = 0; n < packets.size(); ++n) {
        CHECK(out[n].error == (n % 3 == 0));
        if (n % 3 == 0)
            CHECK(out[n].data.size() == 1);
        else
            CHECK((out[n].data == originals[n]));
    }
}

namespace {

/// The constants of the decoder's RTL.
template <class Dut>
ExponentDecoder::Timing timing_of() {
    ExponentDecoder::Timing timing;
    if constexpr (std::is_same_v<Dut, Vexponent_prefix_decoder>) {
        timing.lanes = 32;
    } else {
        timing.latency = 6;
        timing.release = 3;
    }
    return timing;
}

}  // namespace

TEMPLATE_TEST_CASE("the loops of an exponent decoder predict every stamp", "[rtl][exponent][timing]",
                   Vexponent_prefix_decoder, Vexponent_window_decoder) {
    using Timing = ExponentDecoder::Timing;
    constexpr std::size_t kPackets = 6000;
    for (bool const gaps : {false, true}) {
        INFO("gaps " << gaps);
        Random random(75 + gaps);
        auto const originals = mixed_exponent_packets(kPackets, kPacket, random);
        std::vector<BlockWork> works;
        std::vector<StreamPacket> packets = coded<TestType>(originals, &works);
        std::uint64_t offer = 0;
        for (StreamPacket& p : packets) {
            p.offer = offer;
            if (gaps && random.chance(26)) offer += random.below(1200);
        }
        TestType dut;
        auto const rtl = run_stream(dut, packets, {}, 12);
        Timing const right = timing_of<TestType>();
        CHECK(compare(ExponentDecoder(right), packets, works, rtl) == EngineDifference{});
        std::vector<std::uint64_t Timing::*> constants{&Timing::latency, &Timing::release, &Timing::slots};
        if (right.lanes > 0)
            constants.insert(constants.end(), {&Timing::loads, &Timing::header, &Timing::sums, &Timing::count,
                                               &Timing::turn, &Timing::lanes_release});
        for (std::size_t c = 0; c < constants.size(); ++c) {
            Timing wrong = right;
            ++(wrong.*constants[c]);
            INFO("constant " << c);
            CHECK(compare(ExponentDecoder(wrong), packets, works, rtl).most() > 20);
        }
    }
}

TEMPLATE_TEST_CASE("an exponent decoder restores recorded packets at 60 bytes per cycle and more", "[rtl][exponent]",
                   Vexponent_prefix_decoder, Vexponent_window_decoder) {
    auto const originals = recorded_packets(400);
    TestType dut;
    auto const out = run_stream(dut, coded<TestType>(originals), {}, 10);
    std::size_t bytes = 0;
    for (ByteBuffer const& p : originals) bytes += p.size();
    Stamps const& lone = out[0].stamps;
    double const rate = static_cast<double>(bytes) / static_cast<double>(out.back().stamps.tail_out);
    WARN(rate << " B/cycle; a lone packet's first beat leaves " << lone.head_out - lone.tail_in
              << " cycles after its last beat came, its last one " << lone.tail_out - lone.tail_in);
    CHECK(rate > 60);
}
