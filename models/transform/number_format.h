#pragma once

#include <cstdint>

#include "base/data_type.h"

namespace netzip {

/// Where the fields of a floating-point type lie: sign on top, then exponent, then mantissa.
struct NumberFormat {
    unsigned bits;
    unsigned exponent_bits;
    unsigned mantissa_bits;
    int bias;
    bool has_infinity;  ///< false: only the all-ones pattern of exponent and mantissa is not a number

    constexpr std::uint32_t sign() const { return std::uint32_t{1} << (bits - 1); }
    constexpr std::uint32_t magnitude() const { return sign() - 1; }
    constexpr std::uint32_t exponent_field() const { return (std::uint32_t{1} << exponent_bits) - 1; }
    constexpr std::uint32_t mantissa_field() const { return (std::uint32_t{1} << mantissa_bits) - 1; }
    /// The largest magnitude pattern that is a number or an infinity.
    constexpr std::uint32_t largest_number() const {
        return has_infinity ? exponent_field() << mantissa_bits : magnitude() - 1;
    }
};

/// IEEE 754 (fp16, fp32, e5m2 and bf16 as its truncations) and the OCP 8-bit specification (e4m3).
constexpr NumberFormat number_format(DataType type) {
    switch (type) {
        case DataType::fp16:
            return {16, 5, 10, 15, true};
        case DataType::fp32:
            return {32, 8, 23, 127, true};
        case DataType::fp8_e4m3:
            return {8, 4, 3, 7, false};
        case DataType::fp8_e5m2:
            return {8, 5, 2, 15, true};
        case DataType::bf16:
            break;
    }
    return {16, 8, 7, 127, true};
}

/// The pattern as an integer that sorts like the number: negative ones inverted, the sign of the others set.
constexpr std::uint32_t to_ordered(NumberFormat const& format, std::uint32_t pattern) {
    std::uint32_t const all = format.sign() | format.magnitude();
    return (pattern & format.sign()) != 0 ? ~pattern & all : pattern | format.sign();
}
constexpr std::uint32_t from_ordered(NumberFormat const& format, std::uint32_t ordered) {
    std::uint32_t const all = format.sign() | format.magnitude();
    return (ordered & format.sign()) != 0 ? ordered & format.magnitude() : ~ordered & all;
}

/// Exact.
float to_float(DataType type, std::uint32_t pattern);
/// Rounds to the nearest, ties to even; a NaN stays one, quiet. Beyond the largest number: infinity, or NaN where the
/// type has none.
std::uint32_t from_float(DataType type, float value);

}  // namespace netzip
