#include "pipeline/trace/timeline_writer.h"

#include <fmt/format.h>

namespace netzip {
namespace {

/// Rows that one track may have; more overlapping spans than that share the last one.
constexpr std::uint64_t kRowsPerTrack = 1000;

std::string escaped(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) < 0x20) {
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out += c;
        }
    }
    return out;
}

/// Femtoseconds as microseconds, exactly.
std::string microseconds(Duration time) {
    constexpr std::uint64_t kPerMicrosecond = 1'000'000'000;
    return fmt::format("{}.{:09}", time.count() / kPerMicrosecond, time.count() % kPerMicrosecond);
}

std::string_view node_of(std::string_view path) {
    return path.substr(0, path.find('.'));
}
std::string_view below_node(std::string_view path) {
    std::size_t const dot = path.find('.');
    return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

}  // namespace

TimelineWriter::TimelineWriter(std::string path, TraceLimits const& limits) : file_(std::move(path)), limits_(limits) {
    file_.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
}

void TimelineWriter::event(std::string const& text) {
    file_.write(written_ == 0 ? "\n" : ",\n");
    file_.write(text);
    written_ += text.size() + 2;
}

std::uint64_t TimelineWriter::process_of(std::string_view path) {
    std::string_view const node = node_of(path);
    auto const found = processes_.find(node);
    if (found != processes_.end()) return found->second;
    std::uint64_t const process = processes_.size() + 1;
    processes_.emplace(node, process);
    event(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"tid":0,"args":{{"name":"{}"}}}})", process,
                      escaped(node)));
    return process;
}

void TimelineWriter::name_row(Track const& track, std::size_t row) {
    std::uint64_t const thread = track.first_thread + row;
    std::string const name = row == 0 ? track.name : fmt::format("{} [{}]", track.name, row + 1);
    event(fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"{}"}}}})", track.process,
                      thread, escaped(name)));
    event(fmt::format(R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})",
                      track.process, thread, thread));
}

TimelineWriter::Track& TimelineWriter::track_of(std::string_view path) {
    auto const found = tracks_.find(path);
    if (found != tracks_.end()) return found->second;
    Track track;
    track.process = process_of(path);
    track.first_thread = (tracks_.size() + 1) * kRowsPerTrack;
    track.name = below_node(path);
    return tracks_.emplace(path, std::move(track)).first->second;
}

void TimelineWriter::span(std::string_view path, std::string_view name, Duration begin, Duration end) {
    if (end < limits_.begin || begin > limits_.end) return;
    if (written_ > limits_.bytes) {
        ++left_out_;
        return;
    }
    Track& track = track_of(path);
    std::size_t row = 0;
    while (row < track.rows.size() && track.rows[row] > begin) ++row;
    if (row == track.rows.size() && row < kRowsPerTrack) {
        track.rows.push_back(Duration{0});
        name_row(track, row);
    }
    row = std::min(row, track.rows.size() - 1);
    track.rows[row] = end;
    event(fmt::format(R"({{"ph":"X","name":"{}","pid":{},"tid":{},"ts":{},"dur":{}}})", escaped(name), track.process,
                      track.first_thread + row, microseconds(begin), microseconds(end - begin)));
}

void TimelineWriter::counter_event(Counter const& counter, Duration time, std::uint64_t value) {
    event(fmt::format(R"({{"ph":"C","name":"{}","pid":{},"tid":0,"ts":{},"args":{{"value":{}}}}})",
                      escaped(counter.name), counter.process, microseconds(time), value));
}

void TimelineWriter::level(std::string_view path, Duration time, std::uint64_t value) {
    auto found = counters_.find(path);
    if (found == counters_.end()) {
        Counter counter;
        counter.process = process_of(path);
        counter.name = below_node(path);
        found = counters_.emplace(path, std::move(counter)).first;
    }
    Counter& counter = found->second;
    if (time < limits_.begin) {
        if (!counter.seen_before || time >= counter.before) counter.before = time, counter.value = value;
        counter.seen_before = true;
    } else if (time <= limits_.end && written_ <= limits_.bytes) {
        counter_event(counter, time, value);
    } else if (time <= limits_.end) {
        ++left_out_;
    }
}

std::string TimelineWriter::close() {
    if (closed_) return {};
    closed_ = true;
    for (auto const& [path, counter] : counters_) {
        if (counter.seen_before) counter_event(counter, limits_.begin, counter.value);
    }
    file_.write(fmt::format("\n],\"otherData\":{{\"events_left_out\":{}}}}}\n", left_out_));
    file_.commit();
    if (left_out_ == 0) return {};
    return fmt::format("{}: stopped at {} bytes, {} events left out; give a window or a larger limit", file_.name(),
                       limits_.bytes, left_out_);
}

}  // namespace netzip
