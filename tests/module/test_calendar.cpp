#include "base/error.h"
#include "pipeline/calendar.h"
#include "support/stream_bench.h"

using namespace netzip;
using namespace netzip::literals;
using namespace netzip::test;

namespace {

/// Three modules that wake each other: a call is noted as its letter and its time.
struct Bench {
    Sim sim;
    std::vector<std::pair<char, Duration>> calls;
    std::vector<Duration> kernel;  ///< the kernel's time at each call
    Wakeup a{[this] { first(); }};
    Wakeup b{[this] { note('b'); }};
    Wakeup c{[this] { third(); }};

    explicit Bench(Duration quantum) {
        tlm::tlm_global_quantum::instance().set(to_sc_time(quantum));
        c.at(10_ns);
        b.at(10_ns);
        a.at(30_ns);
        a.at(20_ns);
        a.at(25_ns);  // later than what was asked for: nothing
    }
    ~Bench() { tlm::tlm_global_quantum::instance().set(sc_core::SC_ZERO_TIME); }

    void note(char letter) {
        calls.emplace_back(letter, now());
        kernel.push_back(kernel_now());
    }
    void first() {
        note('a');
        if (now() == 20_ns) {
            c.at(20_ns);
            b.at(5_ns);  // over: now
            a.at(40_ns);
        }
    }
    void third() {
        note('c');
        if (now() == 10_ns && calls.size() == 2) c.again();
    }
};

using Calls = std::vector<std::pair<char, Duration>>;
Calls const kCalls{{'b', 10_ns}, {'c', 10_ns}, {'c', 10_ns}, {'a', 20_ns}, {'b', 20_ns}, {'c', 20_ns}, {'a', 40_ns}};

}  // namespace

TEST_CASE("wake-ups come in order of time, then of rounds, then of their making", "[calendar]") {
    Bench bench(0_ns);
    bench.sim.run();
    CHECK(bench.calls == kCalls);
    for (std::size_t i = 0; i < kCalls.size(); ++i) CHECK(bench.kernel[i] == kCalls[i].second);
}

TEST_CASE("how far the calendar runs ahead of the kernel changes no time of a module", "[calendar]") {
    for (Duration const quantum : {1_ns, 10_ns, 15_ns, 100_ns}) {
        Bench bench(quantum);
        bench.sim.run();
        CHECK(bench.calls == kCalls);
        for (std::size_t i = 0; i < kCalls.size(); ++i) {
            CHECK(bench.kernel[i] <= kCalls[i].second);
            CHECK(bench.kernel[i] + quantum >= kCalls[i].second);
        }
        CHECK((bench.kernel.back() == 10_ns) == (quantum >= 30_ns));
        CHECK(now() == kernel_now());
    }
}

TEST_CASE("an error in a call leaves the calendar at the kernel's time", "[calendar]") {
    {
        Sim sim;
        Wakeup late([] { throw RunError("broken"); });
        tlm::tlm_global_quantum::instance().set(to_sc_time(100_ns));
        Wakeup early([] {});
        early.at(10_ns);
        late.at(50_ns);
        CHECK_THROWS(sc_core::sc_start());
        tlm::tlm_global_quantum::instance().set(sc_core::SC_ZERO_TIME);
        CHECK(now() == kernel_now());
    }
    Bench bench(0_ns);
    bench.sim.run();
    CHECK(bench.calls == kCalls);
}
