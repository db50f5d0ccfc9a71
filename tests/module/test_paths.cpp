#include <map>
#include <random>

#include "nic/receive_path.h"
#include "nic/transmit_path.h"
#include "support/stream_bench.h"

using namespace netzip;
using namespace netzip::literals;
using namespace netzip::test;

namespace {

/// A NIC of which every buffer holds `slots` packets.
NicConfig nic_with(std::uint64_t slots, ResultOrder order = ResultOrder::queue_pair) {
    NicConfig nic;
    nic.clock = 1_GHz;
    for (StageConfig* stage : {&nic.tx_demux, &nic.delta_encoder, &nic.staging_buffer, &nic.grouper, &nic.merge,
                               &nic.tx_slices, &nic.tx_mux, &nic.tx_bypass, &nic.rx_demux, &nic.ungrouping_buffer,
                               &nic.ungrouper, &nic.delta_decoder, &nic.rx_slices, &nic.rx_mux, &nic.rx_bypass}) {
        stage->slots = slots;
    }
    nic.compressor.engines = 3;
    nic.compressor.engine_slots = nic.decompressor.engine_slots = slots;
    nic.compressor.in_flight = nic.decompressor.in_flight = slots;
    nic.compressor.order = nic.decompressor.order = order;
    return nic;
}

/// Values that shrink, or random bits that do not.
ByteBuffer values(std::mt19937_64& random, std::size_t bytes, bool shrinks) {
    ByteBuffer data(bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
        auto const bits = static_cast<std::uint8_t>(random());
        data[i] = !shrinks ? bits : i % 2 == 0 ? static_cast<std::uint8_t>(bits & 0xf0) : std::uint8_t{0x3b};
    }
    return data;
}

/// Packets of several queue pairs and layers, flagged and not, that shrink and that do not.
std::vector<Offer> mixed(std::uint64_t seed, std::size_t count, std::uint16_t queue_pairs, double flagged) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> share(0, 1);
    std::vector<Offer> offers;
    std::map<std::uint16_t, std::uint64_t> sequence;
    Duration time;
    for (std::size_t i = 0; i < count; ++i) {
        if (random() % 8 == 0) time += Duration{random() % 3'000'000'000};
        Offer offer{time, time, random() % 3 == 0 ? 2 * (random() % 2048 + 1) : 4096};
        PacketTag& tag = offer.tag;
        tag.serial = i;
        tag.queue_pair = static_cast<std::uint16_t>(random() % queue_pairs);
        tag.qp_sequence = sequence[tag.queue_pair]++;
        tag.compress = share(random) < flagged;
        tag.layer = tag.queue_pair;
        tag.tensor_offset = tag.qp_sequence % 5 * 4096;  // every fifth packet begins a tensor
        tag.original_size = static_cast<std::uint32_t>(offer.bytes);
        offer.data = values(random, offer.bytes, random() % 3 != 0);
        offers.push_back(std::move(offer));
    }
    return offers;
}

/// Both paths, one behind the other; the wire between them is a register.
struct PathBench {
    Sim sim;
    std::vector<Offer> offers;
    BytesWork work_a;
    BytesWork work_b;
    PacketSource source;
    TransmitPath transmit;
    ReceivePath receive;
    PacketSink sink{"sink"};

    PathBench(NicConfig const& nic, std::vector<Offer> sent)
        : offers(std::move(sent)),
          work_a(nic.algorithm, nic.base_registers),
          work_b(nic.algorithm, nic.base_registers),
          source("source", sim.pool, offers),
          transmit("tx", nic, work_a),
          receive("rx", nic, work_b) {
        source.out.bind(transmit.in());
        transmit.out().bind(receive.in());
        receive.out().bind(sink.in);
    }

    /// Every packet once, as it was, in order within its queue pair; nothing stayed inside.
    void check_restored() const {
        REQUIRE(sink.arrivals.size() == offers.size());
        std::map<std::uint16_t, std::uint64_t> next;
        std::size_t wrong = 0;
        for (Arrival const& arrival : sink.arrivals) {
            wrong += arrival.tag.qp_sequence != next[arrival.tag.queue_pair]++;
            wrong += arrival.data != offers[arrival.tag.serial].data;
        }
        CHECK(wrong == 0);
        for (auto const& stats : {transmit.stats(), receive.stats()}) {
            for (StageStats const& stage : stats) {
                CAPTURE(stage.name);
                CHECK(stage.inside == 0);
                CHECK(stage.packets_in == stage.packets_out);
                CHECK(stage.most_inside <= stage.slots);
            }
        }
    }
};

}  // namespace

