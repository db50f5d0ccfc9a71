#pragma once

#include "base/results/output_file.h"
#include "pipeline/trace/rocev2.h"
#include "pipeline/trace/trace.h"

namespace netzip {

/// Writes frames as a pcap file with nanosecond time stamps, Ethernet link type.
///
/// Records are in order of time also when frames are reported ahead (a pipe gets them as reported); a frame's time is
/// rounded down to a nanosecond. A packet of a message keeps the size it has on the wire: compressed packets in the
/// middle of a message are shorter than the path MTU, which a reader of plain RoCEv2 would not expect but does not
/// reject.
class PcapWriter final : public Trace {
public:
    /// `snap_length` is the most bytes kept of a frame; Wireshark's InfiniBand dissector calls a frame cut short
    /// malformed. Throws RunError when the file cannot be written.
    explicit PcapWriter(std::string path, TraceLimits const& limits = {}, std::uint32_t snap_length = 65535);

    void frame(WireFrame const& frame) override;
    std::string close() override;

private:
    struct Record {
        std::uint64_t time;    ///< nanoseconds
        std::uint64_t offset;  ///< in the file
        std::uint64_t size;
    };
    void write(std::vector<std::uint8_t> const& bytes);
    void write_header();
    void sort_records();

    OutputFile file_;
    TraceLimits limits_;
    std::uint32_t snap_length_;
    std::vector<Record> records_;
    bool in_order_ = true;
    std::uint64_t left_out_ = 0;
    bool closed_ = false;
    std::vector<std::uint8_t> built_;
    std::vector<std::uint8_t> record_;
};

}  // namespace netzip
