#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace netzip {

/// What a person sees while a sweep runs: a bar on a terminal, a line every tenth of the way elsewhere.
class Progress {
public:
    /// `before` points were done earlier and say nothing about the speed.
    Progress(std::ostream& out, bool terminal, std::uint64_t total, std::uint64_t before, unsigned jobs);

    void point_done(bool ok, double wall_seconds, std::uint64_t peak_memory);
    void finish();

private:
    void draw();
    std::string line() const;
    std::string time_left() const;

    std::ostream& out_;
    bool terminal_;
    std::uint64_t total_;
    std::uint64_t before_;
    unsigned jobs_;
    std::uint64_t done_ = 0;
    std::uint64_t failed_ = 0;
    std::uint64_t peak_memory_ = 0;
    double busy_seconds_ = 0;
    std::uint64_t last_tenth_ = 0;
};

/// "1 h 05 min", "2 min 10 s", "4.2 s".
std::string duration_words(double seconds);
/// "1.5 GiB", "320 MiB".
std::string memory_words(std::uint64_t bytes);

}  // namespace netzip
