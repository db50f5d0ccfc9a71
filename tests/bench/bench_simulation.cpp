#include <benchmark/benchmark.h>
#include <systemc>

#include "base/config/load.h"
#include "nic/codec_tracer.h"
#include "nic/simulation.h"
#include "nic/two_node.h"
#include "pipeline/payload_work.h"
#include "workloads/message_source.h"

// How fast the simulator is: codec work alone, the whole simulation with bytes, the timing alone, and what an event of
// the kernel costs, in one run. Packets per second count packets of the workload, each through both NICs.

using namespace netzip;

int sc_main(int, char**) {
    return 0;
}

namespace {

constexpr std::uint64_t kRepeat = 10;

ExperimentConfig experiment(PayloadMode mode) {
    ExperimentConfig config;
    ConfigRegistry registry = registry_of(config);
    load(registry, {NETZIP_SOURCE_DIR "/configs/experiments/two_nodes_asic_400g.toml"}, {});
    config.run.payload = mode;
    config.workload.repeat = kRepeat;
    return config;
}

void count(benchmark::State& state, std::uint64_t packets, std::uint64_t bytes) {
    auto const runs = static_cast<std::int64_t>(state.iterations());
    state.SetItemsProcessed(runs * static_cast<std::int64_t>(packets));
    state.SetBytesProcessed(runs * static_cast<std::int64_t>(bytes));
}

/// Transforms and codecs of both directions and the comparison, on one core, without SystemC.
void codec_work_alone(benchmark::State& state) {
    ExperimentConfig const config = experiment(PayloadMode::bytes);
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    for (auto _ : state) {
        CodecTrace trace = trace_on_one_core(config);
        packets = trace.packets.size();
        benchmark::DoNotOptimize(trace);
    }
    bytes = make_message_source(config.workload)->totals().bytes.count();
    count(state, packets, bytes);
}

/// Stages that a packet of the workload passes, both NICs and the link.
double stages_passed(StatsTable const& stats) {
    double stages = 0;
    for (auto const& [name, stat] : stats.entries()) {
        bool const counts = name.starts_with("stage.") && name.ends_with(".packets");
        if (counts && stats.number(name) > 0) ++stages;
    }
    return stages;
}

void simulation(benchmark::State& state, PayloadMode mode) {
    ExperimentConfig const config = experiment(mode);
    std::unique_ptr<CodecTrace> const trace = mode == PayloadMode::sizes ? trace_codecs(config, "") : nullptr;
    double packets = 0;
    double bytes = 0;
    double stages = 0;
    for (auto _ : state) {
        sc_core::sc_get_curr_simcontext()->reset();
        StatsTable const stats = simulate(config, trace.get(), {});
        packets = stats.number("summary.packets");
        bytes = stats.number("summary.tensor_bytes");
        stages = stages_passed(stats);
    }
    count(state, static_cast<std::uint64_t>(packets), static_cast<std::uint64_t>(bytes));
    // Seconds, printed with an SI prefix: 2.5u is 2.5 us.
    using Counter = benchmark::Counter;
    auto const inverse = Counter::kIsIterationInvariantRate | Counter::kInvert;
    state.counters["s_per_packet"] = Counter(packets, inverse);
    state.counters["s_per_packet_and_stage"] = Counter(packets * stages, inverse);
}

/// One SC_METHOD that notifies itself: the kernel's own price of an event.
class Ticker : public sc_core::sc_module {
public:
    explicit Ticker(sc_core::sc_module_name name) : sc_module(name) {
        SC_HAS_PROCESS(Ticker);
        SC_METHOD(tick);
        sensitive << event_;
    }

private:
    void tick() { event_.notify(sc_core::sc_time(1, sc_core::SC_NS)); }
    sc_core::sc_event event_;
};

void kernel_event(benchmark::State& state) {
    constexpr int kEvents = 1000;
    sc_core::sc_get_curr_simcontext()->reset();
    Ticker ticker("ticker");
    for (auto _ : state) sc_core::sc_start(kEvents, sc_core::SC_NS);
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * kEvents);
}

BENCHMARK(codec_work_alone)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulation, bytes, PayloadMode::bytes)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulation, sizes, PayloadMode::sizes)->Unit(benchmark::kMillisecond);
BENCHMARK(kernel_event);

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
