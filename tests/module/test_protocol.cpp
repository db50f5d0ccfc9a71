#include <map>

#include "base/error.h"
#include "nic/link.h"
#include "nic/protocol_engine.h"
#include "support/stream_bench.h"

using namespace netzip;
using namespace netzip::literals;
using namespace netzip::test;

namespace {

constexpr Frequency kClock{1'000'000'000};

/// Packets of one message per queue pair, in turn, all there at the start.
std::vector<Offer> packets(std::size_t count, std::uint64_t bytes = 4096, std::uint16_t queue_pairs = 1) {
    std::vector<Offer> offers;
    std::map<std::uint16_t, std::uint64_t> sequence;
    for (std::size_t i = 0; i < count; ++i) {
        Offer offer{0_ns, 0_ns, bytes};
        offer.tag.queue_pair = static_cast<std::uint16_t>(i % queue_pairs);
        offer.tag.qp_sequence = sequence[offer.tag.queue_pair]++;
        offer.tag.serial = i;
        offer.tag.last_of_message = i + queue_pairs >= count;
        for (std::uint64_t b = 0; b < bytes; ++b) offer.data.push_back(static_cast<std::uint8_t>(i + b * 7));
        offers.push_back(std::move(offer));
    }
    return offers;
}

struct Setup {
    ProtocolConfig protocol;
    LinkConfig there;
    LinkConfig back;
};

/// Two engines with a link each way.
struct Pair {
    Sim sim;
    std::vector<Offer> offers;
    std::vector<std::uint64_t> done;  ///< queue pairs whose message was acknowledged
    PacketSource source;
    PacketSource nothing{"nothing", sim.pool, {}};
    ProtocolEngine a;
    ProtocolEngine b;
    Link there;
    Link back;
    PacketSink sink{"sink"};
    PacketSink unused{"unused"};

    Pair(Setup const& setup, std::vector<Offer> sent)
        : offers(std::move(sent)),
          source("source", sim.pool, offers),
          a("a", setup.protocol, kClock, 2_B, sim.pool,
            [this](PacketTag const& tag) { done.push_back(tag.queue_pair); }),
          b("b", setup.protocol, kClock, 2_B, sim.pool, [](PacketTag const&) {}),
          there("there", setup.there, 0, 16_B, 86_B),
          back("back", setup.back, 1, 16_B, 86_B) {
        source.out.bind(a.in);
        a.wire_out.bind(there.in);
        there.out.bind(b.wire_in);
        b.out.bind(sink.in);
        nothing.out.bind(b.in);
        b.wire_out.bind(back.in);
        back.out.bind(a.wire_in);
        a.out.bind(unused.in);
    }

    /// Every packet came once, as it was sent, in order within its queue pair.
    void check_delivered() const {
        REQUIRE(sink.arrivals.size() == offers.size());
        std::map<std::uint16_t, std::uint64_t> expected;
        for (Arrival const& arrival : sink.arrivals) {
            CHECK(arrival.tag.qp_sequence == expected[arrival.tag.queue_pair]++);
            CHECK(arrival.data == offers[arrival.tag.serial].data);
        }
        CHECK(unused.arrivals.empty());
        CHECK(a.send_stats().inside == 0);
        CHECK(b.receive_stats().inside == 0);
    }
};

}  // namespace

TEST_CASE("go-back-N sends again from the oldest packet that is not acknowledged", "[protocol]") {
    Sim sim;
    SendWindow window(3);
    std::vector<Payload*> sent;
    for (int i = 0; i < 3; ++i) {
        REQUIRE(window.open());
        sent.push_back(&sim.pool.take());
        window.sent(*sent.back(), 1_ns * static_cast<std::uint64_t>(i));
    }
    CHECK_FALSE(window.open());
    CHECK_FALSE(window.has_resend());
    std::vector<Payload*> released;
    auto const release = [&](Payload& payload) {
        released.push_back(&payload);
        payload.release();
    };
    window.acknowledged(1, 10_ns, release);
    CHECK(released == std::vector{sent[0]});
    CHECK(window.open());
    CHECK(window.progress() == 10_ns);

    window.go_back();
    CHECK(&window.take_resend(20_ns) == sent[1]);
    window.acknowledged(3, 25_ns, release);  // the acknowledgement overtakes the rest of the resend
    CHECK_FALSE(window.has_resend());
    CHECK_FALSE(window.waiting());
    CHECK(released == sent);
    window.acknowledged(2, 30_ns, release);  // an old one changes nothing
    CHECK(window.oldest() == 3);

    CHECK(window.timed_out(40_ns) == 1);
    CHECK(window.timed_out(50_ns) == 2);
    window.sent(sim.pool.take(), 60_ns);
    window.acknowledged(4, 70_ns, release);
    CHECK(window.timed_out(80_ns) == 1);  // progress starts the count anew
    CHECK(sim.pool.live() == 0);
}

TEST_CASE("a receiver accepts in order, knows duplicates, and reports a gap once", "[protocol]") {
    using Verdict = ReceiveOrder::Verdict;
    ReceiveOrder order;
    CHECK(order.judge(0) == Verdict::accept);
    CHECK_FALSE(order.due(2, false));
    CHECK(order.judge(2) == Verdict::gap);
    CHECK(order.first_of_gap());
    CHECK(order.judge(3) == Verdict::gap);
    CHECK_FALSE(order.first_of_gap());
    CHECK(order.judge(0) == Verdict::duplicate);
    CHECK(order.judge(1) == Verdict::accept);
    CHECK(order.due(2, false));
    order.answered();
    CHECK(order.judge(2) == Verdict::accept);
    CHECK(order.due(2, true));  // the last packet of a message is answered at once
    CHECK(order.judge(4) == Verdict::gap);
    CHECK(order.first_of_gap());
    CHECK(order.expected() == 3);
}

// At 1 GHz: 30 cycles of headers; the frame of 4098 + 2 (pad) + 82 = 4182 B takes 669.12 ns, flight 25 ns; the receiver
// checks it when it is whole: edge 725 (724.12 rounded up) + 30; 64 beats on the way out.
TEST_CASE("a packet crosses an idle engine in its latency, the frame and the check of the whole", "[protocol]") {
    Pair pair({}, packets(1));
    pair.sim.run();
    pair.check_delivered();
    CHECK(pair.sink.arrivals[0].head == 755_ns);
    CHECK(pair.sink.arrivals[0].tail == 819_ns);
    CHECK(pair.done == std::vector<std::uint64_t>{0});
}

TEST_CASE("a packet in four is acknowledged, and the rest after the delay", "[protocol]") {
    Setup setup;
    setup.protocol.ack_delay = 100_us;
    for (std::uint64_t const every : {1, 2, 4, 8}) {
        setup.protocol.ack_every = every;
        Pair pair(setup, packets(16));
        pair.sim.run();
        pair.check_delivered();
        CHECK(pair.b.counters().acknowledgements == 16 / every);
    }
    // Two packets of a message of three: no reason to answer but the delay, counted from the first of them.
    setup.protocol.ack_every = 4;
    setup.protocol.ack_delay = 10_us;
    auto offers = packets(2);
    offers[1].tag.last_of_message = false;
    Pair pair(setup, offers);
    pair.sim.run();
    CHECK(pair.b.counters().acknowledgements == 1);
    CHECK(pair.a.counters().timeouts == 0);
    CHECK(pair.done.empty());
    // First packet checked at 755 ns; acknowledgement of 13.76 ns, flight 25 ns, check 30 cycles: 829 ns and the delay.
    CHECK(sc_core::sc_time_stamp() >= to_sc_time(10_us + 755_ns + 38.76_ns));
}

// A window of w packets is open again when the acknowledgement of its first packet is back:
//   frame 669.12 + 25, whole at edge 695 of the sender's departure (30 + 695 = 725), checked at 755;
//   acknowledgement 13.76 + 25 = 793.76, at edge 794 + 30 = 824: 824 - 30 = 794 ns after the packet was sent.
TEST_CASE("a window below the bandwidth-delay product carries a window per round trip", "[protocol]") {
    Setup setup;
    setup.protocol.ack_every = 1;
    auto const time_of = [&](std::uint64_t window, Duration propagation) {
        setup.protocol.window = window;
        setup.there.propagation = setup.back.propagation = propagation;
        Pair pair(setup, packets(101));
        pair.sim.run();
        pair.check_delivered();
        return pair.sink.arrivals.back().tail - pair.sink.arrivals.front().tail;
    };
    CHECK(time_of(1, 25_ns) == 794_ns * 100);
    // 10 us each way: the round trip is 794 + 2 * 9975 = 20744 ns; a window of 20 sends 5 windows in 5 round trips.
    CHECK(time_of(1, 10_us) == 20744_ns * 100);
    CHECK(time_of(20, 10_us) == 20744_ns * 5);
    // Above the bandwidth-delay product (31.0 packets) the link is the limit: 100 frames, and one edge at the end.
    Duration const frames = Duration{669'120'000} * 100;
    for (std::uint64_t const window : {40, 100}) {
        CHECK(time_of(window, 10_us) >= frames);
        CHECK(time_of(window, 10_us) <= frames + 1_ns);
    }
}

TEST_CASE("lost and damaged frames are sent again and the data still arrive in order", "[protocol]") {
    struct Case {
        double loss;
        double errors;
        double lost_acknowledgements;
    };
    for (Case const& c : {Case{1e-3, 0, 0}, Case{1e-2, 0, 0}, Case{0.2, 0, 0}, Case{0, 1e-6, 0}, Case{0, 1e-5, 1e-5},
                          Case{0, 0, 0.2}, Case{0.1, 1e-6, 0.1}}) {
        for (std::uint16_t const queue_pairs : {1, 3}) {
            CAPTURE(c.loss, c.errors, c.lost_acknowledgements, queue_pairs);
            Setup setup;
            setup.there.loss = c.loss;
            setup.there.bit_error_rate = c.errors;
            setup.back.loss = c.lost_acknowledgements;
            setup.protocol.timeout = 20_us;
            Pair pair(setup, packets(1000, 512, queue_pairs));
            pair.sim.run();
            pair.check_delivered();
            CHECK(pair.done.size() == queue_pairs);
            auto const& a = pair.a.counters();
            auto const& b = pair.b.counters();
            if (c.loss >= 1e-2 || c.errors > 0) CHECK(pair.there.lost() + b.damaged > 0);
            if (pair.there.lost() + b.damaged > 0) CHECK(a.resent > 0);
            CHECK(a.frames_sent == 1000 + a.resent);
            CHECK(a.frames_sent == 1000 + pair.there.lost() + b.damaged + b.duplicates + b.out_of_order);
            CHECK(b.damaged == pair.there.damaged());
        }
    }
}

TEST_CASE("buffers of one or two packets lose nothing and stop nothing", "[protocol]") {
    for (std::uint64_t const window : {1, 2, 64}) {
        for (std::uint64_t const buffer : {1, 2, 3}) {
            for (double const loss : {0.0, 0.05}) {
                CAPTURE(window, buffer, loss);
                Setup setup;
                setup.protocol.window = window;
                setup.protocol.tx_buffer = setup.protocol.rx_buffer = buffer;
                setup.protocol.timeout = 20_us;
                setup.there.loss = setup.back.loss = loss;
                Pair pair(setup, packets(200, 700, 2));
                pair.sink.ready = [](std::size_t n) { return n % 50 == 0 ? now() + 3_us : 0_ns; };
                pair.sim.run();
                pair.check_delivered();
                CHECK(pair.b.receive_stats().most_inside <= buffer);
                CHECK(pair.a.send_stats().most_inside <= buffer);
            }
        }
    }
}

// Two packets of the receiver's buffer wait for a sink that takes one per millisecond: the third waits on the link.
TEST_CASE("a full receive buffer pauses the link, also when the receiver announces its slots ahead", "[protocol]") {
    Setup setup;
    setup.protocol.rx_buffer = 2;
    setup.protocol.timeout = 100_ms;
    Pair pair(setup, packets(20));
    pair.sink.ready = [](std::size_t n) { return 1_ms * n; };
    pair.sim.run();
    pair.check_delivered();
    CHECK(pair.b.receive_stats().most_inside == 2);
    CHECK(pair.there.stats().most_inside > 2);
}

TEST_CASE("a link that loses everything ends with an error that names the packet", "[protocol]") {
    Setup setup;
    setup.there.loss = 1;
    setup.protocol.timeout = 10_us;
    setup.protocol.retries = 5;
    Pair pair(setup, packets(3));
    std::string message;
    try {
        sc_core::sc_start();
    } catch (sc_core::sc_report const& report) {
        message = report.get_msg();
    }
    CHECK(message.find("a: queue pair 0: packet 0 was not acknowledged after 5 time-outs of 10 us") !=
          std::string::npos);
    // Sent at 30 ns; the sixth time-out in a row is one too many.
    CHECK(sc_core::sc_time_stamp() == to_sc_time(60_us + 30_ns));
}
