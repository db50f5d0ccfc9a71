#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "support/catch.h"
#include "tools/explore/compare/comparison.h"
#include "tools/explore/compare/comparison_text.h"

using namespace netzip;

namespace {

ResultSet base() {
    ResultSet set;
    set.name = "base";
    set.identity = {{"link.rate", "50 Gb/s"}, {"workload.recording", "sha256:ab"}};
    set.statistics.set("summary.time", std::uint64_t{1000}, "ns", Better::lower);
    set.statistics.set("summary.ratio", 0.75, "1", Better::lower);
    set.statistics.set("summary.goodput", 50.0, "Gb/s", Better::higher);
    set.statistics.set("stage.bottleneck", std::string("compressor"), "");
    set.statistics.set("stage.packets", std::uint64_t{64}, "packets");
    set.statistics.set("stage.wait", nullptr, "ns", Better::lower);
    return set;
}

/// `base()` with one statistic replaced.
ResultSet with(std::string const& name, StatValue const& value, std::string const& unit, Better better = Better::none) {
    ResultSet set = base();
    set.name = "new";
    StatsTable table;
    for (auto const& [other, stat] : set.statistics.entries()) {
        if (other != name) table.set(other, stat.value, stat.unit, stat.better, stat.provenance);
    }
    table.set(name, value, unit, better);
    set.statistics = table;
    return set;
}

Change change_of(ResultSet const& now, std::string const& name, Tolerances const& tolerances = {}) {
    Tolerances const& kept = tolerances;
    for (auto const& difference : compare(base(), now, kept).all) {
        if (difference.name == name) return difference.change;
    }
    throw RunError(name + " was not compared");
}

Tolerances read(std::string const& text) {
    auto const path = std::filesystem::temp_directory_path() / "netzip_test_tolerances.toml";
    std::ofstream(path) << text;
    return read_tolerances(path);
}

}  // namespace

TEST_CASE("equal results are clean", "[compare]") {
    auto const result = compare(base(), base(), {});
    CHECK(result.clean());
    CHECK(result.all.size() == 6);
    CHECK(result.count.at(Change::same) == 6);
}

TEST_CASE("which way is worse is the statistic's own", "[compare]") {
    CHECK(change_of(with("summary.time", std::uint64_t{1001}, "ns", Better::lower), "summary.time") ==
          Change::regression);
    CHECK(change_of(with("summary.time", std::uint64_t{999}, "ns", Better::lower), "summary.time") ==
          Change::improvement);
    CHECK(change_of(with("summary.goodput", 49.0, "Gb/s", Better::higher), "summary.goodput") == Change::regression);
    CHECK(change_of(with("summary.goodput", 51.0, "Gb/s", Better::higher), "summary.goodput") == Change::improvement);
    CHECK(change_of(with("stage.packets", std::uint64_t{65}, "packets"), "stage.packets") == Change::changed);
    CHECK(change_of(with("stage.bottleneck", std::string("link"), ""), "stage.bottleneck") == Change::changed);
}

TEST_CASE("an improvement is not clean, because the baseline is out of date", "[compare]") {
    auto const result = compare(base(), with("summary.time", std::uint64_t{999}, "ns", Better::lower), {});
    CHECK_FALSE(result.clean());
    CHECK(result.only_improvements());
    CHECK_FALSE(compare(base(), with("stage.packets", std::uint64_t{65}, "packets"), {}).only_improvements());
}

TEST_CASE("whole numbers are compared to the last unit, beyond what a double holds", "[compare]") {
    ResultSet a;
    ResultSet b;
    a.statistics.set("time", (std::uint64_t{1} << 62) + 1, "fs", Better::lower);
    b.statistics.set("time", std::uint64_t{1} << 62, "fs", Better::lower);
    CHECK(compare(a, b, {}).all.front().change == Change::improvement);
    CHECK(compare(b, a, {}).all.front().change == Change::regression);
}

TEST_CASE("missing, new and null statistics and other units are differences", "[compare]") {
    ResultSet now = base();
    now.statistics = {};
    now.statistics.set("summary.time", std::uint64_t{1000}, "us", Better::lower);
    now.statistics.set("summary.ratio", nullptr, "1", Better::lower);
    now.statistics.set("summary.extra", 1.0, "1");
    CHECK(change_of(now, "summary.time") == Change::unit_changed);
    CHECK(change_of(now, "summary.ratio") == Change::not_a_number);
    CHECK(change_of(now, "summary.extra") == Change::added);
    CHECK(change_of(now, "stage.packets") == Change::missing);
    CHECK(change_of(base(), "stage.wait") == Change::same);
}

