#include <algorithm>
#include <random>
#include <sstream>

#include "models/timing/stage_timing.h"
#include "support/beat_reference.h"
#include "support/catch.h"
#include "support/documented_table.h"

using namespace netzip;
using namespace netzip::literals;
using namespace netzip::test;

namespace {

constexpr Frequency kClock{1'000'000'000};

Duration at(std::uint64_t cycle) {
    return 1_ns * cycle;
}
std::uint64_t cycle(Duration time) {
    return time.count() / (1_ns).count();
}

/// The packet recurrence of a whole chain: what the SystemC stages compute between them.
std::vector<std::vector<BeatStamps>> recurrence(std::vector<BeatStage> const& stages,
                                                std::vector<BeatPacket> const& packets) {
    std::vector<StageTimer> timers;
    for (auto const& s : stages) {
        StageConfig config;
        config.width = Bytes{s.width};
        config.latency = Cycles{s.latency};
        config.slots = s.slots;
        config.release_early = Cycles{s.release_early};
        config.admission = s.store ? Admission::store_and_forward : Admission::cut_through;
        timers.emplace_back(config, kClock);
    }
    std::vector<std::vector<BeatStamps>> stamps(stages.size() + 1, std::vector<BeatStamps>(packets.size()));
    std::uint64_t source_free = 0;
    for (std::size_t n = 0; n < packets.size(); ++n) {
        auto const& p = packets[n];
        Duration head = std::max({at(p.offered), at(source_free), timers[0].next_slot()});
        Duration tail = head + at(beats(p.bytes, p.pace).count());
        source_free = cycle(tail);
        stamps[0][n] = {cycle(head), cycle(tail)};
        for (std::size_t i = 0; i < timers.size(); ++i) {
            std::uint64_t const in = p.bytes + i * p.added;
            StageTimes times = timers[i].admit(head, tail, in, in + p.added);
            Duration const ready = i + 1 < timers.size() ? timers[i + 1].next_slot() : at(p.sink_ready);
            times = timers[i].depart(times, in + p.added, ready);
            head = times.head_out;
            tail = times.tail_out;
            stamps[i + 1][n] = {cycle(head), cycle(tail)};
        }
    }
    return stamps;
}

struct Comparison {
    std::size_t packets = 0;
    std::size_t stamps = 0;
    std::size_t different = 0;
    std::uint64_t largest = 0;

    std::string row(char const* what) const {
        std::ostringstream out;
        out << "| " << what << " | " << packets << " | " << stamps << " | " << different << " |\n";
        return out.str();
    }
    void add(std::vector<std::vector<BeatStamps>> const& a, std::vector<std::vector<BeatStamps>> const& b) {
        auto const check = [this](std::uint64_t x, std::uint64_t y) {
            ++stamps;
            if (x != y) ++different;
            largest = std::max(largest, x > y ? x - y : y - x);
        };
        packets += a[0].size();
        for (std::size_t i = 0; i < a.size(); ++i) {
            for (std::size_t n = 0; n < a[i].size(); ++n) {
                check(a[i][n].head, b[i][n].head);
                check(a[i][n].tail, b[i][n].tail);
            }
        }
    }
};

class Scenario {
public:
    explicit Scenario(std::uint64_t seed) : random_(seed) {}

    std::uint64_t pick(std::uint64_t low, std::uint64_t high) {
        return std::uniform_int_distribution<std::uint64_t>(low, high)(random_);
    }
    BeatStage stage() {
        std::uint64_t const width = std::uint64_t{1} << pick(2, 6);
        return {width, pick(0, 40), pick(1, 4), pick(0, 3) == 0, pick(0, 8)};
    }
    std::vector<BeatPacket> packets(std::size_t count, std::uint64_t largest, std::uint64_t added) {
        std::vector<BeatPacket> packets;
        std::uint64_t time = 0;
        std::uint64_t sink = 0;
        for (std::size_t n = 0; n < count; ++n) {
            time += pick(0, 3) == 0 ? pick(0, 300) : 0;
            sink = std::max(sink, time) + (pick(0, 4) == 0 ? pick(0, 400) : 0);
            packets.push_back({time, std::uint64_t{1} << pick(3, 6), pick(1, largest), added, sink});
        }
        return packets;
    }

private:
    std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("a stage computes per packet what a loop over cycles computes", "[timing]") {
    Comparison comparison;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        Scenario scenario(seed);
        std::vector<BeatStage> const stages{scenario.stage()};
        auto const packets = scenario.packets(100, 2048, seed % 3 == 0 ? 2 : 0);
        comparison.add(BeatChain(stages, packets).run(), recurrence(stages, packets));
    }
    CAPTURE(comparison.largest);
    CHECK(comparison.different == 0);
    check_documented("validation.md", comparison.row("one stage"));
}

TEST_CASE("a chain of eight stages computes per packet what a loop over cycles computes", "[timing]") {
    Comparison comparison;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Scenario scenario(1000 + seed);
        std::vector<BeatStage> stages;
        for (int i = 0; i < 8; ++i) stages.push_back(scenario.stage());
        auto const packets = scenario.packets(100, 2048, 0);
        comparison.add(BeatChain(stages, packets).run(), recurrence(stages, packets));
    }
    CAPTURE(comparison.largest);
    CHECK(comparison.different == 0);
    check_documented("validation.md", comparison.row("chain of eight stages"));
}

TEST_CASE("the remembered edges are the exact edges, forwards and backwards, near and far", "[timing][clock]") {
    std::mt19937_64 random(3);
    for (Frequency f : {300_MHz, Frequency{644531250}, 1_GHz, Frequency{322265625}, Frequency{999999937}, Frequency{7},
                        Frequency{999'999'999'999'989}}) {
        EdgeCursor cursor(f);
        ClockDomain const clock(f);
        std::uint64_t time = 0;
        for (int i = 0; i < 3000; ++i) {
            std::uint64_t const step = std::uint64_t{1} << random() % 50;
            time = random() % 8 == 0 && time > step ? time - random() % step : time + random() % step;
            Duration const t{time};
            std::uint64_t const n = clock.index_at_or_after(t);
            REQUIRE(cursor.index(t) == n);
            REQUIRE(cursor.advance(t) == n);
            if (f.count() > 1000) REQUIRE(cursor.edge(n + random() % 1000) >= t);
            std::uint64_t const m = n + (f.count() > 1000 ? random() % 5000 : 0);
            REQUIRE(cursor.edge(m) == clock.edge(m));
        }
    }
}

// RTL of the grouper (64 beats in, 64 out, two halves): with n the packet and inclusive cycles,
//   head_in = max(offer, tail_in[n-1] + 1)          tail_in = max(head_in + 63, freed[n-2] + 62)
//   head_out = max(tail_in + 5, tail_out[n-1] + 1, sink_ready)    tail_out = head_out + 63    freed = tail_out - 2
// A stage whose halves are free 4 cycles early has the same tails: two beats of skid at the input, one at the output.
TEST_CASE("a double staging buffer has the times of the grouper's RTL", "[timing]") {
    Scenario scenario(77);
    StageConfig config;
    config.admission = Admission::store_and_forward;
    config.latency = Cycles{4};
    config.release_early = Cycles{4};
    config.slots = 2;
    StageTimer timer(config, kClock);
    std::int64_t tail_in_before = -1, tail_out_before = -1, offer = 0, sink = 0;
    std::array<std::int64_t, 2> freed{-1000, -1000};
    for (std::size_t n = 0; n < 20000; ++n) {
        offer += static_cast<std::int64_t>(scenario.pick(0, 1) == 0 ? scenario.pick(0, 200) : 0);
        sink = std::max(sink, offer) + static_cast<std::int64_t>(scenario.pick(0, 3) == 0 ? scenario.pick(0, 300) : 0);
        std::int64_t const head_in = std::max(offer, tail_in_before + 1);
        std::int64_t const tail_in = std::max(head_in + 63, freed[n % 2] + 62);
        std::int64_t const head_out = std::max({tail_in + 5, tail_out_before + 1, sink});
        std::int64_t const tail_out = head_out + 63;
        freed[n % 2] = tail_out - 2;
        tail_in_before = tail_in;
        tail_out_before = tail_out;

        // The stage admits whole packets: the head waits for the half, and the packet then never pauses.
        Duration const head = std::max(at(static_cast<std::uint64_t>(head_in)), timer.next_slot());
        StageTimes times = timer.admit(head, head + at(64), 4096, 4096);
        times = timer.depart(times, 4096, at(static_cast<std::uint64_t>(sink)));
        REQUIRE(cycle(head + at(64)) == static_cast<std::uint64_t>(tail_in + 1));
        REQUIRE(cycle(times.head_out) == static_cast<std::uint64_t>(head_out));
        REQUIRE(cycle(times.tail_out) == static_cast<std::uint64_t>(tail_out + 1));
    }
}

// Transmit: 4 + 10 + 6 + 6 before the compressor, 9 + 12 + 4 behind it: 51 cycles and, for two stages that store, twice
// the 64 beats of the packet. The compressor adds 119 cycles and makes the 170.
TEST_CASE("an empty chain delays a packet by its latencies and one packet time per store", "[timing]") {
    struct Step {
        std::uint64_t latency;
        bool store;
    };
    for (Frequency clock : {300_MHz, 1_GHz}) {
        Duration head{0};
        Duration tail = ClockDomain(clock).span(64_cycles);
        for (Step step : {Step{4, false}, Step{10, false}, Step{6, true}, Step{6, false}, Step{9, true},
                          Step{12, false}, Step{4, false}}) {
            StageConfig config;
            config.latency = Cycles{step.latency};
            config.admission = step.store ? Admission::store_and_forward : Admission::cut_through;
            StageTimer timer(config, clock);
            StageTimes const times = timer.admit(head, tail, 4096, 4096);
            head = times.head_out;
            tail = times.tail_out;
        }
        CHECK(head == ClockDomain(clock).edge(51 + 2 * 64));
        CHECK(tail == ClockDomain(clock).edge(51 + 3 * 64));
    }
}

// Widths 64, 16, 32 B per cycle at 1 GHz: 16 B per cycle, 256 cycles per packet of 4096 B.
TEST_CASE("the slowest stage of a chain sets its throughput", "[timing]") {
    std::vector<BeatStage> const stages{{64, 4, 2}, {16, 9, 2}, {32, 12, 2}};
    std::vector<BeatPacket> const packets(200, BeatPacket{0, 64, 4096, 0, 0});
    auto const stamps = recurrence(stages, packets).back();
    CHECK(stamps[199].tail - stamps[99].tail == 100 * 256);
    StageConfig config;
    config.width = Bytes{16};
    CHECK(StageTimer(config, 1_GHz).capacity(4096) == Approx(16e9));
}

TEST_CASE("wider stages, and more slots, never finish the traffic later", "[timing]") {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Scenario scenario(500 + seed);
        std::vector<BeatStage> stages;
        for (int i = 0; i < 4; ++i) stages.push_back(scenario.stage());
        auto const packets = scenario.packets(60, 2048, 0);
        std::uint64_t const before = recurrence(stages, packets).back().back().tail;
        for (std::size_t i = 0; i < stages.size(); ++i) {
            auto changed = stages;
            changed[i].width *= 2;
            CHECK(recurrence(changed, packets).back().back().tail <= before);
            changed = stages;
            changed[i].slots += 1;
            CHECK(recurrence(changed, packets).back().back().tail <= before);
        }
    }
}

