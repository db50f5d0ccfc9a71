#include "nic/simulation.h"

#include <exception>
#include <memory>

#include "base/error.h"
#include "nic/codec_tracer.h"
#include "nic/diagnosis.h"
#include "nic/run_statistics.h"
#include "nic/two_node.h"
#include "workloads/message_source.h"

namespace netzip {
namespace {

/// Keeps the error of a source: the kernel would turn it into a report and lose its exit status.
class GuardedSource : public MessageSource {
public:
    explicit GuardedSource(std::unique_ptr<MessageSource> source) : source_(std::move(source)) {}

    bool next(Message& message) override {
        try {
            return source_->next(message);
        } catch (Error const&) {
            error_ = std::current_exception();
            throw;
        }
    }
    WorkloadTotals totals() const override { return source_->totals(); }
    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

private:
    std::unique_ptr<MessageSource> source_;
    std::exception_ptr error_;
};

/// How far a Calendar may run ahead of the kernel, while this lives.
class Quantum {
public:
    explicit Quantum(Duration quantum) { tlm::tlm_global_quantum::instance().set(to_sc_time(quantum)); }
    ~Quantum() { tlm::tlm_global_quantum::instance().set(sc_core::SC_ZERO_TIME); }
    Quantum(Quantum const&) = delete;
    Quantum& operator=(Quantum const&) = delete;
};

std::uint64_t expected_packets(MessageSource const& source, ExperimentConfig const& config) {
    // Each message ends with a packet of its own; the last may be short.
    WorkloadTotals const totals = source.totals();
    return totals.bytes.count() / config.nic.protocol.path_mtu.count() + (totals.messages > 0 ? 1 : 0);
}

/// Runs until nothing is left to happen; throws when it cannot end.
void run_to_end(TwoNode& system, ExperimentConfig const& config, std::uint64_t packets, SimulationHooks const& hooks) {
    constexpr std::uint64_t kStepsPerWatchdog = 10;
    Duration const step{config.run.watchdog.count() / kStepsPerWatchdog + 1};
    std::uint64_t last_done = 0;
    std::uint64_t last_of_workload = 0;
    std::uint64_t idle_steps = 0;
    Quantum const quantum(step);
    while (true) {
        sc_core::sc_start(to_sc_time(step));
        std::uint64_t const done = system.receiver.packets_done();
        if (hooks.progress != nullptr) hooks.progress(done, packets, hooks.context);
        if (system.done() && system.pool.live() == 0) return;
        if (!sc_core::sc_pending_activity()) throw RunError(describe_stuck(system, "nothing is left to happen"));
        // Background traffic that goes on must not hide a workload that does not.
        std::uint64_t const done_of_workload = system.receiver.all().packets;
        bool const nothing = done == last_done && system.messages.in_use() > 0;
        bool const background_only = done_of_workload == last_of_workload && system.sender.outstanding() > 0;
        idle_steps = nothing || background_only ? idle_steps + 1 : 0;
        last_done = done;
        last_of_workload = done_of_workload;
        if (idle_steps > kStepsPerWatchdog) {
            throw RunError(describe_stuck(system, std::string("no packet ") + (nothing ? "" : "of the workload ") +
                                                      "was completed for " + to_string(config.run.watchdog)));
        }
    }
}

}  // namespace

StatsTable simulate(ExperimentConfig const& config, SimulationHooks const& hooks) {
    std::unique_ptr<CodecTrace> trace;
    if (config.run.payload == PayloadMode::sizes) trace = trace_codecs(config, config.run.cache);
    return simulate(config, trace.get(), hooks);
}

StatsTable simulate(ExperimentConfig const& config, CodecTrace const* trace, SimulationHooks const& hooks) {
    GuardedSource source(make_message_source(config.workload));
    std::unique_ptr<MessageSource> background;
    if (config.background.enabled) {
        background = make_background_source(config.background, static_cast<std::uint32_t>(config.workload.queue_pairs));
    }
    WorkloadTotals const totals = source.totals();
    if (totals.bytes == Bytes::zero()) throw InputError("the workload holds no byte to send");

    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
    try {
        set_time_resolution();
        TwoNode system("system", config, source, background.get(), trace, hooks.make_work);
        RunTraces traces(hooks.traces);
        traces.watch(system);
        run_to_end(system, config, expected_packets(source, config), hooks);
        for (std::string const& line : traces.close()) {
            if (hooks.note != nullptr) hooks.note(line);
        }
        return collect_statistics(system, config, totals);
    } catch (sc_core::sc_report const& report) {
        source.rethrow();
        throw RunError(report.get_msg());
    }
}

}  // namespace netzip
