#include "tools/explore/sweep/sampling.h"

#include <charconv>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "base/units.h"

namespace netzip {
namespace {

/// How a quantity is spelled: its kind, and the count of its base unit.
struct Spelling {
    std::string kind;
    std::function<std::optional<double>(std::string const&)> read;
    std::function<std::string(double)> write;
};

template <class T>
Spelling quantity(std::string kind, T (*parse)(std::string_view)) {
    return {std::move(kind),
            [parse](std::string const& text) -> std::optional<double> {
                try {
                    return static_cast<double>(parse(text).count());
                } catch (Error const&) {
                    return std::nullopt;
                }
            },
            [](double count) { return to_string(T{static_cast<std::uint64_t>(std::llround(count))}); }};
}

template <class Number>
std::optional<double> read_number(std::string const& text) {
    Number value{};
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return static_cast<double>(value);
}

std::vector<Spelling> const& spellings() {
    static std::vector<Spelling> const all{
        {"whole number", read_number<std::int64_t>, [](double v) { return std::to_string(std::llround(v)); }},
        {"decimal number", read_number<double>,
         [](double v) {
             char text[32];
             auto const end = std::to_chars(text, text + sizeof text, v).ptr;
             return std::string(text, end);
         }},
        quantity<Bytes>("size", parse_bytes),
        quantity<BitRate>("bit rate", parse_bit_rate),
        quantity<Frequency>("frequency", parse_frequency),
        quantity<Duration>("time", parse_duration),
        quantity<Cycles>("number of cycles", parse_cycles),
    };
    return all;
}

/// The first spelling in which both ends can be read.
Spelling const* spelling_of(SampleRange const& range) {
    for (auto const& spelling : spellings()) {
        if (spelling.read(range.from) && spelling.read(range.to)) return &spelling;
    }
    return nullptr;
}

}  // namespace

std::uint64_t SampleSource::next() {
    return next_random(state_);
}

double SampleSource::unit() {
    return static_cast<double>(next() >> 11) * 0x1p-53;
}

std::uint64_t SampleSource::below(std::uint64_t n) {
    std::uint64_t const limit = ~std::uint64_t{0} - (~std::uint64_t{0} % n + 1) % n;
    std::uint64_t value = next();
    while (value > limit) value = next();
    return value % n;
}

std::string problem_of(SampleRange const& range) {
    Spelling const* const spelling = spelling_of(range);
    if (spelling == nullptr) {
        return "expected two numbers or two quantities of one kind, such as \"200 MHz\" and \"400 MHz\", got \"" +
               range.from + "\" and \"" + range.to + "\"";
    }
    double const from = *spelling->read(range.from);
    if (from > *spelling->read(range.to)) return "from " + range.from + " is above to " + range.to;
    if (range.logarithmic && from <= 0) return "a logarithmic range starts above zero, got " + range.from;
    if (!range.step.empty()) {
        auto const step = spelling->read(range.step);
        if (!step) return "step: expected a " + spelling->kind + ", got \"" + range.step + "\"";
        if (*step <= 0) return "step: expected more than zero, got " + range.step;
    }
    return "";
}

std::string value_at(SampleRange const& range, double position) {
    Spelling const& spelling = *spelling_of(range);
    double const from = *spelling.read(range.from);
    double const to = *spelling.read(range.to);
    bool const continuous = range.step.empty() && spelling.kind == "decimal number";
    double const step = range.step.empty() ? (continuous ? 0 : 1) : *spelling.read(range.step);
    // Half a step is added at the upper end so that both ends are as likely as the values between them.
    double const top = range.logarithmic ? to : (continuous ? to : from + (std::floor((to - from) / step) + 1) * step);
    double value = range.logarithmic ? from * std::pow(to / from, position) : from + (top - from) * position;
    if (!continuous) {
        double const steps = (value - from) / step;
        value = from + (range.logarithmic ? std::round(steps) : std::floor(steps)) * step;
    }
    return spelling.write(std::min(value, to));
}

std::vector<std::vector<double>> random_positions(std::uint64_t seed, std::size_t samples, std::size_t dimensions) {
    SampleSource source(seed);
    std::vector<std::vector<double>> rows(samples, std::vector<double>(dimensions));
    for (auto& row : rows) {
        for (auto& position : row) position = source.unit();
    }
    return rows;
}

std::vector<std::vector<double>> latin_hypercube_positions(std::uint64_t seed, std::size_t samples,
                                                           std::size_t dimensions) {
    SampleSource source(seed);
    std::vector<std::vector<double>> rows(samples, std::vector<double>(dimensions));
    std::vector<std::size_t> strata(samples);
    for (std::size_t d = 0; d < dimensions; ++d) {
        for (std::size_t i = 0; i < samples; ++i) strata[i] = i;
        for (std::size_t i = samples; i > 1; --i) std::swap(strata[i - 1], strata[source.below(i)]);
        for (std::size_t i = 0; i < samples; ++i) {
            rows[i][d] = (static_cast<double>(strata[i]) + source.unit()) / static_cast<double>(samples);
        }
    }
    return rows;
}

}  // namespace netzip
