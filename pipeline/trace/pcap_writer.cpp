#include "pipeline/trace/pcap_writer.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

#include "base/error.h"

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

void write(std::ostream& out, std::vector<std::uint8_t> const& bytes) {
    out.write(reinterpret_cast<char const*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::string read_whole(std::string const& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

PcapWriter::PcapWriter(std::string path, TraceLimits const& limits, std::uint32_t snap_length)
    : path_(std::move(path)), limits_(limits), snap_length_(snap_length), out_(path_, std::ios::binary) {
    write_header(out_);
    if (!out_) throw RunError(path_ + ": cannot be written");
    offset_ = static_cast<std::uint64_t>(out_.tellp());
}

void PcapWriter::write_header(std::ostream& out) const {
    std::vector<std::uint8_t> header;
    little<4>(header, kNanosecondMagic);
    little<2>(header, 2);  // version 2.4
    little<2>(header, 4);
    little<8>(header, 0);  // time zone, accuracy
    little<4>(header, snap_length_);
    little<4>(header, kEthernetLink);
    write(out, header);
}

void PcapWriter::frame(WireFrame const& frame) {
    if (frame.time < limits_.begin || frame.time > limits_.end) return;
    if (offset_ > limits_.bytes) {
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
    write(out_, record_);
    in_order_ = in_order_ && (records_.empty() || records_.back().time <= time);
    records_.push_back({time, offset_, record_.size()});
    offset_ += record_.size();
}

void PcapWriter::sort_records() {
    std::string const unsorted = read_whole(path_);
    std::stable_sort(records_.begin(), records_.end(),
                     [](Record const& a, Record const& b) { return a.time < b.time; });
    std::ofstream sorted(path_, std::ios::binary | std::ios::trunc);
    write_header(sorted);
    for (Record const& r : records_) {
        sorted.write(unsorted.data() + r.offset, static_cast<std::streamsize>(r.size));
    }
    sorted.close();
    if (!sorted) throw RunError(path_ + ": could not be written to its end");
}

std::string PcapWriter::close() {
    if (closed_) return {};
    closed_ = true;
    out_.close();
    if (!out_) throw RunError(path_ + ": could not be written to its end");
    if (!in_order_) sort_records();
    if (left_out_ == 0) return {};
    return fmt::format("{}: stopped at {} bytes, {} frames left out; give a window, a snap length or a larger limit",
                       path_, limits_.bytes, left_out_);
}

}  // namespace netzip
