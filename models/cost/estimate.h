#pragma once

#include "base/stats/provenance.h"

namespace netzip {

/// The less certain of two origins of cost numbers: assumed before derived before anything else.
constexpr Provenance weaker(Provenance a, Provenance b) {
    if (a == Provenance::assumed || b == Provenance::assumed) return Provenance::assumed;
    if (a == Provenance::derived || b == Provenance::derived) return Provenance::derived;
    return a;
}

/// A value with the range of its sources. Not negative, low <= typical <= high.
struct Estimate {
    double low = 0.0;
    double typical = 0.0;
    double high = 0.0;

    static Estimate exact(double value) { return {value, value, value}; }

    Estimate& operator+=(Estimate const& other) {
        low += other.low;
        typical += other.typical;
        high += other.high;
        return *this;
    }
    friend Estimate operator+(Estimate a, Estimate const& b) { return a += b; }
    friend Estimate operator*(Estimate const& a, double n) { return {a.low * n, a.typical * n, a.high * n}; }
    friend Estimate operator*(Estimate const& a, Estimate const& b) {
        return {a.low * b.low, a.typical * b.typical, a.high * b.high};
    }
    /// Lowest over highest, highest over lowest.
    friend Estimate operator/(Estimate const& a, Estimate const& b) {
        return {a.low / b.high, a.typical / b.typical, a.high / b.low};
    }
    friend bool operator==(Estimate const&, Estimate const&) = default;
};

/// An estimate with its origin. Combining numbers keeps the weakest word and any mark.
struct Number {
    Estimate value;
    Provenance provenance = Provenance::quoted;
    bool out_of_range = false;  ///< used outside the range in which its table holds

    Number with(Estimate const& v) const { return {v, provenance, out_of_range}; }
    void weaken(Number const& other) {
        provenance = weaker(provenance, other.provenance);
        out_of_range = out_of_range || other.out_of_range;
    }
    Number& operator+=(Number const& other) {
        value += other.value;
        weaken(other);
        return *this;
    }
    friend Number operator+(Number a, Number const& b) { return a += b; }
    friend Number operator*(Number const& a, double n) { return a.with(a.value * n); }
    friend Number operator*(Number const& a, Number const& b) {
        Number product = a.with(a.value * b.value);
        product.weaken(b);
        return product;
    }
    friend Number operator/(Number const& a, Number const& b) {
        Number quotient = a.with(a.value / b.value);
        quotient.weaken(b);
        return quotient;
    }
};

}  // namespace netzip
