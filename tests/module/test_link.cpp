#include <cmath>

#include "nic/link.h"
#include "nic/switch.h"
#include "support/stream_bench.h"

using namespace netzip;
using namespace netzip::literals;
using namespace netzip::test;

namespace {

Offer frame(std::uint64_t payload, Duration at = 0_ns) {
    Offer offer{at, at, payload};
    offer.tag.wire_payload = static_cast<std::uint32_t>(payload);
    return offer;
}

struct LinkBench {
    Sim sim;
    PacketSource source;
    Link link;
    PacketSink sink{"sink"};

    LinkBench(LinkConfig const& config, std::vector<Offer> offers, std::uint64_t index = 0)
        : source("source", sim.pool, std::move(offers)), link("link", config, index, 16_B, 86_B) {
        source.out.bind(link.in);
        link.out.bind(sink.in);
    }
};

}  // namespace

// 4096 B + 82 B at 50 Gb/s = 668.48 ns on the wire, then 25 ns of fibre.
TEST_CASE("a second frame arrives one serialisation time after the first", "[link]") {
    LinkBench bench({}, {frame(4096), frame(4096)});
    bench.sim.run();
    CHECK(bench.sink.tails() == std::vector{693.48_ns, 1361.96_ns});
    CHECK(bench.sink.arrivals[0].head == 25_ns);
    CHECK(bench.link.stats().busy == 1336.96_ns);
    CHECK(bench.link.wire_bytes() == Bytes{2 * (4096 + 82)});
}

TEST_CASE("one frame waits at the wire while another is on it", "[link]") {
    LinkBench bench({}, std::vector<Offer>(4, frame(4096)));
    bench.sim.run();
    CHECK(bench.source.sent == std::vector{0_ns, 0_ns, 668.48_ns, 1336.96_ns});
}

// 1001 B are padded to 1004 B: (1004 + 82) * 8 / 50 = 173.76 ns. A first packet carries 16 B more: 176.32 ns.
// An acknowledgement is 86 B: 13.76 ns.
TEST_CASE("a frame is its padded payload, the overhead, and the extended header of a first packet", "[link]") {
    Offer first = frame(1001);
    first.tag.first_of_message = true;
    Offer acknowledgement = frame(0);
    acknowledgement.tag.acknowledgement = true;
    LinkBench bench({}, {frame(1001), first, acknowledgement});
    bench.sim.run();
    CHECK(bench.sink.tails() ==
          std::vector{25_ns + 173.76_ns, 25_ns + 173.76_ns + 176.32_ns, 25_ns + 173.76_ns + 176.32_ns + 13.76_ns});
}

TEST_CASE("a long link does not change the throughput", "[link]") {
    std::vector<Offer> const offers(50, frame(4096));
    for (Duration const propagation : {0_ns, 25_ns, 1_us, 10_ms}) {
        LinkConfig config;
        config.propagation = propagation;
        LinkBench bench(config, offers);
        bench.sim.run();
        CHECK(bench.sink.arrivals.back().tail == propagation + 668.48_ns * 50);
    }
}

// The frame comes in at 10 Gb/s: its last byte is there at 3342.4 ns, and its bytes must not run dry on the wire.
TEST_CASE("a frame starts late enough that it never runs dry", "[link]") {
    Offer slow = frame(4096);
    slow.tail = 3342.4_ns;
    LinkBench bench({}, {slow});
    bench.sim.run();
    CHECK(bench.sink.arrivals[0].tail == 3342.4_ns + 25_ns);
    CHECK(bench.sink.arrivals[0].head == 3342.4_ns - 668.48_ns + 25_ns);
}

TEST_CASE("a receiver that pauses stops the link and loses nothing", "[link]") {
    for (Duration const propagation : {0_ns, 25_ns, 100_us}) {
        LinkConfig config;
        config.propagation = propagation;
        LinkBench bench(config, std::vector<Offer>(300, frame(4096)));
        bench.sink.ready = [](std::size_t n) { return n == 1 ? 1_ms : n == 7 ? 2_ms : 0_ns; };
        bench.sim.run();
        REQUIRE(bench.sink.arrivals.size() == 300);
        // What was in flight waits at the door and then follows at the rate of the link.
        CHECK(bench.sink.arrivals[1].head == 1_ms);
        CHECK(bench.sink.arrivals[6].tail == 1_ms + 668.48_ns * 6);
        CHECK(bench.sink.arrivals[7].head == 2_ms);
        CHECK(bench.link.stats().inside == 0);
        if (propagation < 1_us) CHECK(bench.link.stats().most_inside < 80);  // about 256 KiB of pause threshold
    }
}

