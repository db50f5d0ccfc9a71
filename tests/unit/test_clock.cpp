#include "base/clock.h"
#include "support/catch.h"

using namespace netzip;
using namespace netzip::literals;

// 10^9 cycles of f Hz take 10^24 / f femtoseconds: 300 MHz 3.333.. s, 644.53125 MHz 1.551515151.. s, 1 GHz 1 s.
TEST_CASE("a clock does not drift over a thousand million cycles", "[clock]") {
    CHECK(ClockDomain(300_MHz).edge(1'000'000'000) == Duration{3'333'333'333'333'334});
    CHECK(ClockDomain(Frequency{644531250}).edge(1'000'000'000) == Duration{1'551'515'151'515'152});
    CHECK(ClockDomain(1_GHz).edge(1'000'000'000) == Duration{1'000'000'000'000'000});
    CHECK(ClockDomain(300_MHz).edge(3'000'000) == 10_ms);  // every third edge is on a whole 10 ns
}

TEST_CASE("the first edge at or after an edge is that edge, and one femtosecond later is the next", "[clock]") {
    for (Frequency f : {300_MHz, Frequency{644531250}, 1_GHz, Frequency{322265625}, Frequency{1}}) {
        ClockDomain const clock(f);
        for (std::uint64_t n : {0ull, 1ull, 2ull, 3ull, 999ull, 10'000ull, 12'345ull}) {
            CHECK(clock.index_at_or_after(clock.edge(n)) == n);
            CHECK(clock.index_at_or_after(clock.edge(n) + 1_fs) == n + 1);
        }
    }
}
