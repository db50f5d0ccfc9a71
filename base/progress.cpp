#include "base/progress.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace netzip {
namespace {

std::size_t terminal_columns() {
    winsize size{};
    constexpr std::size_t kUsual = 80;
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

bool is_terminal() {
    char const* const kind = std::getenv("TERM");
    return ::isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

std::string short_count(double value) {
    if (value >= 1e6) return fmt::format("{:.1f} M ", value / 1e6);
    if (value >= 1e3) return fmt::format("{:.1f} k ", value / 1e3);
    return fmt::format("{:.0f} ", value);
}

std::string clock_time(double seconds) {
    auto const whole = static_cast<std::uint64_t>(seconds + 0.5);
    if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

void put(std::string const& text) {
    // A progress line that cannot be shown is no failure.
    [[maybe_unused]] ssize_t const written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Progress::Progress(std::string what, std::uint64_t total, std::string unit)
    : what_(std::move(what)), total_(total), unit_(std::move(unit)), shown_(is_terminal()) {}

Progress::~Progress() {
    if (shown_ && drawn_ != Clock::time_point{}) put("\r\x1b[K");
}

void Progress::update(std::uint64_t done, std::string_view note) {
    if (!shown_) return;
    constexpr auto kRedraw = std::chrono::milliseconds(100);
    Clock::time_point const now = Clock::now();
    if (now - drawn_ < kRedraw) return;
    drawn_ = now;
    double const elapsed = std::chrono::duration<double>(now - start_).count();
    put("\r\x1b[K" + line(what_, done, total_, unit_, elapsed, note, terminal_columns()));
}

std::string Progress::line(std::string_view what, std::uint64_t done, std::uint64_t total, std::string_view unit,
                           double elapsed, std::string_view note, std::size_t columns) {
    double const rate = elapsed > 0 ? static_cast<double>(done) / elapsed : 0;
    std::string text(what);
    if (total > 0) {
        constexpr std::size_t kBar = 20;
        double const share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
        auto const filled = static_cast<std::size_t>(share * kBar);
        text += fmt::format(" [{:#<{}}{:.<{}}] {:3.0f} %", "", filled, "", kBar - filled, 100 * share);
    }
    text += fmt::format("  {}{}", short_count(static_cast<double>(done)), unit);
    if (rate > 0) text += fmt::format("  {}{}/s", short_count(rate), unit);
    if (rate > 0 && total > done) text += "  " + clock_time(static_cast<double>(total - done) / rate) + " left";
    if (!note.empty()) text += "  " + std::string(note);
    return text.substr(0, columns > 0 ? columns - 1 : 0);
}

}  // namespace netzip