// Deadlock needs a circle of waits: an accelerated packet for a bypassing one of its queue pair and the reverse.
TEST_CASE("mixed traffic keeps its order per queue pair with any number of slots and never stops", "[path]") {
    std::uint64_t seed = 0;
    for (std::uint64_t const slots : {1, 2, 3, 8}) {
        for (ResultOrder const order : {ResultOrder::queue_pair, ResultOrder::global}) {
            for (std::uint16_t const queue_pairs : {1, 2, 7}) {
                for (double const flagged : {0.0, 0.1, 0.5, 0.9, 1.0}) {
                    CAPTURE(slots, enum_name(order), queue_pairs, flagged);
                    PathBench bench(nic_with(slots, order), mixed(++seed, 60, queue_pairs, flagged));
                    // A receiver that stops now and then fills every buffer.
                    bench.sink.ready = [](std::size_t n) { return n % 20 == 10 ? now() + 60_us : 0_ns; };
                    bench.sim.run();
                    bench.check_restored();
                }
            }
        }
    }
}

TEST_CASE("every algorithm brings the bits back through both paths", "[path]") {
    for (DeltaKind const delta : {DeltaKind::none, DeltaKind::packet_exponent, DeltaKind::min_previous,
                                  DeltaKind::min_previous_ordered, DeltaKind::true_integer, DeltaKind::true_xor}) {
        for (CodecKind const codec : {CodecKind::lz4, CodecKind::snappy, CodecKind::zstd}) {
            CAPTURE(enum_name(delta), enum_name(codec));
            NicConfig nic = nic_with(2);
            nic.algorithm.delta = delta;
            nic.algorithm.codec = codec;
            PathBench bench(nic, mixed(5, 80, 3, 0.8));
            bench.sim.run();
            bench.check_restored();
        }
    }
}

TEST_CASE("a packet that does not shrink travels as it came, and says so", "[path][merge]") {
    std::mt19937_64 random(3);
    std::vector<Offer> offers;
    for (bool const shrinks : {true, false}) {
        Offer offer{0_ns, 0_ns, 4096};
        offer.tag.compress = true;
        offer.tag.serial = offer.tag.qp_sequence = offers.size();
        offer.tag.original_size = 4096;
        offer.data = values(random, 4096, shrinks);
        offers.push_back(offer);
    }
    Sim sim;
    NicConfig const nic = nic_with(2);
    BytesWork work(nic.algorithm, 16);
    PacketSource source("source", sim.pool, offers);
    TransmitPath transmit("tx", nic, work);
    PacketSink sink("sink");
    source.out.bind(transmit.in());
    transmit.out().bind(sink.in);
    sim.run();
    REQUIRE(sink.arrivals.size() == 2);
    CHECK(sink.arrivals[0].tag.compressed);
    CHECK(sink.arrivals[0].data.size() < 3000);
    CHECK_FALSE(sink.arrivals[1].tag.compressed);
    CHECK(sink.arrivals[1].data == offers[1].data);
    // The attempt is counted all the same.
    CHECK(sink.arrivals[1].tag.work.bytes_in == 4096);
}

// Bypass at 1 GHz: demux 4, buffer 8, mux 4 cycles; 64 beats.
TEST_CASE("a packet without the flag pays demultiplexer, buffer and multiplexer alone", "[path]") {
    Offer offer{10_ns, 74_ns, 4096};
    offer.tag.original_size = 4096;
    PathBench bench(nic_with(2), {offer});
    bench.sim.run();
    CHECK(bench.sink.arrivals.at(0).head == 10_ns + 2 * 16_ns);
    CHECK(bench.sink.arrivals.at(0).tail == 74_ns + 2 * 16_ns);
    CHECK(bench.sink.arrivals[0].tag.birth == 0_ns);  // stamped by the DMA engine
}

namespace {

/// One queue pair, 64 B each, all at once.
std::vector<Offer> ten_flagged_and_two_not() {
    std::vector<Offer> offers;
    for (std::uint64_t i = 0; i < 12; ++i) {
        Offer offer{0_ns, 0_ns, 64};
        offer.tag.serial = offer.tag.qp_sequence = i;
        offer.tag.compress = i < 10;
        offers.push_back(offer);
    }
    return offers;
}

}  // namespace

// The compressor's side is held up: the demultiplexer keeps its slots, then nothing passes, flagged or not.
TEST_CASE("a full buffer of one side of the demultiplexer holds up both", "[path][demux]") {
    for (std::uint64_t const slots : {1, 2, 5}) {
        Sim sim;
        StageConfig config;
        config.slots = slots;
        config.latency = Cycles{4};
        AlgorithmConfig algorithm;
        BytesWork work(algorithm, 16);
        QueuePairOrder order;
        PacketSource source("source", sim.pool, ten_flagged_and_two_not());
        Demux demux("demux", Demux::Direction::transmit, config, 1_GHz, work, order);
        PacketSink accelerated("accelerated");
        PacketSink bypass("bypass");
        source.out.bind(demux.in);
        demux.accelerated.bind(accelerated.in);
        demux.bypass.bind(bypass.in);
        accelerated.ready = [](std::size_t n) { return 1_us * n; };
        sim.run();
        REQUIRE(accelerated.arrivals.size() == 10);
        REQUIRE(bypass.arrivals.size() == 2);
        // Packet n of the accelerator leaves at n us; packet 10 enters a cycle after packet 10 - slots began to.
        CHECK(bypass.arrivals[0].head == 1_us * (10 - slots) + 1_ns + 4_ns);
        CHECK(demux.stats().most_inside <= slots + 1);
    }
}

