#include "nic/run_traces.h"

#include "nic/two_node.h"
#include "pipeline/stage_recorder.h"
#include "pipeline/trace/pcap_writer.h"
#include "pipeline/trace/timeline_writer.h"
#include "pipeline/trace/vcd_writer.h"

namespace netzip {
namespace {

/// "system.nic_a.tx.grouper" -> "a.tx.grouper": tracks begin with the node.
std::string track_of(std::string name) {
    std::string const system = "system.";
    if (name.starts_with(system)) name.erase(0, system.size());
    std::string const nic = "nic_";
    if (name.starts_with(nic)) name.erase(0, nic.size());
    return name;
}

void watch_below(sc_core::sc_object& object, Trace& trace) {
    if (auto* watched = dynamic_cast<Watched*>(&object)) watched->watch(trace, track_of(object.name()));
    for (sc_core::sc_object* child : object.get_child_objects()) watch_below(*child, trace);
}

}  // namespace

RunTraces::RunTraces(TraceOptions const& options) {
    if (!options.timeline.empty())
        writers_.push_back(std::make_unique<TimelineWriter>(options.timeline, options.limits));
    if (!options.waves.empty()) writers_.push_back(std::make_unique<VcdWriter>(options.waves, options.limits));
    if (!options.capture.empty()) writers_.push_back(std::make_unique<PcapWriter>(options.capture, options.limits));
    for (auto const& writer : writers_) group_.add(*writer);
    if (!options.packets.empty()) packets_ = std::make_unique<PacketLog>(options.packets, options.limits);
}

RunTraces::~RunTraces() {
    try {
        close();
    } catch (std::exception const&) {
        // The run has failed for a reason of its own, which is what gets reported.
    }
}

void RunTraces::watch(TwoNode& system) {
    if (!group_.empty()) watch_below(system, group_);
    system.receiver.log_packets(packets_.get());
}

std::vector<std::string> RunTraces::close() {
    std::vector<std::string> notes;
    if (closed_) return notes;
    closed_ = true;
    for (auto const& writer : writers_) notes.push_back(writer->close());
    if (packets_ != nullptr) notes.push_back(packets_->close());
    std::erase(notes, "");
    return notes;
}

}  // namespace netzip
