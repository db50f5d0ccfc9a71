#include <chrono>
#include <csignal>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

#include "base/process/child_process.h"
#include "explore/sweep_bench.h"
#include "support/catch.h"
#include "tools/explore/sweep/merge.h"
#include "tools/explore/sweep/sampling.h"

using namespace netzip;

namespace {

std::string swept(SweepFile const& sweep, SweepSubject const& subject, SweepOptions const& options) {
    std::ostringstream out;
    run_sweep(sweep, subject, options, out);
    return out.str();
}

void nap(unsigned milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

}  // namespace

TEST_CASE("the rows of a sweep do not depend on the number of processes", "[sweep]") {
    TestDirectory const dir("jobs");
    // Later points end first.
    auto const subject =
        formula_subject([](Assignments const& p) { nap(static_cast<unsigned>(20 / std::stoi(p[0].value))); });
    auto const sweep = formula_sweep(4, 3);
    auto const text = swept(sweep, subject, options_of(dir.path / "1", 1));
    CHECK(text.find("12 points, 12 to run in 1 at a time") != std::string::npos);
    CHECK(text.find("a point takes about") != std::string::npos);
    for (unsigned const jobs : {2u, 8u}) {
        auto const other = dir.path / std::to_string(jobs);
        swept(sweep, subject, options_of(other, jobs));
        CHECK(dump(other / "sweep.sqlite") == dump(dir.path / "1" / "sweep.sqlite"));
    }
}

TEST_CASE("all problems of all points are found before anything starts, each once", "[sweep]") {
    TestDirectory const dir("problems");
    auto sweep = formula_sweep(3, 2);
    for (auto& point : sweep.points) point.axes.push_back({"engnes", "1", "formula.toml:3:1"});
    sweep.points[0].axes[0].value = "0";
    auto const text = message_of([&] { swept(sweep, formula_subject(), options_of(dir.path / "out")); });
    CHECK(text == "formula.toml:1:1: engines: expected at least 1\nformula.toml:3:1: engnes: unknown key");
    CHECK_FALSE(std::filesystem::exists(dir.path / "out"));
}

TEST_CASE("a failed point is a row with its error, the others go on, and it is run again only when asked", "[sweep]") {
    TestDirectory const dir("failed");
    bool broken = true;
    auto const subject = formula_subject([&](Assignments const& p) {
        if (broken && p[0].value == "2") throw RunError("no progress for 1 ms");
    });
    auto options = options_of(dir.path, 2);
    auto const sweep = formula_sweep(3, 2);
    swept(sweep, subject, options);
    {
        auto const store = SweepStore::open(dir.path / "sweep.sqlite");
        CHECK(store.done().size() == 6);
        CHECK(store.failed() == 2);
        CHECK(store.read(2).error == "no progress for 1 ms");
    }
    broken = false;
    options.resume = true;
    CHECK(swept(sweep, subject, options).find("6 done before, 0 to run") != std::string::npos);
    options.retry_failed = true;
    CHECK(swept(sweep, subject, options).find("4 done before, 2 to run") != std::string::npos);
    TestDirectory const clean("clean");
    swept(sweep, formula_subject(), options_of(clean.path));
    CHECK(dump(dir.path / "sweep.sqlite") == dump(clean.path / "sweep.sqlite"));
}

TEST_CASE("a sweep killed ten times at random moments and resumed equals one that was not disturbed", "[sweep]") {
    TestDirectory const dir("kill");
    auto const sweep = formula_sweep(20, 8);
    auto const subject = formula_subject([&](Assignments const& p) {
        nap(10);
        // A point that is run although it is stored would leave a second line.
        std::ofstream(dir.path / "log", std::ios::app) << point_key(p) << std::endl;
    });
    auto options = options_of(dir.path / "killed", 2);
    options.resume = true;
    SampleSource random(20251129);
    int killed = 0;
    for (int round = 0; round < 10; ++round) {
        pid_t const child = fork();
        if (child == 0) {
            std::ostringstream out;
            run_sweep(sweep, subject, options, out);
            _exit(0);
        }
        nap(static_cast<unsigned>(random.below(60)));
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status)) ++killed;
    }
    CHECK(killed == 10);
    swept(sweep, subject, options);
    swept(sweep, formula_subject(), options_of(dir.path / "whole", 1));
    CHECK(dump(dir.path / "killed" / "sweep.sqlite") == dump(dir.path / "whole" / "sweep.sqlite"));
}

