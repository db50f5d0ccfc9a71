#include "base/units.h"

#include <array>
#include <charconv>
#include <optional>

#include "base/error.h"

namespace netzip {
namespace {

__extension__ using Wide = unsigned __int128;

struct UnitName {
    std::string_view name;
    Wide numerator;  ///< counts per unit, as numerator / denominator
    Wide denominator;
};

constexpr Wide kKilo = 1'000;
constexpr Wide kMega = 1'000'000;
constexpr Wide kGiga = 1'000'000'000;
constexpr Wide kTera = 1'000'000'000'000;

// Largest first: the writer takes the first that divides exactly.
constexpr std::array kByteUnits{
    UnitName{"TiB", Wide{1} << 40, 1}, UnitName{"GiB", Wide{1} << 30, 1}, UnitName{"MiB", Wide{1} << 20, 1},
    UnitName{"KiB", Wide{1} << 10, 1}, UnitName{"TB", kTera, 1},          UnitName{"GB", kGiga, 1},
    UnitName{"MB", kMega, 1},          UnitName{"kB", kKilo, 1},          UnitName{"B", 1, 1}};
constexpr std::array kRateUnits{UnitName{"Tb/s", kTera, 1},     UnitName{"Gb/s", kGiga, 1},
                                UnitName{"Mb/s", kMega, 1},     UnitName{"kb/s", kKilo, 1},
                                UnitName{"b/s", 1, 1},          UnitName{"TB/s", 8 * kTera, 1},
                                UnitName{"GB/s", 8 * kGiga, 1}, UnitName{"MB/s", 8 * kMega, 1},
                                UnitName{"kB/s", 8 * kKilo, 1}, UnitName{"B/s", 8, 1}};
constexpr std::array kFrequencyUnits{UnitName{"GHz", kGiga, 1}, UnitName{"MHz", kMega, 1}, UnitName{"kHz", kKilo, 1},
                                     UnitName{"Hz", 1, 1}};
constexpr std::array kDurationUnits{UnitName{"s", kKilo* kTera, 1}, UnitName{"ms", kTera, 1}, UnitName{"us", kGiga, 1},
                                    UnitName{"ns", kMega, 1},       UnitName{"ps", kKilo, 1}, UnitName{"fs", 1, 1}};
constexpr std::array kCycleUnits{UnitName{"cycles", 1, 1}, UnitName{"cycle", 1, 1}};

std::string_view trimmed(std::string_view text) {
    auto const first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// A non-negative decimal as digits * 10^-scale; nothing when `text` is not one or has over 20 digits.
struct Decimal {
    Wide digits;
    Wide scale;
};

std::optional<Decimal> parse_decimal(std::string_view text) {
    Decimal result{0, 1};
    bool point = false;
    int digits = 0;
    constexpr int kMostDigits = 20;  // all of 64 bits; digits * any unit stays inside 128 bits
    for (char const c : text) {
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9' && ++digits <= kMostDigits) {
            result.digits = result.digits * 10 + static_cast<Wide>(c - '0');
            if (point) result.scale *= 10;
        } else {
            return std::nullopt;
        }
    }
    if (digits == 0) return std::nullopt;
    return result;
}

template <std::size_t N>
std::uint64_t parse_quantity(std::string_view text, std::array<UnitName, N> const& units, char const* expected) {
    auto const fail = [&](char const* why) {
        throw UsageError(std::string("expected ") + expected + ", got \"" + std::string(text) + "\"" + why);
    };
    std::string_view const body = trimmed(text);
    auto const split = body.find_first_not_of("0123456789.");
    if (split == std::string_view::npos || split == 0) fail("");
    auto const number = parse_decimal(body.substr(0, split));
    if (!number) fail("");
    std::string_view const unit = trimmed(body.substr(split));
    for (UnitName const& candidate : units) {
        if (candidate.name != unit) continue;
        Wide const scaled = number->digits * candidate.numerator;
        Wide const divisor = number->scale * candidate.denominator;
        if (scaled % divisor != 0) fail(" (finer than the unit it is counted in)");
        Wide const count = scaled / divisor;
        if (count > Wide{~std::uint64_t{0}}) fail(" (too large)");
        return static_cast<std::uint64_t>(count);
    }
    fail("");
    return 0;
}

template <std::size_t N>
std::string format_quantity(std::uint64_t count, std::array<UnitName, N> const& units, std::string_view zero_unit) {
    if (count == 0) return "0 " + std::string(zero_unit);
    for (UnitName const& unit : units) {
        Wide const per_unit = unit.numerator;
        if (Wide{count} % per_unit == 0) {
            return std::to_string(static_cast<std::uint64_t>(Wide{count} / per_unit)) + " " + std::string(unit.name);
        }
        // A decimal of up to six places reads better than a long count of the smallest unit.
        Wide const millionths = Wide{count} * kMega;
        bool const decimal_unit = per_unit % 10 == 0;
        if (decimal_unit && Wide{count} > per_unit && millionths % per_unit == 0) {
            auto const value = static_cast<std::uint64_t>(millionths / per_unit);
            std::string fraction = std::to_string(value % 1'000'000);
            fraction.insert(0, 6 - fraction.size(), '0');
            fraction.erase(fraction.find_last_not_of('0') + 1);
            return std::to_string(value / 1'000'000) + "." + fraction + " " + std::string(unit.name);
        }
    }
    return std::to_string(count) + " " + std::string(units.back().name);
}

}  // namespace

void throw_quantity_overflow() {
    throw RunError("a quantity left the range of 64 bits (time in femtoseconds ends at 5.1 hours)");
}

Duration transfer_time(Bytes bytes, BitRate rate) {
    Wide const numerator = Wide{bytes.count()} * 8 * kFemtosecondsPerSecond;
    Wide const result = (numerator + rate.count() - 1) / rate.count();
    if (result > Wide{~std::uint64_t{0}}) throw_quantity_overflow();
    return Duration{static_cast<std::uint64_t>(result)};
}

double mean_rate(Bytes bytes, Duration span) {
    if (span == Duration::zero()) return 0.0;
    return 8.0 * static_cast<double>(bytes.count()) / to_seconds(span);
}

Bytes parse_bytes(std::string_view text) {
    return Bytes{parse_quantity(text, kByteUnits, "a size such as \"4 KiB\"")};
}
BitRate parse_bit_rate(std::string_view text) {
    return BitRate{parse_quantity(text, kRateUnits, "a bit rate such as \"50 Gb/s\"")};
}
Frequency parse_frequency(std::string_view text) {
    return Frequency{parse_quantity(text, kFrequencyUnits, "a frequency such as \"300 MHz\"")};
}
Duration parse_duration(std::string_view text) {
    return Duration{parse_quantity(text, kDurationUnits, "a time such as \"550 ns\"")};
}
Cycles parse_cycles(std::string_view text) {
    return Cycles{parse_quantity(text, kCycleUnits, "a number of cycles such as \"4 cycles\"")};
}

std::string to_string(Bytes value) {
    return format_quantity(value.count(), kByteUnits, "B");
}
std::string to_string(BitRate value) {
    return format_quantity(value.count(), kRateUnits, "b/s");
}
std::string to_string(Frequency value) {
    return format_quantity(value.count(), kFrequencyUnits, "Hz");
}
std::string to_string(Duration value) {
    return format_quantity(value.count(), kDurationUnits, "s");
}
std::string to_string(Cycles value) {
    return std::to_string(value.count()) + (value.count() == 1 ? " cycle" : " cycles");
}

}  // namespace netzip
