#include "pipeline/trace/pcap_writer.h"

#include <algorithm>
#include <fmt/format.h>

namespace netzip {
namespace {

constexpr std::uint32_t kNanosecondMagic = 0xA1B23C4D;
constexpr std::uint32_t kEthernetLink = 1;
constexpr std::uint64_t kFemtosecondsPerNanosecond = 1'000'000;
constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

template <unsigned N>
void little(std::vector<std::uint8_t>& out, std::uint64_t value) {
    for (unsigned i = 0; i < N; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

}  // namespace

PcapWriter::PcapWriter(std::string path, TraceLimits const& limits, std::uint32_t snap_length)
    : file_(std::move(path)), limits_(limits), snap_length_(snap_length) {
    write_header();
}

void PcapWriter::write(std::vector<std::uint8_t> const& bytes) {
    file_.write({reinterpret_cast<char const*>(bytes.data()), bytes.size()});
}

void PcapWriter::write_header() {
    std::vector<std::uint8_t> header;
    little<4>(header, kNanosecondMagic);
    little<2>(header, 2);  // version 2.4
    little<2>(header, 4);
    little<8>(header, 0);  // time zone, accuracy
    little<4>(header, snap_length_);
    little<4>(header, kEthernetLink);
    write(header);
}

void PcapWriter::frame(WireFrame const& frame) {
    if (frame.time < limits_.begin || frame.time > limits_.end) return;
    if (file_.size() > limits_.bytes) {
        ++left_out_;
        return;
    }
    build_roce_frame(frame, built_);
    std::uint64_t const time = frame.time.count() / kFemtosecondsPerNanosecond;
    std::size_t const kept = std::min<std::size_t>(built_.size(), snap_length_);
    record_.clear();
    little<4>(record_, time / kNanosecondsPerSecond);
    little<4>(record_, time % kNanosecondsPerSecond);
    little<4>(record_, kept);
    little<4>(record_, built_.size());
    record_.insert(record_.end(), built_.begin(), built_.begin() + static_cast<std::ptrdiff_t>(kept));
    in_order_ = in_order_ && (records_.empty() || records_.back().time <= time);
    records_.push_back({time, file_.size(), record_.size()});
    write(record_);
}

void PcapWriter::sort_records() {
    std::string const unsorted = file_.content();
    if (unsorted.empty()) return;
    std::size_t offset = records_.front().offset;
    std::stable_sort(records_.begin(), records_.end(),
                     [](Record const& a, Record const& b) { return a.time < b.time; });
    for (Record const& r : records_) {
        file_.write_at(offset, std::string_view(unsorted).substr(r.offset, r.size));
        offset += r.size;
    }
}

std::string PcapWriter::close() {
    if (closed_) return {};
    closed_ = true;
    if (!in_order_) sort_records();
    file_.commit();
    if (left_out_ == 0) return {};
    return fmt::format("{}: stopped at {} bytes, {} frames left out; give a window, a snap length or a larger limit",
                       file_.name(), limits_.bytes, left_out_);
}

}  // namespace netzip
