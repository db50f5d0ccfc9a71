#include "nic/packet_log.h"

#include <fmt/format.h>

namespace netzip {
namespace {

std::string nanoseconds(Duration time) {
    constexpr std::uint64_t kFemtoseconds = 1'000'000;
    return fmt::format("{}.{:06}", time.count() / kFemtoseconds, time.count() % kFemtoseconds);
}

/// Quoted when it must be (RFC 4180).
std::string field(std::string const& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (char const c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

}  // namespace

PacketLog::PacketLog(std::string const& path, TraceLimits const& limits) : file_(path), limits_(limits) {
    std::string header =
        "serial,tensor,kind,iteration,packet,queue_pair,layer,flagged,compressed,transmissions,tensor_bytes,"
        "wire_payload_bytes,birth_ns,compressor_head_ns,decompressor_head_ns,complete_ns,latency_ns";
    for (std::size_t i = 0; i < kStations; ++i) {
        header += fmt::format(",{}_tail_ns", station_name(static_cast<Station>(i)));
    }
    file_.write(header + "\n");
}

void PacketLog::packet(PostedMessage const& posted, PacketTag const& tag, Duration complete) {
    if (complete < limits_.begin || tag.birth > limits_.end) return;
    if (file_.size() > limits_.bytes) {
        ++left_out_;
        return;
    }
    auto const optional = [](Duration time) { return time == Duration::zero() ? "" : nanoseconds(time); };
    std::string line =
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", tag.serial, field(posted.message.name),
                    field(posted.message.kind), posted.message.iteration, tag.index, tag.queue_pair, tag.layer,
                    tag.compress ? 1 : 0, tag.compressed ? 1 : 0, tag.transmissions, tag.original_size,
                    tag.wire_payload, nanoseconds(tag.birth), optional(tag.compressor_head),
                    optional(tag.decompressor_head), nanoseconds(complete), nanoseconds(complete - tag.birth));
    for (Duration const left : tag.left) line += "," + optional(left);
    file_.write(line + "\n");
}

std::string PacketLog::close() {
    file_.commit();
    if (left_out_ == 0) return {};
    return fmt::format("{}: {} packets left out beyond the size limit of {}", file_.name(), left_out_,
                       to_string(Bytes{limits_.bytes}));
}

}  // namespace netzip
