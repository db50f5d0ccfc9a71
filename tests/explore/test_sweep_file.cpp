#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "support/catch.h"
#include "tools/explore/sweep/sweep_file.h"

using namespace netzip;

namespace {

SweepFile read(std::string const& text) {
    auto const path = std::filesystem::temp_directory_path() / "netzip_test_sweep.toml";
    std::ofstream(path) << text;
    return read_sweep_file(path);
}

std::string problems(std::string const& text) {
    try {
        read(text);
    } catch (UsageError const& error) {
        return error.what();
    }
    return "";
}

bool contains(std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the points of a sweep are all combinations of its factors, the first varying slowest", "[sweep]") {
    auto const sweep = read(R"(# Question: what is it
# worth?

base = "a.toml"
[set]
common = true
[grid]
nic.engines = [2, 1]
"nic.clock" = ["300 MHz", "1 GHz"]
[[zip]]
x = [1, 2]
y = ["p", "q"]
)");
    CHECK(sweep.question == "Question: what is it worth?");
    CHECK(sweep.axes == std::vector<std::string>{"nic.engines", "nic.clock", "x", "y"});
    REQUIRE(sweep.points.size() == 2 * 2 * 2);
    CHECK(point_key(sweep.points[0].axes) == "nic.engines=2, nic.clock=300 MHz, x=1, y=p");
    CHECK(point_key(sweep.points[1].axes) == "nic.engines=2, nic.clock=300 MHz, x=2, y=q");
    CHECK(point_key(sweep.points[7].axes) == "nic.engines=1, nic.clock=1 GHz, x=2, y=q");
    CHECK(sweep.points[7].index == 7);
    REQUIRE(sweep.fixed.size() == 1);
    CHECK(sweep.fixed[0].value == "true");
}

TEST_CASE("explicit points are taken as they stand and equal ones only once", "[sweep]") {
    auto const sweep = read("base=\"a\"\n[[points]]\na=1\nb=2\n[[points]]\na=3\n[[points]]\na=1\nb=2\n");
    REQUIRE(sweep.points.size() == 2);
    CHECK(sweep.duplicates == 1);
    CHECK(point_key(sweep.points[1].axes) == "a=3");
}

TEST_CASE("every problem of a sweep file is named in one pass with its place", "[sweep]") {
    auto const text = problems(R"(base = "a"
gridd = 1
[grid]
a = []
b = [{c = 1}]
[[zip]]
c = [1, 2]
d = [1]
[[zip]]
c = [3]
[random]
seed = 1
samples = 2
e = {from = 4, to = 2}
f = {from = "1 KiB", to = "1 ns"}
g = {from = 0, to = 2, scale = "log"}
h = {from = 0, to = 2, stepp = 1}
)");
    CHECK(contains(text, ":2:9: gridd: unknown key (did you mean \"grid\"?)"));
    CHECK(contains(text, ":4:5: a: expected at least one value"));
    CHECK(contains(text, "b: expected a value, got a table"));
    CHECK(contains(text, "d: expected 2 values"));
    CHECK(contains(text, "c: set twice in this sweep"));
    CHECK(contains(text, "e: from 4 is above to 2"));
    CHECK(contains(text, "f: expected two numbers or two quantities of one kind"));
    CHECK(contains(text, "g: a logarithmic range starts above zero"));
    CHECK(contains(text, "h.stepp: unknown key (did you mean \"step\"?)"));
    CHECK(contains(problems("[grid]\na=[1]\n"), "base: expected the path of an experiment"));
    CHECK(contains(problems("base=\"a\"\n"), "expected at least one of [grid]"));
    CHECK(contains(problems("base=\"a\"\n[random]\nsamples=2\na={from=1,to=2}\n"), "seed: expected a whole number"));
    CHECK(contains(problems("base=\n"), ":1:"));
}

TEST_CASE("a list is a value like any other, in a sweep file as in an experiment", "[sweep]") {
    auto const sweep =
        read("base=\"a\"\n[set]\nfiles=[\"one\", \"two, three\"]\n[grid]\nkinds=[[\"x\"], [\"y\", \"z\"]]\n");
    REQUIRE(sweep.fixed.size() == 1);
    CHECK(sweep.fixed[0].value == R"(["one", "two, three"])");
    REQUIRE(sweep.points.size() == 2);
    CHECK(sweep.points[1].axes.at(0).value == R"(["y", "z"])");
}

TEST_CASE("a sweep file that cannot be read is an input error", "[sweep]") {
    CHECK_THROWS_AS(read_sweep_file("/nonexistent/sweep.toml"), InputError);
    CHECK_THROWS_AS(read_sweep_file("/tmp"), InputError);
}

TEST_CASE("samples are the same for the same seed and others for another", "[sweep]") {
    std::string const head =
        "base=\"a\"\n[random]\nsamples=8\na={from=\"200 MHz\",to=\"400 MHz\",step=\"10 MHz\"}\nseed=";
    CHECK(read(head + "3").points[5].axes == read(head + "3").points[5].axes);
    CHECK_FALSE(read(head + "3").points[5].axes == read(head + "4").points[5].axes);
}

TEST_CASE("shards count from zero and divide the points without gap or overlap", "[sweep]") {
    CHECK_THROWS_AS(parse_shard("3/3"), UsageError);
    CHECK_THROWS_AS(parse_shard("0/0"), UsageError);
    CHECK_THROWS_AS(parse_shard("-1/2"), UsageError);
    CHECK_THROWS_AS(parse_shard("1"), UsageError);
    CHECK_THROWS_AS(parse_shard("1/2 "), UsageError);
    for (std::uint64_t i = 0; i < 10; ++i) {
        int holders = 0;
        for (auto const* text : {"0/3", "1/3", "2/3"}) holders += parse_shard(text).holds(i) ? 1 : 0;
        CHECK(holders == 1);
    }
}
