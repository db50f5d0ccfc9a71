#include <filesystem>
#include <fstream>

#include "nic/plain_cache.h"
#include "nic/run_experiment.h"
#include "support/catch.h"
#include "support/experiment.h"
#include "support/temporary_directory.h"

using namespace netzip;
using namespace netzip::test;
namespace fs = std::filesystem;

namespace {

using Values = std::vector<std::string>;

/// LZ4 on small tensors that differ, sizes alone.
ExperimentConfig sized_experiment() {
    ExperimentConfig config = small_experiment();
    config.nic.algorithm = AlgorithmConfig{};
    config.workload.synthetic.zero_share = 0.5;
    config.run.payload = PayloadMode::sizes;
    return config;
}

std::vector<fs::path> entries(std::string const& directory, std::string const& ending) {
    std::vector<fs::path> found;
    for (auto const& entry : fs::directory_iterator(directory)) {
        if (entry.path().string().ends_with(ending)) found.push_back(entry.path());
    }
    return found;
}

}  // namespace

TEST_CASE("runs that share a cache, one after another or at once, give the numbers of a run without one",
          "[system][cache]") {
    TemporaryDirectory const directory;
    ExperimentConfig config = sized_experiment();
    std::string const expected = run_experiment(config).to_json();
    config.run.cache = directory.path() + "/cache";
    {
        ChildProcess first("first", [&] { return run_experiment(config).to_json(); });
        ChildProcess second("second", [&] { return run_experiment(config).to_json(); });
        CHECK(first.result() == expected);
        CHECK(second.result() == expected);
    }
    CHECK(entries(config.run.cache, ".trace").size() == 1);
    CHECK(entries(config.run.cache, ".plain.json").size() == 1);
    CHECK(run_experiment(config).to_json() == expected);
}

// Another number in the entry is seen in the report: so the entry is what is read. Half of it is not taken.
TEST_CASE("the plain NIC's numbers come from the cache, and a damaged entry is made anew", "[system][cache]") {
    TemporaryDirectory const directory;
    ExperimentConfig config = sized_experiment();
    config.run.cache = directory.path();
    double const time = run_experiment(config).number("summary.time_plain");
    fs::path const entry = entries(config.run.cache, ".plain.json").at(0);
    StatsTable other;
    other.set("summary.time", 2 * time, "ns", Better::lower);
    std::ofstream(entry) << other.to_json();
    CHECK(run_experiment(config).number("summary.time_plain") == 2 * time);
    std::ofstream(entry) << "{\"summary.time\": ";
    CHECK(run_experiment(config).number("summary.time_plain") == time);
}

TEST_CASE("an entry that cannot be locked is read all the same", "[system][cache]") {
    TemporaryDirectory const directory;
    ExperimentConfig config = sized_experiment();
    config.run.cache = directory.path();
    std::string const expected = run_experiment(config).to_json();
    for (fs::path const& lock : entries(config.run.cache, ".lock")) {
        fs::remove(lock);
        fs::create_directory(lock);
    }
    CHECK(run_experiment(config).to_json() == expected);
}

TEST_CASE("an entry of the plain NIC serves all designs of the accelerator and no other traffic or link",
          "[system][cache]") {
    auto const name = [](Values const& values) {
        ExperimentConfig config = sized_experiment();
        set(config, values);
        return plain_entry_name(plain_variant(config));
    };
    std::string const base = name({});
    for (Values const& same : {Values{"nic.compressor.engines=3"}, Values{"nic.algorithm.codec=snappy"},
                               Values{"nic.grouper.slots=1", "nic.merge.latency=3 cycles"}, Values{"run.payload=bytes"},
                               Values{"cost.source=rtl"}}) {
        CAPTURE(same);
        CHECK(name(same) == base);
    }
    for (Values const& different :
         {Values{"link.rate=100 Gb/s"}, Values{"nic.clock=500 MHz"}, Values{"nic.protocol.path_mtu=1 KiB"},
          Values{"workload.outstanding=3"}, Values{"workload.synthetic.tensor_size=20 KiB"},
          Values{"workload.queue_pairs=2"}, Values{"background.enabled=true"}, Values{"link.loss=0.01"},
          Values{"host.read_latency=1 us"}}) {
        CAPTURE(different);
        CHECK(name(different) != base);
    }
}
