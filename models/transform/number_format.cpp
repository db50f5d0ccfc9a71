#include "models/transform/number_format.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace netzip {
namespace {

constexpr NumberFormat kSingle = number_format(DataType::fp32);
/// Bits of fp32 below those of bf16.
constexpr unsigned kBf16Shift = 16;

std::uint32_t round_to_bf16(float value) {
    auto const bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & kSingle.magnitude()) > kSingle.largest_number()) return (bits >> kBf16Shift) | 0x40;
    std::uint32_t const odd = (bits >> kBf16Shift) & 1;
    return (bits + 0x7FFF + odd) >> kBf16Shift;
}

/// Magnitude pattern of a finite value: scaled so that one unit of the last place becomes 1, then rounded by the
/// processor's ties-to-even.
std::uint32_t round_magnitude(NumberFormat const& f, float magnitude) {
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    int const normal = std::max(exponent - 1, 1 - f.bias);
    int const last_place = normal - static_cast<int>(f.mantissa_bits);
    auto const units =
        static_cast<std::uint32_t>(std::nearbyint(std::ldexp(static_cast<double>(magnitude), -last_place)));
    // A carry out of the mantissa raises the exponent field by itself.
    auto const field = static_cast<std::uint32_t>(normal + f.bias - 1);
    return (field << f.mantissa_bits) + units;
}

}  // namespace

float to_float(DataType type, std::uint32_t pattern) {
    NumberFormat const f = number_format(type);
    if (type == DataType::fp32) return std::bit_cast<float>(pattern);
    if (type == DataType::bf16) return std::bit_cast<float>(pattern << kBf16Shift);
    std::uint32_t const magnitude = pattern & f.magnitude();
    std::uint32_t const sign = (pattern & f.sign()) != 0 ? kSingle.sign() : 0;
    std::uint32_t const field = magnitude >> f.mantissa_bits;
    std::uint32_t const mantissa = magnitude & f.mantissa_field();
    std::uint32_t const top = mantissa << (kSingle.mantissa_bits - f.mantissa_bits);
    std::uint32_t const infinity = kSingle.exponent_field() << kSingle.mantissa_bits;
    if (magnitude > f.largest_number()) return std::bit_cast<float>(sign | infinity | (top != 0 ? top : 1));
    if (f.has_infinity && magnitude == f.largest_number()) return std::bit_cast<float>(sign | infinity);
    if (field == 0) {
        float const value = std::ldexp(static_cast<float>(mantissa), 1 - f.bias - static_cast<int>(f.mantissa_bits));
        return sign != 0 ? -value : value;
    }
    auto const exponent = static_cast<std::uint32_t>(static_cast<int>(field) - f.bias + kSingle.bias);
    return std::bit_cast<float>(sign | (exponent << kSingle.mantissa_bits) | top);
}

std::uint32_t from_float(DataType type, float value) {
    if (type == DataType::fp32) return std::bit_cast<std::uint32_t>(value);
    if (type == DataType::bf16) return round_to_bf16(value);
    NumberFormat const f = number_format(type);
    std::uint32_t const sign = std::signbit(value) ? f.sign() : 0;
    std::uint32_t const quiet = f.magnitude();
    if (std::isnan(value)) return sign | quiet;
    std::uint32_t const beyond = f.has_infinity ? f.largest_number() : quiet;
    if (std::isinf(value)) return sign | beyond;
    if (value == 0.0F) return sign;
    std::uint32_t const magnitude = round_magnitude(f, std::fabs(value));
    return sign | (magnitude > f.largest_number() ? beyond : magnitude);
}

}  // namespace netzip
