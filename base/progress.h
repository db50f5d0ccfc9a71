#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace netzip {

/// One line on a terminal: share done, rate, time left. Nothing at all when standard error is no terminal.
class Progress {
public:
    /// `what` is done in `total` pieces called `unit` ("packets"). 0: the total is not known.
    Progress(std::string what, std::uint64_t total, std::string unit);
    Progress(Progress const&) = delete;
    Progress& operator=(Progress const&) = delete;
    /// Removes the line.
    ~Progress();

    /// Cheap: redraws at most ten times a second. `note` stands at the end of the line ("3 failed").
    void update(std::uint64_t done, std::string_view note = "");

    /// The line for a given state; `elapsed` in seconds.
    static std::string line(std::string_view what, std::uint64_t done, std::uint64_t total, std::string_view unit,
                            double elapsed, std::string_view note, std::size_t columns);

private:
    using Clock = std::chrono::steady_clock;

    std::string what_;
    std::uint64_t total_;
    std::string unit_;
    bool shown_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point drawn_{};
};

}  // namespace netzip
