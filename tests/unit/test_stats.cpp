#include <algorithm>
#include <fstream>
#include <limits>
#include <random>

#include "base/error.h"
#include "base/stats/samples.h"
#include "support/catch.h"
#include "support/temporary_directory.h"

using namespace netzip;
using namespace netzip::literals;

namespace {

StatsTable example() {
    StatsTable table;
    table.set("b", std::uint64_t{18446744073709551615u}, "packets", Better::lower);
    table.set("a.ratio", 0.1, "1", Better::higher, Provenance::derived);
    table.set("a.name", "tab\t\"q\" \xff \xc3\xa4", "");
    table.set("a.none", nullptr, "1");
    table.set("a.minus", std::int64_t{-3}, "packets");
    table.set("a.whole", 2.0, "1");
    table.set("time", 668'480_ps, Better::lower);
    return table;
}

std::string message(std::string const& text) {
    TemporaryDirectory directory;
    std::string const path = directory.path() + "/stats.json";
    std::ofstream(path) << text;
    try {
        read_stats(path);
    } catch (InputError const& error) {
        return std::string(error.what()).substr(directory.path().size() + 1);
    }
    return "";
}

std::string const kGood = R"("unit": "1", "provenance": "measured", "better": "none"})";

}  // namespace

TEST_CASE("statistics are written sorted, exact and with their unit", "[stats]") {
    CHECK(example().to_json() == R"({
  "a.minus": {"value": -3, "unit": "packets", "provenance": "measured", "better": "none"},
  "a.name": {"value": "tab\u0009\"q\" � ä", "unit": "", "provenance": "measured", "better": "none"},
  "a.none": {"value": null, "unit": "1", "provenance": "measured", "better": "none"},
  "a.ratio": {"value": 0.1, "unit": "1", "provenance": "derived", "better": "higher"},
  "a.whole": {"value": 2.0, "unit": "1", "provenance": "measured", "better": "none"},
  "b": {"value": 18446744073709551615, "unit": "packets", "provenance": "measured", "better": "lower"},
  "time": {"value": 668.48, "unit": "ns", "provenance": "measured", "better": "lower"}
}
)");
}

TEST_CASE("statistics that were written read back to the same bytes", "[stats]") {
    TemporaryDirectory directory;
    std::ofstream(directory.path() + "/stats.json") << example().to_json();
    CHECK(read_stats(directory.path()).to_json() == example().to_json());
    CHECK(read_stats(directory.path() + "/stats.json").number("a.minus") == -3.0);
}

TEST_CASE("a statistic is finite and written once", "[stats]") {
    StatsTable table = example();
    CHECK_THROWS_AS(table.set("b", 1.0, "1"), RunError);
    CHECK_THROWS_AS(table.set("nan", std::numeric_limits<double>::quiet_NaN(), "1"), RunError);
    CHECK_THROWS_AS(table.set("inf", std::numeric_limits<double>::infinity(), "1"), RunError);
    CHECK_THROWS_AS(table.number("a.name"), RunError);
    CHECK_THROWS_AS(table.number("missing"), RunError);
}

TEST_CASE("damaged statistics are named with place and reason", "[stats]") {
    CHECK(message("") == "stats.json: is empty");
    CHECK(message("[]") == "stats.json: expected an object of statistics");
    CHECK(message("{}") == "stats.json: holds no statistic");
    CHECK(message("{\"a\": {\"value\": 1, " + kGood).starts_with("stats.json: is not JSON: "));
    CHECK(message("{\"a\": 3}") == "stats.json: a: expected an object, got 3");
    CHECK(message("{\"a\": {" + kGood + "}") == "stats.json: a: expected a member \"value\"");
    CHECK(message("{\"a\": {\"value\": [1], " + kGood + "}") ==
          "stats.json: a: value: expected a number, a text or null, got [1]");
    CHECK(message(R"({"a": {"value": 1, "unit": "1", "provenance": "guess", "better": "none"}})") ==
          "stats.json: a: provenance: expected one of measured, calibrated, assumed, derived, quoted, got \"guess\"");
    CHECK(message("{\"a\": {\"value\": 1, " + kGood + ", \"a\": {\"value\": 2, " + kGood + "}") ==
          "stats.json: a: is there twice");
}

// Nearest rank of 1..10: p50 is the 5th, p90 the 9th, p99 and above the 10th; mean 55 / 10.
TEST_CASE("percentiles are nearest ranks", "[stats]") {
    Samples samples;
    for (std::uint64_t value : {7, 1, 10, 3, 5, 2, 9, 4, 8, 6}) samples.add(value);
    CHECK(samples.count() == 10);
    CHECK(samples.min() == 1);
    CHECK(samples.percentile(50, 100) == 5);
    CHECK(samples.percentile(51, 100) == 6);
    CHECK(samples.percentile(90, 100) == 9);
    CHECK(samples.percentile(99, 100) == 10);
    CHECK(samples.percentile(0, 100) == 1);
    CHECK(samples.max() == 10);
    CHECK(samples.mean() == 5.5);
    CHECK_THROWS_AS(Samples().max(), RunError);
}

TEST_CASE("percentiles of many samples equal those of a sorted list", "[stats]") {
    std::mt19937_64 random(1);
    for (std::uint64_t const different : {3u, 1000u, 1u << 30}) {
        Samples samples;
        std::vector<std::uint64_t> list;
        for (int i = 0; i < 100'000; ++i) {
            list.push_back(random() % different);
            samples.add(list.back());
        }
        Samples twice;
        twice.add(samples);
        std::sort(list.begin(), list.end());
        for (std::size_t permille : {1u, 10u, 500u, 900u, 990u, 999u, 1000u}) {
            CHECK(samples.percentile(permille, 1000) == list[permille * 100 - 1]);
            CHECK(twice.percentile(permille, 1000) == list[permille * 100 - 1]);
        }
    }
}

TEST_CASE("the mean of large samples loses no digit", "[stats]") {
    Samples samples;
    std::uint64_t const large = 1ull << 62;
    for (int i = 0; i < 8; ++i) samples.add(large);
    CHECK(samples.mean() == static_cast<double>(large));
}

TEST_CASE("a distribution is written with its count, and only with it when empty", "[stats]") {
    StatsTable table;
    Samples().write(table, "none", "B");
    CHECK(table.entries().size() == 1);
    CHECK(table.number("none.count") == 0);
    Samples samples;
    for (int i = 0; i < 3; ++i) samples.add(1500_ns);
    samples.write_times(table, "latency");
    CHECK(table.number("latency.count") == 3);
    for (char const* key : {"min", "mean", "p50", "p90", "p99", "p999", "max"}) {
        CHECK(table.number(std::string("latency.") + key) == 1500.0);
        CHECK(table.find(std::string("latency.") + key)->unit == "ns");
    }
}

TEST_CASE("an estimate outside the range of its source is marked in JSON and read back marked", "[stats]") {
    netzip::StatsTable inside;
    inside.set("cost.area", 1.5, "mm2", netzip::Better::lower, netzip::Provenance::quoted);
    CHECK(inside.to_json().find("out_of_range") == std::string::npos);
    netzip::StatsTable table = inside;
    table.mark_out_of_range("cost.area");
    CHECK(table.to_json().find("\"out_of_range\": true") != std::string::npos);
    CHECK_FALSE(table == inside);
    netzip::StatsTable joined;
    joined.add("run.", table);
    CHECK(joined.find("run.cost.area")->out_of_range);
}
