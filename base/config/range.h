#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

#include "base/units.h"

namespace netzip {

/// The values a parameter may take, written beside it in `fields`.
///
/// Bounds are counts of the quantity's base unit (bytes, bits per second, hertz, femtoseconds, cycles)
/// or the number itself; of a text the length, of a list the number of entries. A default outside its range marks
/// a parameter that must be given. `exclusive_low` makes the lower bound open.
struct Range {
    std::optional<double> low;
    std::optional<double> high;
    bool exclusive_low = false;

    bool contains(double value) const {
        if (low && (exclusive_low ? value <= *low : value < *low)) return false;
        return !high || value <= *high;
    }
};

namespace detail {
template <class Derived>
double bound(Quantity<Derived> const& q) {
    return static_cast<double>(q.count());
}
template <class Number>
requires std::is_arithmetic_v<Number>
double bound(Number value) {
    return static_cast<double>(value);
}
}  // namespace detail

inline Range any() {
    return {};
}
template <class T>
Range above(T const& low) {
    return {detail::bound(low), std::nullopt, true};
}
template <class T>
Range at_least(T const& low) {
    return {detail::bound(low), std::nullopt, false};
}
template <class T>
Range between(T const& low, T const& high) {
    return {detail::bound(low), detail::bound(high), false};
}

/// The spelling of each value of an enumeration, in files, on the command line and in results.
/// Specialise with `static constexpr std::array values{std::pair{E::a, "a"}, ...};`
template <class E>
struct EnumNames;

/// The spelling of `value`.
template <class E>
std::string enum_name(E value) {
    for (auto const& [candidate, name] : EnumNames<E>::values) {
        if (candidate == value) return name;
    }
    return "?";
}

}  // namespace netzip
