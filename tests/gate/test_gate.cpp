#include <filesystem>
#include <fstream>
#include <map>

#include "base/text_file.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/temporary_directory.h"
#include "tools/explore/identity.h"

using namespace netzip;
namespace fs = std::filesystem;

namespace {

std::string const kSource = NETZIP_SOURCE_DIR;
std::string const kFpga = kSource + "/configs/experiments/two_nodes_fpga_50g.toml";

/// A run of a few milliseconds: synthetic tensors, no second run beside it.
std::vector<std::string> quick_run(std::string const& output) {
    return {"run", kFpga, "-o", output, "--set", "workload.source=synthetic", "--set", "run.compare_plain=false"};
}

CommandResult run(std::vector<std::string> words, std::vector<std::string> const& sets) {
    for (auto const& set : sets) words.insert(words.end(), {"--set", set});
    CommandResult const result = netzipsim(words);
    INFO(result.err);
    REQUIRE(result.status == 0);
    return result;
}

/// Every stage's number of cycles, by key.
std::map<std::string, std::uint64_t> stage_cycles(std::string const& identity_file) {
    std::map<std::string, std::uint64_t> cycles;
    for (auto const& [key, value] : read_identity(identity_file)) {
        // The exponent coders are another codec than the one that runs here.
        if (key.find(".exponent.") != std::string::npos) continue;
        if (key.starts_with("nic.") && key.ends_with(".latency") && value.ends_with(" cycles")) {
            cycles[key] = std::stoull(value);
        }
    }
    return cycles;
}

}  // namespace

TEST_CASE("every shipped experiment gives the numbers of its baseline", "[gate]") {
    std::size_t compared = 0;
    for (auto const& entry : fs::directory_iterator(kSource + "/configs/experiments")) {
        auto const name = entry.path().stem().string();
        auto const baseline = kSource + "/tests/baselines/" + name;
        CAPTURE(name);
        REQUIRE(fs::exists(baseline + "/reasons.txt"));
        TemporaryDirectory directory;
        run({"run", entry.path().string(), "-o", directory.path()}, {});
        auto const result = netzipsim({"compare", baseline, directory.path()});
        INFO(result.out << result.err);
        CHECK(result.status == 0);
        ++compared;
    }
    CHECK(compared >= 3);
}

TEST_CASE("one cycle more in any one stage is a regression, and it is refused as another configuration first",
          "[gate]") {
    TemporaryDirectory base;
    run(quick_run(base.path()), {});
    auto const stages = stage_cycles(base.path() + "/identity.json");
    CHECK(stages.size() >= 12);
    for (auto const& [key, cycles] : stages) {
        CAPTURE(key);
        TemporaryDirectory slower;
        run(quick_run(slower.path()), {key + "=" + std::to_string(cycles + 1) + " cycles"});
        auto const refused = netzipsim({"compare", base.path(), slower.path()});
        CHECK(refused.status == 2);
        CHECK(refused.err.find(key) != std::string::npos);
        auto const found = netzipsim({"compare", base.path(), slower.path(), "--force"});
        CHECK(found.status == 4);
        CHECK(found.out.find("worse ") != std::string::npos);
    }
}

TEST_CASE("twenty repeats of a run are silent", "[gate]") {
    TemporaryDirectory base;
    run(quick_run(base.path()), {});
    for (int repeat = 0; repeat < 20; ++repeat) {
        TemporaryDirectory again;
        run(quick_run(again.path()), {});
        auto const result = netzipsim({"compare", base.path(), again.path()});
        INFO(result.out << result.err);
        REQUIRE(result.status == 0);
        CHECK(read_text_file(base.path() + "/stats.json") == read_text_file(again.path() + "/stats.json"));
    }
}