TEST_CASE("loss has its probability, and the same frames are lost for the same seed", "[link]") {
    auto const run = [](double loss, std::uint64_t seed, std::uint64_t index = 0) {
        LinkConfig config;
        config.loss = loss;
        config.seed = seed;
        LinkBench bench(config, std::vector<Offer>(4000, frame(64)), index);
        bench.sim.run();
        CHECK(bench.link.lost() + bench.sink.arrivals.size() == 4000);
        return bench.sink.tails();
    };
    CHECK(run(0, 1).size() == 4000);
    CHECK(run(1, 1).empty());
    // 4000 frames at 0.1: 400 lost, standard deviation 19.
    CHECK(std::abs(static_cast<double>(run(0.1, 1).size()) - 3600) < 4 * 19);
    CHECK(run(0.1, 1) == run(0.1, 1));
    CHECK(run(0.1, 1) != run(0.1, 2));
    CHECK(run(0.1, 1, 0) != run(0.1, 1, 1));
}

// 1 - (1 - p)^n, by the logarithm in long double.
TEST_CASE("a frame is damaged with the probability that at least one bit is wrong", "[link]") {
    CHECK(frame_error_threshold(0, 1000) == 0);
    for (double const p : {1e-12, 1e-9, 1e-6, 1e-4, 0.01, 0.5}) {
        for (std::uint64_t const bits : {1ull, 688ull, 33424ull}) {
            long double const expected =
                -std::expm1(static_cast<long double>(bits) * std::log1p(-static_cast<long double>(p)));
            CHECK(std::ldexp(static_cast<double>(frame_error_threshold(p, bits)), -64) ==
                  Approx(static_cast<double>(expected)).epsilon(1e-6));
        }
    }
}

// 33424 bits at 1e-5: 1 - exp(-0.334) = 0.2841 of 2000 frames: 568, standard deviation 20.
TEST_CASE("a damaged frame has one bit flipped and says so", "[link]") {
    LinkConfig config;
    config.bit_error_rate = 1e-5;
    LinkBench bench(config, std::vector<Offer>(2000, frame(4096)));
    bench.sim.run();
    REQUIRE(bench.sink.arrivals.size() == 2000);
    std::uint64_t damaged = 0;
    for (Arrival const& arrival : bench.sink.arrivals) {
        int ones = 0;
        for (auto const byte : arrival.data) ones += __builtin_popcount(byte);
        CHECK(ones == (arrival.tag.damaged ? 1 : 0));
        damaged += arrival.tag.damaged;
    }
    CHECK(damaged == bench.link.damaged());
    CHECK(std::abs(static_cast<double>(damaged) - 568) < 4 * 20);
}

// First link 668.48 + 25 ns, switch 400 ns, second link 25 ns. Cut-through: serialised once. Store-and-forward: twice.
TEST_CASE("a switch that cuts through adds its latency, one that stores adds a serialisation", "[link][switch]") {
    for (bool const cut_through : {true, false}) {
        Sim sim;
        PacketSource source("source", sim.pool, {frame(4096), frame(4096)});
        Link first("first", {}, 0, 16_B, 86_B);
        SwitchConfig config;
        config.cut_through = cut_through;
        Switch hop("hop", config);
        Link second("second", {}, 1, 16_B, 86_B);
        PacketSink sink("sink");
        source.out.bind(first.in);
        first.out.bind(hop.in);
        hop.out.bind(second.in);
        second.out.bind(sink.in);
        sim.run();
        Duration const one = 668.48_ns + 25_ns + 400_ns + 25_ns + (cut_through ? 0_ns : 668.48_ns);
        CHECK(sink.tails() == std::vector{one, one + 668.48_ns});
    }
}
