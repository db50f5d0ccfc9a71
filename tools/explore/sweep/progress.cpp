#include "tools/explore/sweep/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace netzip {

std::string duration_words(double seconds) {
    if (seconds < 10) return fmt::format("{:.1f} s", seconds);
    auto const whole = static_cast<std::uint64_t>(seconds + 0.5);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string memory_words(std::uint64_t bytes) {
    double const mebibytes = static_cast<double>(bytes) / (1 << 20);
    return mebibytes < 1024 ? fmt::format("{:.0f} MiB", mebibytes) : fmt::format("{:.1f} GiB", mebibytes / 1024);
}

Progress::Progress(std::ostream& out, bool terminal, std::uint64_t total, std::uint64_t before, unsigned jobs)
    : out_(out), terminal_(terminal), total_(total), before_(before), jobs_(jobs) {}

void Progress::point_done(bool ok, double wall_seconds, std::uint64_t peak_memory) {
    ++done_;
    if (!ok) ++failed_;
    busy_seconds_ += wall_seconds;
    peak_memory_ = std::max(peak_memory_, peak_memory);
    std::uint64_t const tenth = (before_ + done_) * 10 / total_;
    bool const first = done_ == std::min<std::uint64_t>(jobs_, total_ - before_);
    if (!terminal_ && !first && tenth == last_tenth_) return;
    last_tenth_ = tenth;
    draw();
}

void Progress::finish() {
    if (terminal_ && done_ > 0) out_ << '\n' << std::flush;
}

std::string Progress::time_left() const {
    auto const left = total_ - before_ - done_;
    double const each = busy_seconds_ / static_cast<double>(done_);
    return duration_words(each * static_cast<double>(left) / std::min<double>(jobs_, std::max<double>(1, static_cast<double>(left))));
}

std::string Progress::line() const {
    auto const reached = before_ + done_;
    std::string text = fmt::format("{}/{} points", reached, total_);
    if (failed_ > 0) text += fmt::format(", {} failed", failed_);
    if (reached < total_) text += ", about " + time_left() + " left";
    return text + fmt::format(", {} in {} processes", memory_words(peak_memory_ * jobs_), jobs_);
}

void Progress::draw() {
    if (!terminal_) {
        out_ << line() << std::endl;
        return;
    }
    std::uint64_t const kWidth = 30;
    std::uint64_t const full = (before_ + done_) * kWidth / total_;
    out_ << "\r\033[K[" << std::string(full, '#') << std::string(kWidth - full, '.') << "] " << line() << std::flush;
}

}  // namespace netzip
