#include "pipeline/trace/vcd_writer.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace netzip {
namespace {

constexpr unsigned kVectorBits = 32;
/// Printed size of one change, for the size limit: time stamp, vector and code.
constexpr std::uint64_t kBytesPerChange = 64;

std::vector<std::string> split(std::string const& path) {
    std::vector<std::string> parts(1);
    for (char c : path) {
        if (c == '.') {
            parts.emplace_back();
        } else {
            // White space ends a name in a VCD.
            parts.back() += c == ' ' || c == '\t' || c == '\n' ? '_' : c;
        }
    }
    return parts;
}

std::string binary(std::uint64_t value) {
    std::string digits;
    do {
        digits += static_cast<char>('0' + (value & 1));
        value >>= 1;
    } while (value != 0);
    std::reverse(digits.begin(), digits.end());
    return digits;
}

}  // namespace

VcdWriter::VcdWriter(std::string path, TraceLimits const& limits) : file_(std::move(path)), limits_(limits) {}

std::uint32_t VcdWriter::signal_of(std::string_view path, bool counted) {
    auto const found = numbers_.find(path);
    if (found != numbers_.end()) return found->second;
    auto const number = static_cast<std::uint32_t>(signals_.size());
    signals_.push_back({std::string(path), counted});
    numbers_.emplace(path, number);
    return number;
}

void VcdWriter::add(Change const& change) {
    if (changes_.size() * kBytesPerChange >= limits_.bytes) {
        ++left_out_;
    } else {
        changes_.push_back(change);
    }
}

void VcdWriter::span(std::string_view track, std::string_view, Duration begin, Duration end) {
    if (end < limits_.begin || begin > limits_.end || begin == end) return;
    std::uint32_t const signal = signal_of(track, true);
    add({std::max(begin, limits_.begin).count(), signal, Kind::add, 0});
    add({end.count(), signal, Kind::remove, 0});
}

void VcdWriter::level(std::string_view name, Duration time, std::uint64_t value) {
    if (time > limits_.end) return;
    add({time.count(), signal_of(name, false), Kind::set, value});
}

/// Identifier codes are the printable characters, as digits of a number.
std::string VcdWriter::code(std::uint64_t number) {
    constexpr std::uint64_t kFirst = '!';
    constexpr std::uint64_t kCount = '~' - '!' + 1;
    std::string text;
    do {
        text += static_cast<char>(kFirst + number % kCount);
        number /= kCount;
    } while (number != 0);
    return text;
}

void VcdWriter::declare(std::string& out) const {
    std::vector<std::string> open;
    auto const enter = [&](std::vector<std::string> const& scopes) {
        std::size_t common = 0;
        while (common < open.size() && common < scopes.size() && open[common] == scopes[common]) ++common;
        for (; open.size() > common; open.pop_back()) out += "$upscope $end\n";
        for (; open.size() < scopes.size(); open.push_back(scopes[open.size()])) {
            out += fmt::format("$scope module {} $end\n", scopes[open.size()]);
        }
    };
    for (auto const& [path, number] : numbers_) {  // in order of their names, so that scopes are opened once
        auto scopes = split(path);
        if (signals_[number].counted) {
            enter(scopes);
            out += fmt::format("$var wire 1 {} busy $end\n", code(2 * number + 1));
            out += fmt::format("$var wire {} {} packets $end\n", kVectorBits, code(2 * number));
        } else {
            std::string const name = scopes.back();
            scopes.pop_back();
            if (scopes.empty()) scopes.emplace_back("top");
            enter(scopes);
            out += fmt::format("$var wire {} {} {} $end\n", kVectorBits, code(2 * number), name);
        }
    }
    enter({});
}

void VcdWriter::print(std::string& out, std::uint32_t signal, std::uint64_t value) const {
    out += fmt::format("b{} {}\n", binary(value), code(2 * std::uint64_t{signal}));
    if (signals_[signal].counted) out += fmt::format("{}{}\n", value > 0 ? 1 : 0, code(2 * std::uint64_t{signal} + 1));
}

std::string VcdWriter::close() {
    if (closed_) return {};
    closed_ = true;
    std::stable_sort(changes_.begin(), changes_.end(),
                     [](Change const& a, Change const& b) { return a.time < b.time; });
    std::vector<std::uint64_t> values(signals_.size(), 0);
    std::vector<std::uint64_t> printed(signals_.size(), 0);
    auto const apply = [&](Change const& c) {
        std::uint64_t& value = values[c.signal];
        value = c.kind == Kind::set ? c.value : c.kind == Kind::add ? value + 1 : value - (value > 0 ? 1 : 0);
    };
    std::size_t i = 0;
    while (i < changes_.size() && changes_[i].time <= limits_.begin.count()) apply(changes_[i++]);

    std::string out = "$version netzipsim $end\n$timescale 1 fs $end\n";
    declare(out);
    out += fmt::format("$enddefinitions $end\n#{}\n$dumpvars\n", limits_.begin.count());
    for (std::uint32_t s = 0; s < signals_.size(); ++s) print(out, s, printed[s] = values[s]);
    out += "$end\n";
    std::vector<std::uint32_t> touched;
    while (i < changes_.size() && changes_[i].time <= limits_.end.count()) {
        std::uint64_t const time = changes_[i].time;
        touched.clear();
        for (; i < changes_.size() && changes_[i].time == time; ++i) {
            apply(changes_[i]);
            touched.push_back(changes_[i].signal);
        }
        bool stamped = false;
        for (std::uint32_t s : touched) {
            if (values[s] == printed[s]) continue;
            if (!stamped) out += fmt::format("#{}\n", time);
            stamped = true;
            print(out, s, printed[s] = values[s]);
        }
        if (out.size() > (1u << 20)) {
            file_.write(out);
            out.clear();
        }
    }
    file_.write(out);
    file_.commit();
    if (left_out_ == 0) return {};
    return fmt::format("{}: stopped after {} changes, {} left out; give a window or a larger limit", file_.name(),
                       changes_.size(), left_out_);
}

}  // namespace netzip
