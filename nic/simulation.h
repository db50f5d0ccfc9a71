#pragma once

#include <functional>
#include <memory>

#include "base/stats/stats_table.h"
#include "nic/experiment_config.h"
#include "nic/run_traces.h"
#include "pipeline/codec_trace.h"

namespace netzip {

class PayloadWork;

/// What is watched while a simulation runs; all optional.
struct SimulationHooks {
    /// Called now and then with packets complete and their total (0 when unknown).
    void (*progress)(std::uint64_t done, std::uint64_t total, void* context) = nullptr;
    void* context = nullptr;
    TraceOptions traces;
    /// Takes a line when a trace left something out.
    void (*note)(std::string const& line) = nullptr;
    /// In place of the NICs' own work on the bytes: shows what the checks of a run find.
    std::function<std::unique_ptr<PayloadWork>(bool sender)> make_work{};
};

/// Runs one experiment as configured, once, and returns its statistics, each checked.
///
/// One call per process: the SystemC kernel has one elaboration. Throws RunError when bits were lost, when an
/// invariant does not hold (all violations listed), or when nothing moves any more (each stage named).
StatsTable simulate(ExperimentConfig const& config, SimulationHooks const& hooks = {});

/// The same with a trace made before; null: bytes travel.
StatsTable simulate(ExperimentConfig const& config, CodecTrace const* trace, SimulationHooks const& hooks);

}  // namespace netzip