namespace {

/// Beats of a packet that crosses from one clock to another, beat by beat: a beat is complete at the end of its cycle
/// and is seen `crossing` cycles later; one beat is taken per cycle. Returns start and end of the taking, in cycles.
BeatStamps cross(ClockDomain const& from, ClockDomain const& to, std::uint64_t first_edge, std::uint64_t count,
                 std::uint64_t crossing, std::uint64_t free) {
    BeatStamps stamps;
    std::uint64_t at = free;
    for (std::uint64_t k = 0; k < count; ++k) {
        std::uint64_t const seen = to.index_at_or_after(from.edge(first_edge + k + 1)) - 1 + crossing;
        at = std::max(at, seen);
        if (k == 0) stamps.head = at;
        stamps.tail = ++at;
    }
    return stamps;
}

}  // namespace

// Between clocks the recurrence sees a packet's head and tail, not each beat: it is off by the beats' phase.
TEST_CASE("between two clocks the packet recurrence is at most one cycle from a loop over beats", "[timing]") {
    std::mt19937_64 random(11);
    std::int64_t least = 0, most = 0;
    for (auto [a, b] : {std::pair{300_MHz, Frequency{322265625}}, std::pair{Frequency{322265625}, 300_MHz},
                        std::pair{250_MHz, 300_MHz}, std::pair{300_MHz, 250_MHz}, std::pair{200_MHz, 400_MHz},
                        std::pair{1_GHz, 300_MHz}}) {
        ClockDomain const from(a);
        ClockDomain const to(b);
        StageConfig config;
        config.clock = b;
        config.latency = Cycles{5};
        StageTimer timer(config, a, a);
        std::uint64_t edge = 0;
        std::uint64_t free = 0;
        for (int n = 0; n < 500; ++n) {
            edge += random() % 3 == 0 ? random() % 100 : 0;
            std::uint64_t const count = 1 + random() % 64;
            BeatStamps const expected = cross(from, to, edge, count, config.crossing.count(), free);
            StageTimes const times = timer.admit(from.edge(edge), from.edge(edge + count), 64 * count, 64 * count);
            for (auto [exact, got] : {std::pair{expected.head, times.start}, std::pair{expected.tail, times.taken}}) {
                auto const error =
                    static_cast<std::int64_t>(to.index_at_or_after(got)) - static_cast<std::int64_t>(exact);
                least = std::min(least, error);
                most = std::max(most, error);
            }
            free = expected.tail;
            edge += count;
        }
    }
    std::ostringstream row;
    row << "| clock crossing, six pairs of clocks | 3000 | " << least << " to " << most << " cycles |\n";
    check_documented("validation.md", row.str());
    CHECK(least >= -1);
    CHECK(most <= 1);
}
