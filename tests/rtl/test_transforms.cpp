// Delta and grouping blocks, byte for byte against the C++ transforms.
#include "Vdelta_decoder.h"
#include "Vdelta_decoder_ordered.h"
#include "Vdelta_encoder.h"
#include "Vdelta_encoder_ordered.h"
#include "Vgrouper.h"
#include "Vungrouper.h"
#include "models/transform/delta.h"
#include "models/transform/grouping.h"
#include "packets.h"
#include "support/catch.h"

using namespace netzip;
using namespace netzip::rtl;

namespace {

constexpr std::size_t kPacket = 4096;
Stalls const kStalls[] = {{0, 0}, {64, 0}, {0, 64}, {100, 160}, {200, 60}, {230, 230}};

/// Every length of a short packet is met; most are whole.
std::size_t random_size(Random& random) {
    return random.chance(96) ? 1 + random.below(kPacket) : random.chance(64) ? 1 + random.below(256) : kPacket;
}

std::vector<StreamPacket> mixed_packets(std::size_t count, Random& random) {
    std::vector<ByteBuffer> const recorded = recorded_packets(count);
    std::vector<StreamPacket> packets(count);
    for (std::size_t n = 0; n < count; ++n) {
        std::size_t const size = random_size(random);
        StreamPacket& p = packets[n];
        if (random.chance(128)) {
            p.data = recorded[n % recorded.size()];
            p.data.resize(std::min(size, p.data.size()));
        } else {
            p.data = adversarial_packet(random.next(), size, random);
        }
        p.layer = static_cast<std::uint16_t>(random.below(6));
        p.new_iteration = random.chance(80);
        p.base = static_cast<std::uint16_t>(random.next());
        p.by_bit = random.chance(160);
    }
    return packets;
}

ByteBuffer grouped(StreamPacket const& p) {
    ByteBuffer out(p.data.size());
    group(p.by_bit ? GroupingKind::bit : GroupingKind::byte, GroupOrder::high_first, DataType::bf16, p.data, out);
    return out;
}

template <class Dut>
void check_delta_encoder(DeltaKind kind) {
    for (Stalls const stalls : kStalls) {
        Random random(7 + stalls.sink);
        std::vector<StreamPacket> const packets = mixed_packets(150, random);
        Dut dut;
        auto const out = run_stream(dut, packets, stalls, 1);
        DeltaEncoder model(kind);
        std::size_t wrong = 0;
        for (std::size_t n = 0; n < packets.size(); ++n) {
            ByteBuffer expected = packets[n].data;
            PacketContext context;
            context.layer = packets[n].layer;
            context.first_of_tensor = packets[n].new_iteration;
            DeltaBase const base = model.encode(context, expected);
            wrong += expected != out[n].data || out[n].base != (base.bytes[0] | base.bytes[1] << 8);
        }
        INFO("stalls " << stalls.source << " " << stalls.sink);
        CHECK(wrong == 0);
    }
}

template <class Dut>
void check_delta_decoder(DeltaKind kind) {
    Random random(11);
    std::vector<StreamPacket> const packets = mixed_packets(150, random);
    for (Stalls const stalls : kStalls) {
        Dut dut;
        auto const out = run_stream(dut, packets, stalls, 2);
        DeltaDecoder model(kind);
        std::size_t wrong = 0;
        for (std::size_t n = 0; n < packets.size(); ++n) {
            ByteBuffer expected = packets[n].data;
            std::uint8_t const base[] = {static_cast<std::uint8_t>(packets[n].base),
                                         static_cast<std::uint8_t>(packets[n].base >> 8)};
            model.decode({}, base, expected);
            wrong += expected != out[n].data;
        }
        CHECK(wrong == 0);
    }
}

}  // namespace

TEST_CASE("the delta encoder subtracts what the C++ delta subtracts, whatever stalls", "[rtl][delta]") {
    check_delta_encoder<Vdelta_encoder>(DeltaKind::min_previous);
    check_delta_encoder<Vdelta_encoder_ordered>(DeltaKind::min_previous_ordered);
}

TEST_CASE("the delta decoder adds what the C++ delta adds, whatever stalls", "[rtl][delta]") {
    check_delta_decoder<Vdelta_decoder>(DeltaKind::min_previous);
    check_delta_decoder<Vdelta_decoder_ordered>(DeltaKind::min_previous_ordered);
}

TEST_CASE("the grouper lays every packet out as the C++ grouping does, whatever stalls", "[rtl][grouping]") {
    for (Stalls const stalls : kStalls) {
        Random random(3 + stalls.source);
        std::vector<StreamPacket> const packets = mixed_packets(200, random);
        Vgrouper dut;
        auto const out = run_stream(dut, packets, stalls, 3);
        std::size_t wrong = 0;
        for (std::size_t n = 0; n < packets.size(); ++n)
            wrong += out[n].data != grouped(packets[n]) || out[n].base != packets[n].base ||
                     out[n].size != packets[n].data.size();
        INFO("stalls " << stalls.source << " " << stalls.sink);
        CHECK(wrong == 0);
    }
}

TEST_CASE("the ungrouper restores every packet that the C++ grouping laid out, whatever stalls", "[rtl][grouping]") {
    for (Stalls const stalls : kStalls) {
        Random random(5 + stalls.source);
        std::vector<StreamPacket> const packets = mixed_packets(200, random);
        std::vector<StreamPacket> sent = packets;
        for (StreamPacket& p : sent) p.data = grouped(p);
        Vungrouper dut;
        auto const out = run_stream(dut, sent, stalls, 4);
        std::size_t wrong = 0;
        for (std::size_t n = 0; n < packets.size(); ++n)
            wrong += out[n].data != packets[n].data || out[n].base != packets[n].base;
        INFO("stalls " << stalls.source << " " << stalls.sink);
        CHECK(wrong == 0);
    }
}

TEST_CASE("packets of every length from 1 to 4096 bytes come through grouper and ungrouper", "[rtl][grouping]") {
    Random random(9);
    std::vector<StreamPacket> packets;
    for (std::size_t size = 1; size <= kPacket; size += size < 300 ? 1 : 61) {
        StreamPacket p;
        p.data = adversarial_packet(7, size, random);
        for (bool const by_bit : {true, false}) {
            p.by_bit = by_bit;
            packets.push_back(p);
        }
    }
    Vgrouper grouper;
    auto const out = run_stream(grouper, packets, {}, 5);
    std::vector<StreamPacket> back = packets;
    std::size_t wrong = 0;
    for (std::size_t n = 0; n < packets.size(); ++n) {
        wrong += out[n].data != grouped(packets[n]);
        back[n].data = out[n].data;
    }
    CHECK(wrong == 0);
    Vungrouper ungrouper;
    auto const restored = run_stream(ungrouper, back, {}, 6);
    wrong = 0;
    for (std::size_t n = 0; n < packets.size(); ++n) wrong += restored[n].data != packets[n].data;
    CHECK(wrong == 0);
}
