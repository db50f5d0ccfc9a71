#include <random>

#include "models/timing/stage_timing.h"
#include "support/beat_reference.h"
#include "support/catch.h"

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
    std::size_t stamps = 0;
    std::size_t different = 0;
    std::uint64_t largest = 0;

    void add(std::vector<std::vector<BeatStamps>> const& a, std::vector<std::vector<BeatStamps>> const& b) {
        auto const check = [this](std::uint64_t x, std::uint64_t y) {
            ++stamps;
            if (x != y) ++different;
            largest = std::max(largest, x > y ? x - y : y - x);
        };
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
    CAPTURE(comparison.stamps, comparison.largest);
    CHECK(comparison.different == 0);
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
    CAPTURE(comparison.stamps, comparison.largest);
    CHECK(comparison.different == 0);
}
