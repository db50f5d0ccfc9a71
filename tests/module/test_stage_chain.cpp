#include <memory>
#include <random>

#include "pipeline/stage_chain.h"
#include "support/catch.h"
#include "support/stream_ends.h"

using namespace netzip;
using namespace netzip::literals;
using namespace netzip::test;

namespace {

constexpr Frequency kClock{1'000'000'000};

struct Result {
    std::vector<BeatStamps> source;
    std::vector<BeatStamps> sink;
};

/// `cuts` bit i: stage i begins a chain of its own, behind sockets.
Result simulate(std::vector<BeatStage> const& stages, std::uint64_t cuts, std::vector<BeatPacket> packets,
                bool source_events, bool sink_events) {
    sc_core::sc_get_curr_simcontext()->reset();
    set_time_resolution();
    // A sink that is not ready from the start shows in its answer to the packet before: there is none before the first.
    packets[0].sink_ready = 0;
    PayloadPool pool;
    Result result;
    {
        Source source("source", pool, packets, source_events);
        Sink sink("sink", packets, sink_events);
        std::vector<std::unique_ptr<StageChain>> chains;
        for (std::size_t i = 0; i < stages.size(); ++i) {
            BeatStage const& s = stages[i];
            StageConfig config;
            config.width = Bytes{s.width};
            config.latency = Cycles{s.latency};
            config.slots = s.slots;
            config.release_early = Cycles{s.release_early};
            config.admission = s.store ? Admission::store_and_forward : Admission::cut_through;
            std::string const name = "stage_" + std::to_string(i);
            if (i == 0 || ((cuts >> i) & 1) != 0) {
                chains.push_back(std::make_unique<StageChain>(name.c_str()));
                (chains.size() == 1 ? source.out : chains[chains.size() - 2]->out).bind(chains.back()->in);
            }
            chains.back()->add<Stage>(name, Station::tx_demux, config, kClock);
        }
        chains.back()->out.bind(sink.in);
        sc_core::sc_start();
        result = {source.stamps, sink.stamps};
    }
    CHECK(pool.live() == 0);
    return result;
}

std::size_t differences(std::vector<BeatStamps> const& a, std::vector<BeatStamps> const& b) {
    if (a.size() != b.size()) return std::max(a.size(), b.size());
    std::size_t n = 0;
    for (std::size_t i = 0; i < a.size(); ++i) n += (a[i].head != b[i].head) + (a[i].tail != b[i].tail);
    return n;
}

}  // namespace

TEST_CASE("chains of stages have the times of a loop over cycles", "[timing][pipeline]") {
    std::size_t packets_compared = 0;
    std::size_t different = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::mt19937_64 random(seed);
        auto const pick = [&](std::uint64_t low, std::uint64_t high) {
            return std::uniform_int_distribution<std::uint64_t>(low, high)(random);
        };
        std::vector<BeatStage> stages(seed % 4 == 0 ? 1 : pick(2, 8));
        for (auto& s : stages) {
            s = {std::uint64_t{1} << pick(2, 6), pick(0, 40), pick(1, 4), pick(0, 3) == 0, pick(0, 8)};
        }
        std::vector<BeatPacket> packets;
        std::uint64_t time = 0;
        std::uint64_t ready = 0;
        for (int n = 0; n < 100; ++n) {
            time += pick(0, 3) == 0 ? pick(0, 300) : 0;
            ready = std::max(ready, time) + (pick(0, 4) == 0 ? pick(0, 400) : 0);
            packets.push_back({time, std::uint64_t{1} << pick(3, 6), pick(1, 2048), 0, n == 0 ? 0 : ready});
        }
        auto const expected = BeatChain(stages, packets).run();
        Result const result = simulate(stages, seed % 5 == 0 ? 0 : random(), packets, seed % 2 == 1, seed % 3 == 1);
        packets_compared += packets.size();
        different += differences(expected.front(), result.source) + differences(expected.back(), result.sink);
    }
    CAPTURE(packets_compared);
    CHECK(different == 0);
}