// A file size limit in place of a full disk: a row with an error would still fit, a whole point does not.
TEST_CASE("a full disk stops a sweep with the finished points kept and none marked as failed", "[sweep]") {
    TestDirectory const dir("full");
    auto const sweep = formula_sweep(5, 3);
    auto subject = formula_subject();
    auto const formula = subject.run;
    subject.run = [formula](Assignments const& point) {
        StatsTable table = formula(point);
        table.set("long", std::string(30'000, 'x'), "");
        return table;
    };
    auto options = options_of(dir.path, 2);
    options.resume = true;
    auto const text = run_in_process("sweep", [&] {
        signal(SIGXFSZ, SIG_IGN);
        rlimit const limit{200 * 1024, 200 * 1024};
        setrlimit(RLIMIT_FSIZE, &limit);
        return message_of([&] { swept(sweep, subject, options); });
    });
    CHECK(text.find("the disk is full or fails") != std::string::npos);
    {
        auto const store = SweepStore::open(dir.path / "sweep.sqlite");
        CHECK(store.failed() == 0);
        CHECK(store.done().size() > 1);
        CHECK(store.done().size() < 15);
    }
    swept(sweep, subject, options);
    CHECK(SweepStore::open(dir.path / "sweep.sqlite").done().size() == 15);
}

TEST_CASE("shards joined equal the whole sweep row for row", "[sweep]") {
    TestDirectory const dir("shards");
    auto const sweep = formula_sweep(5, 2);
    for (std::uint64_t k = 0; k < 3; ++k) {
        auto options = options_of(dir.path / "shards");
        options.shard = {k, 3};
        swept(sweep, formula_subject(), options);
    }
    auto const output = dir.path / "merged.sqlite";
    merge(shards_in(dir.path / "shards"), output);
    swept(sweep, formula_subject(), options_of(dir.path / "whole"));
    CHECK(dump(output) == dump(dir.path / "whole" / "sweep.sqlite"));
}

TEST_CASE("shards that do not belong together, overlap or leave gaps are refused with what to do", "[sweep]") {
    TestDirectory const dir("refuse");
    auto const sweep = formula_sweep(5, 2);
    auto const run = [&](std::string const& name, Shard shard, SweepSubject const& subject) {
        auto options = options_of(dir.path / name);
        options.shard = shard;
        swept(sweep, subject, options);
        return database_path(options.directory, shard);
    };
    auto const first = run("a", {0, 4}, formula_subject());
    auto const third = run("a", {2, 4}, formula_subject());
    auto const out = dir.path / "merged.sqlite";
    // Of ten points, shards 1 and 3 of 4 hold 1, 5, 9 and 3, 7.
    auto const gaps = message_of([&] { merge({first, third}, out); });
    CHECK(gaps.find("shards 1, 3 of 4 missing or not finished (5 of 10 points)") != std::string::npos);
    CHECK(gaps.find("rerun: netzipsim sweep formula.toml --shard 1/4 --resume -o ") != std::string::npos);
    CHECK(gaps.find("sbatch --array=1,3 --export=ALL,SWEEP=formula.toml,SHARDS=4,") != std::string::npos);
    std::filesystem::create_directories(dir.path / "b");
    auto const copy = dir.path / "b" / "copy.sqlite";
    std::filesystem::copy_file(first, copy);
    CHECK(message_of([&] { merge({first, copy}, out); }).find("point 0 is in ") != std::string::npos);
    auto newer = formula_subject();
    newer.version = "1.0.1";
    auto const versions = message_of([&] { merge({first, run("c", {1, 4}, newer)}, out); });
    CHECK(versions.find("do not belong together: version of netzipsim: \"1.0.0\" against \"1.0.1\"") !=
          std::string::npos);
    auto other = formula_subject();
    other.configuration["workload.files"] = "sha256:00";
    CHECK(message_of([&] {
              merge({first, run("d", {1, 4}, other)}, out);
          }).find("workload.files") != std::string::npos);
    CHECK(message_of([&] {
              merge({first, run("e", {1, 3}, formula_subject())}, out);
          }).find("number of shards") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(out));
    CHECK_THROWS_AS(shards_in(dir.path / "none"), InputError);
}
