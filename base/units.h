#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace netzip {

/// A physical quantity held as an unsigned 64-bit count of one unit.
///
/// Construction is explicit, so a bare number never becomes a quantity by accident.
/// Addition and multiplication that leave 64 bits, and subtraction below zero, throw
/// `RunError`: a wrapped time would be a wrong result without a sign of it.
template <class Derived>
class Quantity {
public:
    constexpr Quantity() = default;
    explicit constexpr Quantity(std::uint64_t count) : count_(count) {}

    static constexpr Derived zero() { return Derived{0}; }
    static constexpr Derived max() { return Derived{~std::uint64_t{0}}; }

    constexpr std::uint64_t count() const { return count_; }

    friend constexpr auto operator<=>(Quantity const&, Quantity const&) = default;

    friend constexpr Derived operator+(Derived a, Derived b) { return Derived{checked_add(a.count_, b.count_)}; }
    friend constexpr Derived operator-(Derived a, Derived b) { return Derived{checked_sub(a.count_, b.count_)}; }
    friend constexpr Derived operator*(Derived a, std::uint64_t n) { return Derived{checked_mul(a.count_, n)}; }
    friend constexpr Derived operator*(std::uint64_t n, Derived a) { return a * n; }
    constexpr Derived& operator+=(Derived b) { return self() = self() + b; }
    constexpr Derived& operator-=(Derived b) { return self() = self() - b; }

private:
    constexpr Derived& self() { return static_cast<Derived&>(*this); }

    static constexpr std::uint64_t checked_add(std::uint64_t a, std::uint64_t b) {
        std::uint64_t sum = 0;
        if (__builtin_add_overflow(a, b, &sum)) overflow();
        return sum;
    }
    static constexpr std::uint64_t checked_sub(std::uint64_t a, std::uint64_t b) {
        if (b > a) overflow();
        return a - b;
    }
    static constexpr std::uint64_t checked_mul(std::uint64_t a, std::uint64_t b) {
        std::uint64_t product = 0;
        if (__builtin_mul_overflow(a, b, &product)) overflow();
        return product;
    }
    [[noreturn]] static void overflow();

    std::uint64_t count_ = 0;
};

/// Throws RunError: a quantity left the range of 64 bits.
[[noreturn]] void throw_quantity_overflow();

template <class Derived>
void Quantity<Derived>::overflow() {
    throw_quantity_overflow();
}

/// A number of bytes.
class Bytes : public Quantity<Bytes> {
public:
    using Quantity::Quantity;
};

/// Bits per second.
class BitRate : public Quantity<BitRate> {
public:
    using Quantity::Quantity;
};

/// Hertz.
class Frequency : public Quantity<Frequency> {
public:
    using Quantity::Quantity;
};

/// Femtoseconds; as a point in time, since the start of the simulation (at most 5.1 hours).
class Duration : public Quantity<Duration> {
public:
    using Quantity::Quantity;
};

/// Clock cycles; becomes time only through a ClockDomain.
class Cycles : public Quantity<Cycles> {
public:
    using Quantity::Quantity;
};

inline constexpr std::uint64_t kFemtosecondsPerSecond = 1'000'000'000'000'000;

/// Time to move `bytes` at `rate`, rounded up to a femtosecond, computed in 128 bits.
/// `rate` must not be zero.
Duration transfer_time(Bytes bytes, BitRate rate);

/// Mean rate of `bytes` over `span`, in bits per second; 0 when `span` is zero.
double mean_rate(Bytes bytes, Duration span);

/// Cycles to move `bytes` at `width` bytes per cycle, rounded up. `width` must not be zero.
constexpr Cycles beats(std::uint64_t bytes, std::uint64_t width) {
    return Cycles{bytes / width + (bytes % width != 0 ? 1 : 0)};
}

inline constexpr double to_seconds(Duration d) {
    return static_cast<double>(d.count()) * 1e-15;
}
inline constexpr double to_nanoseconds(Duration d) {
    return static_cast<double>(d.count()) * 1e-6;
}

/// Reads "4 KiB", "4096 B". Decimal k/M/G/T, binary Ki/Mi/Gi/Ti. Throws UsageError naming what was expected.
Bytes parse_bytes(std::string_view text);
/// Reads "50 Gb/s", "6.25 GB/s".
BitRate parse_bit_rate(std::string_view text);
/// Reads "300 MHz", "644.53125 MHz", "1 GHz".
Frequency parse_frequency(std::string_view text);
/// Reads "550 ns", "1.5 us", "25 ps", "0 s".
Duration parse_duration(std::string_view text);
/// Reads "170 cycles", "1 cycle".
Cycles parse_cycles(std::string_view text);

/// The shortest exact spelling that the matching parser reads back to the same count.
std::string to_string(Bytes value);
std::string to_string(BitRate value);
std::string to_string(Frequency value);
std::string to_string(Duration value);
std::string to_string(Cycles value);

namespace literals {
constexpr Bytes operator""_B(unsigned long long n) {
    return Bytes{n};
}
constexpr Bytes operator""_KiB(unsigned long long n) {
    return Bytes{n * 1024};
}
constexpr BitRate operator""_Gbps(unsigned long long n) {
    return BitRate{n * 1'000'000'000};
}
constexpr Frequency operator""_MHz(unsigned long long n) {
    return Frequency{n * 1'000'000};
}
constexpr Frequency operator""_GHz(unsigned long long n) {
    return Frequency{n * 1'000'000'000};
}
constexpr Duration operator""_fs(unsigned long long n) {
    return Duration{n};
}
constexpr Duration operator""_ps(unsigned long long n) {
    return Duration{n * 1'000};
}
constexpr Duration operator""_ns(unsigned long long n) {
    return Duration{n * 1'000'000};
}
constexpr Duration operator""_us(unsigned long long n) {
    return Duration{n * 1'000'000'000};
}
constexpr Duration operator""_ms(unsigned long long n) {
    return Duration{n * 1'000'000'000'000};
}
/// Decimal literals are exact to the femtosecond: the compiler's value is rounded to the nearest one.
constexpr Duration operator""_ns(long double n) {
    return Duration{static_cast<std::uint64_t>(n * 1'000'000 + 0.5L)};
}
constexpr Duration operator""_us(long double n) {
    return Duration{static_cast<std::uint64_t>(n * 1'000'000'000 + 0.5L)};
}
constexpr Cycles operator""_cycles(unsigned long long n) {
    return Cycles{n};
}
}  // namespace literals

}  // namespace netzip