TEST_CASE("a baseline is rewritten only with a reason, which stays with it, and then the numbers are accepted",
          "[gate]") {
    TemporaryDirectory first;
    TemporaryDirectory second;
    TemporaryDirectory place;
    auto const baseline = place.path() + "/baseline";
    run(quick_run(first.path()), {});
    run(quick_run(second.path()), {"nic.grouper.latency=9 cycles"});
    CHECK(netzipsim({"baseline", "update", baseline, first.path()}).status == 2);
    CHECK(netzipsim({"baseline", "update", baseline, first.path(), "--reason", " "}).status == 2);
    CHECK_FALSE(fs::exists(baseline));
    CHECK(netzipsim({"baseline", "update", baseline, first.path(), "--reason", "first"}).status == 0);
    CHECK(netzipsim({"compare", baseline, first.path()}).status == 0);
    CHECK(netzipsim({"baseline", "update", baseline, first.path(), "--reason", "again"}).out.find("nothing written") !=
          std::string::npos);
    CHECK(netzipsim({"compare", baseline, second.path(), "--force"}).status == 4);
    CHECK(netzipsim({"baseline", "update", baseline, second.path(), "--reason", "a deeper grouper"}).status == 0);
    CHECK(netzipsim({"compare", baseline, second.path()}).status == 0);
    CHECK(netzipsim({"baseline", "show", baseline}).out == "a deeper grouper\nfirst\n");
}

TEST_CASE("results that cannot be compared are an input error that names the place", "[gate]") {
    TemporaryDirectory empty;
    auto const nothing = netzipsim({"compare", empty.path(), empty.path()});
    CHECK(nothing.status == 3);
    CHECK(nothing.err.find("expected a result: a directory with stats.json or sweep.sqlite") != std::string::npos);
    CHECK(netzipsim({"compare", "/nonexistent", empty.path()}).status == 3);
}

TEST_CASE("a point of a sweep has the numbers of the same run alone, with any number of processes and shards",
          "[gate]") {
    TemporaryDirectory place;
    auto const sweep = kSource + "/tests/slurm/sweep.toml";
    auto const at_once = place.path() + "/whole";
    CHECK(netzipsim({"sweep", sweep, "-j", "2", "-o", at_once}).status == 0);
    auto const shards = place.path() + "/shards";
    for (auto const* shard : {"0/3", "1/3", "2/3"}) {
        CHECK(netzipsim({"sweep", sweep, "--shard", shard, "-o", shards}).status == 0);
    }
    CHECK(netzipsim({"merge", shards}).status == 0);
    CHECK(netzipsim({"compare", at_once, shards}).status == 0);
    TemporaryDirectory alone;
    run(quick_run(alone.path()), {"nic.compressor.engines=8", "link.rate=20 Gb/s"});
    // The run's numbers under the names that the sweep gives them.
    auto const csv = read_text_file(at_once + "/points.csv");
    auto const stats = read_text_file(alone.path() + "/stats.json");
    auto const at = stats.find("\"summary.time\": {\"value\": ") + std::string("\"summary.time\": {\"value\": ").size();
    auto const time = stats.substr(at, stats.find(',', at) - at);
    CHECK(csv.find("," + time + ",") != std::string::npos);
}

TEST_CASE("a wrong sweep is refused with every problem before anything runs", "[gate]") {
    TemporaryDirectory place;
    auto const file = place.path() + "/wrong.toml";
    std::ofstream(file) << "base = \"" << kFpga << "\"\n[grid]\nnic.compressor.enginse = [1]\n"
                        << "nic.clock = [\"300 MHz\", \"300\"]\nlink.loss = [0.5, 1.5]\n";
    auto const result = netzipsim({"sweep", file, "-o", place.path() + "/out"});
    CHECK(result.status == 2);
    CHECK(result.err.find(file +
                          ":3:27: nic.compressor.enginse: unknown key (did you mean \"nic.compressor.engines\"?)") !=
          std::string::npos);
    CHECK(result.err.find(":4:25: nic.clock: expected a frequency") != std::string::npos);
    CHECK(result.err.find("link.loss: expected") != std::string::npos);
    CHECK_FALSE(fs::exists(place.path() + "/out"));
}