// 1000 -> 1015 is 1.5 % and 15 ns: within 2 %, within 20 ns, beyond only when both are smaller.
TEST_CASE("a number has moved only when both its tolerances are exceeded", "[compare]") {
    auto const now = with("summary.time", std::uint64_t{1015}, "ns", Better::lower);
    auto const change = [&](double relative, double absolute) {
        return change_of(now, "summary.time", Tolerances({{"summary.*", relative, absolute, "test"}}));
    };
    CHECK(change(0.01, 10) == Change::regression);
    CHECK(change(0.02, 10) == Change::tolerated);
    CHECK(change(0.01, 20) == Change::tolerated);
    CHECK(change(0.015, 0) == Change::tolerated);
    CHECK(change(0.01, 15) == Change::tolerated);
}

TEST_CASE("a tolerance covers what its pattern matches, the first of the list, and says when it matches nothing",
          "[compare]") {
    CHECK(matches("a*c", "abc"));
    CHECK(matches("a*c", "abcc"));
    CHECK(matches("*.power", "cost.tx.power"));
    CHECK_FALSE(matches("*.power", "cost.power.total"));
    CHECK(matches("*", ""));
    CHECK_FALSE(matches("a", "ab"));
    Tolerances const list({{"summary.time", 0, 0, "a"}, {"summary.*", 1, 1, "b"}, {"nothing.*", 0, 0, "c"}});
    CHECK(list.find("summary.time")->reason == "a");
    CHECK(list.find("summary.ratio")->reason == "b");
    CHECK(list.find("stage") == nullptr);
    CHECK(compare(base(), base(), list).unused_tolerances == std::vector<std::string>{"nothing.*"});
}

TEST_CASE("differences are sorted: worse first, summaries first, then by size", "[compare]") {
    ResultSet now = with("summary.ratio", 0.76, "1", Better::lower);
    ResultSet from = base();
    from.statistics.set("a.small", 100.0, "ns", Better::lower);
    from.statistics.set("b.large", 100.0, "ns", Better::lower);
    from.statistics.set("c.better", 100.0, "ns", Better::lower);
    now.statistics.set("a.small", 101.0, "ns", Better::lower);
    now.statistics.set("b.large", 200.0, "ns", Better::lower);
    now.statistics.set("c.better", 50.0, "ns", Better::lower);
    auto const result = compare(from, now, {});
    std::vector<std::string> names;
    for (std::size_t i = 0; i < 4; ++i) names.push_back(result.all[i].name);
    CHECK(names == std::vector<std::string>{"summary.ratio", "b.large", "a.small", "c.better"});
}

TEST_CASE("results of different things name the first key that differs", "[compare]") {
    ResultSet now = base();
    now.name = "new";
    CHECK(first_identity_difference(base(), now).empty());
    now.identity["workload.recording"] = "sha256:cd";
    CHECK(first_identity_difference(base(), now) == "workload.recording: \"sha256:ab\" in base, \"sha256:cd\" in new");
    now.identity["extra"] = "1";
    CHECK(first_identity_difference(base(), now) == "extra: not set in base, \"1\" in new");
}

TEST_CASE("a tolerance without a limit or a reason is refused", "[compare]") {
    CHECK(read("[[tolerance]]\npattern='a'\nrelative=0.1\nabsolute=1\nreason='noise'\n").list().size() == 1);
    try {
        read("[[tolerance]]\npatern='a'\nrelative=-1\n[other]\n");
        FAIL("no problem found");
    } catch (UsageError const& error) {
        std::string const text = error.what();
        for (auto const* part : {"patern: unknown key (did you mean \"pattern\"?)", "pattern: expected a text",
                                 "relative: expected a number from 0", "absolute: expected", "reason: expected a text",
                                 "other: expected [[tolerance]] tables only"}) {
            CAPTURE(part);
            CHECK(text.find(part) != std::string::npos);
        }
    }
    CHECK_THROWS_AS(read_tolerances("/nonexistent"), UsageError);
}

TEST_CASE("the three reports name the statistic, both values and the direction", "[compare]") {
    auto const result = compare(base(), with("summary.time", std::uint64_t{1015}, "ns", Better::lower), {});
    auto const terminal = terminal_text(result, 10);
    CHECK(terminal.find("worse         summary.time  1000 ns  ->  1015 ns  +1.5 %") != std::string::npos);
    CHECK(markdown_text(result, 10).find("| worse | `summary.time` | 1000 ns | 1015 ns | +1.5 % |") !=
          std::string::npos);
    auto const junit = junit_text(result);
    CHECK(junit.find("tests=\"6\" failures=\"1\"") != std::string::npos);
    CHECK(junit.find("<testcase classname=\"summary\" name=\"summary.time\"><failure type=\"worse\" "
                     "message=\"worse: 1000 ns -&gt; 1015 ns (+1.5 %)\"/>") != std::string::npos);
    CHECK(terminal_text(compare(base(), base(), {}), 10).find("No difference") != std::string::npos);
}
