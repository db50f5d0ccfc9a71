#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "base/process/child_process.h"
#include "support/catch.h"
#include "tools/explore/sweep/fork_pool.h"
#include "tools/explore/sweep/store.h"

using namespace netzip;
namespace fs = std::filesystem;

namespace {

struct Directory {
    fs::path path = fs::temp_directory_path() / ("netzip_store_" + std::to_string(getpid()));
    Directory() { fs::create_directories(path); }
    ~Directory() { fs::remove_all(path); }
};

SweepIdentity identity() {
    SweepIdentity id;
    id.file = "sweep.toml";
    id.version = "1.0.0";
    id.points = 4;
    id.axes = {"nic.engines", "nic.clock"};
    id.configuration = {{"link.rate", "50 Gb/s"}};
    id.points_digest = "abc";
    return id;
}

StoredPoint point(std::uint64_t index) {
    StoredPoint p;
    p.point = {index, {{"nic.engines", std::to_string(index), ""}, {"nic.clock", "300 MHz", ""}}};
    p.statistics.emplace();
    p.statistics->set("time", (std::uint64_t{1} << 60) + index, "fs", Better::lower);
    p.statistics->set("ratio", 0.1 + static_cast<double>(index), "1", Better::lower, Provenance::derived);
    p.statistics->set("whole", 2.0, "mm2", Better::lower, Provenance::assumed);
    p.statistics->set("change", std::int64_t{-3}, "1");
    p.statistics->set("bottleneck", std::string("link"), "");
    p.statistics->set("absent", nullptr, "ns");
    p.statistics->mark_out_of_range("whole");
    return p;
}

std::string message(std::function<void()> const& act) {
    try {
        act();
    } catch (Error const& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a stored point comes back as it was, kinds of numbers included", "[store]") {
    Directory const dir;
    {
        auto store = SweepStore::create(dir.path / "s.sqlite", identity());
        store.add(point(3));
        StoredPoint failed = point(1);
        failed.statistics.reset();
        failed.error = "no progress";
        store.add(failed);
    }
    auto const store = SweepStore::open(dir.path / "s.sqlite");
    CHECK(store.done() == std::vector<std::uint64_t>{1, 3});
    CHECK(store.failed() == 1);
    CHECK(*store.read(3).statistics == *point(3).statistics);
    CHECK(store.read(3).point.axes == point(3).point.axes);
    CHECK(store.read(1).error == "no progress");
    CHECK_FALSE(store.read(1).statistics.has_value());
    CHECK(first_difference(store.identity(), identity()).empty());
}

TEST_CASE("a point cannot be stored twice and leaves nothing behind when it cannot be stored", "[store]") {
    Directory const dir;
    auto store = SweepStore::create(dir.path / "s.sqlite", identity());
    store.add(point(0));
    CHECK_THROWS_AS(store.add(point(0)), Error);
    StoredPoint odd = point(2);
    odd.statistics.emplace();
    odd.statistics->set("a", 1.0, "1");
    odd.statistics->set("time", 1.0, "ns", Better::lower);
    CHECK(message([&] { store.add(odd); }) == "time: another unit or direction than in an earlier point");
    CHECK(store.done() == std::vector<std::uint64_t>{0});
    store.add(point(2));
    CHECK(store.done().size() == 2);
}

TEST_CASE("a database goes on only with the sweep it belongs to", "[store]") {
    Directory const dir;
    auto const path = dir.path / "s.sqlite";
    { SweepStore::create(path, identity()); }
    CHECK(message([&] { SweepStore::create(path, identity()); }).find("exists already") != std::string::npos);
    CHECK_NOTHROW(SweepStore::resume(path, identity()));
    auto other = identity();
    other.configuration["link.rate"] = "100 Gb/s";
    CHECK(message([&] { SweepStore::resume(path, other); }).find("link.rate: \"50 Gb/s\" against \"100 Gb/s\"") !=
          std::string::npos);
    other = identity();
    other.version = "2.0.0";
    CHECK(message([&] { SweepStore::resume(path, other); }).find("version") != std::string::npos);
    other = identity();
    other.shard = {1, 2};
    CHECK(message([&] { SweepStore::resume(path, other); }).find("shard: \"0/1\" against \"1/2\"") !=
          std::string::npos);
}

TEST_CASE("a damaged, foreign, empty or missing database is an input error that says so", "[store]") {
    Directory const dir;
    auto const path = dir.path / "s.sqlite";
    {
        auto store = SweepStore::create(path, identity());
        for (std::uint64_t i = 0; i < 4; ++i) store.add(point(i));
    }
    {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(4096 + 100);
        file << std::string(6000, 'x');
    }
    CHECK_THROWS_AS(SweepStore::open(path), InputError);
    CHECK(message([&] { SweepStore::open(path); }).find("damaged or foreign") != std::string::npos);
    CHECK_THROWS_AS(SweepStore::resume(path, identity()), InputError);
    std::ofstream(path) << "this is no database, but it is longer than the header of one would be";
    CHECK_THROWS_AS(SweepStore::open(path), InputError);
    std::ofstream(path, std::ios::trunc).close();
    CHECK_THROWS_AS(SweepStore::open(path), InputError);
    CHECK_NOTHROW(SweepStore::resume(path, identity()));
    CHECK_THROWS_AS(SweepStore::open(dir.path / "none"), InputError);
    { Database(dir.path / "other.sqlite", Database::Access::write).run("CREATE TABLE t(x)"); }
    CHECK(message([&] { SweepStore::open(dir.path / "other.sqlite"); }).find("of another program") !=
          std::string::npos);
}

// A file size limit makes writes fail as a full disk does (EFBIG in place of ENOSPC), without root and without a mount.
TEST_CASE("a disk that takes no more is an error that says so and keeps the finished points", "[store]") {
    Directory const dir;
    auto const path = dir.path / "s.sqlite";
    auto const text = run_in_process("writer", [&] {
        signal(SIGXFSZ, SIG_IGN);
        rlimit const limit{128 * 1024, 128 * 1024};
        setrlimit(RLIMIT_FSIZE, &limit);
        auto store = SweepStore::create(path, identity());
        for (std::uint64_t i = 0;; ++i) {
            StoredPoint p = point(i);
            p.statistics->set("long", std::string(5000, 'x'), "");
            auto const problem = message([&] { store.add(p); });
            if (!problem.empty()) return std::to_string(i) + " " + problem;
        }
    });
    CHECK(text.find("the disk is full or fails") != std::string::npos);
    auto const store = SweepStore::open(path);
    CHECK(store.done().size() == std::stoull(text));
    CHECK(store.done().size() > 2);
}

TEST_CASE("a second sweep cannot write the same database", "[store]") {
    Directory const dir;
    auto const path = dir.path / "s.sqlite";
    auto store = SweepStore::create(path, identity());
    store.add(point(0));
    auto const text = run_in_process("second", [&] { return message([&] { SweepStore::resume(path, identity()); }); });
    CHECK(text.find("in use by another sweep") != std::string::npos);
}

TEST_CASE("every point runs in a process of its own and each kind of end is an outcome", "[pool]") {
    std::map<std::uint64_t, ChildOutcome> outcomes;
    run_forked(
        {0, 1, 2, 3, 4}, 2,
        [](std::uint64_t i) -> std::string {
            if (i == 1) throw RunError("lost bits");
            if (i == 2) raise(SIGKILL);
            if (i == 3) _exit(7);
            return std::string(i == 4 ? 300'000 : 3, 'x') + std::to_string(getpid());
        },
        [&](ChildOutcome const& o) { outcomes[o.index] = o; });
    REQUIRE(outcomes.size() == 5);
    CHECK(outcomes[0].ok);
    CHECK(outcomes[0].text != "xxx" + std::to_string(getpid()));
    CHECK(outcomes[0].peak_memory > 1'000'000);
    CHECK(outcomes[1].text == "lost bits");
    CHECK(outcomes[2].text == "point 2: ended by signal 9 (Killed)");
    CHECK(outcomes[3].text.find("status 7") != std::string::npos);
    CHECK(outcomes[4].text.size() > 300'000);
}
