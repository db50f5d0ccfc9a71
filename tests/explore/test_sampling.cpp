#include <map>
#include <set>

#include "support/catch.h"
#include "tools/explore/sweep/sampling.h"

using namespace netzip;

// Reference output of the published SplitMix64 for seed 1234567.
TEST_CASE("the sample source is SplitMix64", "[sampling]") {
    SampleSource source(1234567);
    CHECK(source.next() == 6457827717110365317u);
    CHECK(source.next() == 3203168211198807973u);
    CHECK(source.next() == 9817491932198370423u);
}

TEST_CASE("a Latin hypercube has one sample in each stratum of each dimension", "[sampling]") {
    std::size_t const n = 50;
    auto const rows = latin_hypercube_positions(7, n, 3);
    for (std::size_t d = 0; d < 3; ++d) {
        std::set<int> strata;
        for (auto const& row : rows) strata.insert(static_cast<int>(row[d] * static_cast<double>(n)));
        CHECK(strata.size() == n);
        CHECK(*strata.rbegin() == static_cast<int>(n) - 1);
    }
}

TEST_CASE("positions map to values of the range on its step, ends included", "[sampling]") {
    SampleRange const clock{"200 MHz", "400 MHz", "100 MHz", false};
    CHECK(value_at(clock, 0.0) == "200 MHz");
    CHECK(value_at(clock, 0.34) == "300 MHz");
    CHECK(value_at(clock, 0.999) == "400 MHz");
    SampleRange const engines{"1", "4", "", false};
    std::map<std::string, int> count;
    for (int i = 0; i < 400; ++i) ++count[value_at(engines, i / 400.0)];
    CHECK(count == std::map<std::string, int>{{"1", 100}, {"2", 100}, {"3", 100}, {"4", 100}});
    // Geometric middle of 1 KiB and 4 KiB.
    CHECK(value_at({"1 KiB", "4 KiB", "", true}, 0.5) == "2 KiB");
    CHECK(value_at({"0.5", "1.5", "", false}, 0.25) == "0.75");
    CHECK(value_at({"-3", "3", "", false}, 0.0) == "-3");
}

TEST_CASE("a range whose step does not reach its end stays inside", "[sampling]") {
    // 10, 14, 18: the next step would be 22.
    CHECK(value_at({"10", "20", "4", false}, 0.999) == "18");
    CHECK(value_at({"10 ns", "100 ns", "40 ns", true}, 0.999) == "90 ns");
}
