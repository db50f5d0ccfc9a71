#pragma once

#include <map>

#include "base/results/output_file.h"
#include "pipeline/trace/trace.h"

namespace netzip {

/// Writes spans and levels as Chrome trace JSON, which Perfetto opens.
///
/// A node is a process and a track one or more threads of it: packets that overlap in a stage go to rows of their own,
/// since complete events on one row must nest. Levels are counters. Times are microseconds with nine decimals, exact.
/// Spans that touch the window are kept whole; a counter shows its last value before the window at its begin.
class TimelineWriter final : public Trace {
public:
    /// Throws RunError when the file cannot be written.
    explicit TimelineWriter(std::string path, TraceLimits const& limits = {});

    void span(std::string_view track, std::string_view name, Duration begin, Duration end) override;
    void level(std::string_view name, Duration time, std::uint64_t value) override;
    std::string close() override;

private:
    struct Track {
        std::uint64_t process = 0;
        std::uint64_t first_thread = 0;  ///< threads of the track are numbered from here on
        std::string name;
        std::vector<Duration> rows;  ///< end of the last span per row
    };
    struct Counter {
        std::uint64_t process = 0;
        std::string name;
        Duration before{0};  ///< time and value of the last change before the window
        std::uint64_t value = 0;
        bool seen_before = false;
    };
    std::uint64_t process_of(std::string_view path);
    Track& track_of(std::string_view path);
    void event(std::string const& text);
    void name_row(Track const& track, std::size_t row);
    void counter_event(Counter const& counter, Duration time, std::uint64_t value);

    OutputFile file_;
    TraceLimits limits_;
    std::uint64_t written_ = 0;
    std::uint64_t left_out_ = 0;
    bool closed_ = false;
    std::map<std::string, std::uint64_t, std::less<>> processes_;
    std::map<std::string, Track, std::less<>> tracks_;
    std::map<std::string, Counter, std::less<>> counters_;
};

}  // namespace netzip
