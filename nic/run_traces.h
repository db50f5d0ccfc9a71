#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nic/packet_log.h"
#include "pipeline/trace/trace.h"

namespace netzip {

class TwoNode;

/// What a run writes beside its statistics; an empty path asks for nothing. None of it changes a result.
struct TraceOptions {
    std::string timeline;  ///< Chrome trace JSON
    std::string waves;     ///< value change dump
    std::string capture;   ///< pcap of both directions of the link
    std::string packets;   ///< CSV, a line per packet
    TraceLimits limits;

    bool any() const { return !timeline.empty() || !waves.empty() || !capture.empty() || !packets.empty(); }
};

/// The writers of one run. A run that fails keeps its traces, whole; one that is killed leaves NAME.partial.
class RunTraces {
public:
    explicit RunTraces(TraceOptions const& options);
    ~RunTraces();

    /// Every module that can be watched, and the receiver's packets.
    void watch(TwoNode& system);
    /// Finishes the files; one line for each that left something out.
    std::vector<std::string> close();

private:
    std::vector<std::unique_ptr<Trace>> writers_;
    TraceGroup group_;
    std::unique_ptr<PacketLog> packets_;
    bool closed_ = false;
};

}  // namespace netzip