// The next stage tells ahead when it is free, as stages do: the slots count all the same.
TEST_CASE("a demultiplexer counts its slots until the packets really leave", "[path][demux]") {
    Sim sim;
    StageConfig config;
    config.slots = 2;
    config.latency = Cycles{4};
    StageConfig slow = config;
    slow.width = 1_B;  // 64 cycles a packet
    slow.slots = 1;
    AlgorithmConfig algorithm;
    BytesWork work(algorithm, 16);
    QueuePairOrder order;
    PacketSource source("source", sim.pool, ten_flagged_and_two_not());
    Demux demux("demux", Demux::Direction::transmit, config, 1_GHz, work, order);
    StageChain stage("stage");
    stage.add<Stage>("stage", Station::delta_encoder, slow, 1_GHz);
    PacketSink accelerated("accelerated");
    PacketSink bypass("bypass");
    source.out.bind(demux.in);
    demux.accelerated.bind(stage.in);
    stage.out.bind(accelerated.in);
    demux.bypass.bind(bypass.in);
    sim.run();
    // Packet n leaves the demultiplexer at 4 + 64 n ns; packet 10, the first to bypass, enters a cycle after packet 8
    // began to and comes out 4 cycles later.
    REQUIRE(bypass.arrivals.size() == 2);
    CHECK(bypass.arrivals[0].head == 4_ns + 64_ns * 8 + 1_ns + 4_ns);
}

TEST_CASE("of two packets the multiplexer takes the one that was ready first", "[path][mux]") {
    Sim sim;
    StageConfig config;
    config.latency = Cycles{4};
    QueuePairOrder order;
    auto const offer = [&order](std::uint16_t pair, std::uint64_t sequence, Duration at, bool bypass) {
        Offer packet{at, at, 640};
        packet.tag.queue_pair = pair;
        packet.tag.qp_sequence = sequence;
        order.enter(packet.tag, bypass);
        return packet;
    };
    // In the order of the demultiplexer.
    Offer const a0 = offer(0, 0, 100_ns, false);
    Offer const b1 = offer(1, 0, 101_ns, true);
    Offer const b0 = offer(0, 1, 102_ns, true);
    Offer const a1 = offer(1, 1, 103_ns, false);
    Offer const a2 = offer(2, 0, 300_ns, false);
    Offer const b3 = offer(3, 0, 300_ns, true);
    PacketSource fast("fast", sim.pool, {a0, a1, a2});
    PacketSource slow("slow", sim.pool, {b1, b0, b3});
    Mux mux("mux", Station::tx_mux, config, 1_GHz, {}, order);
    PacketSink sink("sink");
    fast.out.bind(mux.accelerated);
    slow.out.bind(mux.bypass);
    mux.out.bind(sink.in);
    sim.run();
    REQUIRE(sink.arrivals.size() == 6);
    // 10 beats each. a0 and b1 by their time; a1 is at the door when a0 is taken at 110 ns, b0 when b1 is at 120 ns; of
    // the two at 300 ns the accelerator's.
    std::vector<std::pair<int, std::uint64_t>> came;
    for (Arrival const& arrival : sink.arrivals) came.emplace_back(arrival.tag.queue_pair, arrival.tag.qp_sequence);
    std::vector<std::pair<int, std::uint64_t>> const expected{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 0}, {3, 0}};
    CHECK(came == expected);
    CHECK(sink.arrivals[0].head == 104_ns);
    CHECK(sink.arrivals[1].head == 114_ns);
    CHECK(sink.arrivals[5].head == 314_ns);
}

// Two domains: the multiplexer's clock of 500 MHz is not that of the stages before it: 3 cycles of 2 ns to cross.
TEST_CASE("a clock of its own costs demultiplexer and multiplexer their synchronisers", "[path]") {
    auto const head = [](Frequency demux_clock, Frequency mux_clock) {
        Offer offer{10_ns, 10_ns, 64};
        offer.tag.original_size = 64;
        NicConfig nic = nic_with(2);
        nic.tx_demux.clock = demux_clock;
        nic.tx_mux.clock = mux_clock;
        // The buffer between follows the demultiplexer, so that it pays no crossing of its own.
        nic.tx_bypass.clock = demux_clock;
        Sim sim;
        BytesWork work(nic.algorithm, 16);
        PacketSource source("source", sim.pool, {offer});
        TransmitPath transmit("tx", nic, work);
        PacketSink sink("sink");
        source.out.bind(transmit.in());
        transmit.out().bind(sink.in);
        sim.run();
        return sink.arrivals.at(0).head;
    };
    CHECK(head(0_MHz, 0_MHz) == 10_ns + 16_ns);
    CHECK(head(1_GHz, 1_GHz) == 10_ns + 16_ns);
    CHECK(head(0_MHz, 500_MHz) == 10_ns + 12_ns + 2_ns * (4 + 3));
    CHECK(head(500_MHz, 500_MHz) == 10_ns + 2_ns * (3 + 16));
}
