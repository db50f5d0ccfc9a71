#include "tools/ratio/floor.h"

#include <cmath>

namespace netzip {
namespace {

/// Where the fields of a type lie; the sign is the highest bit.
struct Fields {
    unsigned bits;
    unsigned exponent_bits;
    unsigned mantissa_bits() const { return bits - 1 - exponent_bits; }
};

Fields fields_of(DataType type) {
    switch (type) {
        case DataType::bf16:
            return {16, 8};
        case DataType::fp16:
            return {16, 5};
        case DataType::fp32:
            return {32, 8};
        case DataType::fp8_e4m3:
            return {8, 4};
        case DataType::fp8_e5m2:
            return {8, 5};
    }
    return {16, 8};
}

/// Bits of sign and mantissa that are counted; a table of all 24 of fp32 would hold more cells than values.
constexpr unsigned kCountedBits = 11;
unsigned counted_bits(Fields const& fields) {
    return fields.bits == 32 ? 8 : std::min(kCountedBits, fields.mantissa_bits() + 1);
}

double entropy(std::vector<std::uint64_t> const& counts, std::uint64_t total) {
    double sum = 0;
    for (std::uint64_t const count : counts) {
        if (count == 0) continue;
        double const p = static_cast<double>(count) / static_cast<double>(total);
        sum -= p * std::log2(p);
    }
    return sum;
}

}  // namespace

FloorCounter::FloorCounter(DataType type)
    : type_(type),
      exponent_(std::size_t{1} << fields_of(type).exponent_bits),
      sign_mantissa_(std::size_t{1} << counted_bits(fields_of(type))),
      high_byte_(256) {}

void FloorCounter::add(ByteSpan bytes) {
    Fields const fields = fields_of(type_);
    std::size_t const size = element_bytes(type_);
    unsigned const mantissa = fields.mantissa_bits();
    unsigned const dropped = mantissa + 1 - counted_bits(fields);
    for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < size; ++i) value |= std::uint32_t{bytes[at + i]} << (8 * i);
        std::uint32_t const exponent = value >> mantissa & ((1u << fields.exponent_bits) - 1);
        std::uint32_t const rest = value >> (fields.bits - 1) << mantissa | (value & ((1u << mantissa) - 1));
        ++exponent_[exponent];
        ++sign_mantissa_[rest >> dropped];
        ++high_byte_[value >> (fields.bits - 8)];
        ++values_;
    }
}

Floor FloorCounter::floor() const {
    Fields const fields = fields_of(type_);
    Floor floor;
    floor.bits = fields.bits;
    floor.exponent_bits = fields.exponent_bits;
    floor.weight = static_cast<double>(values_ * element_bytes(type_));
    if (values_ == 0) return floor;
    floor.exponent = entropy(exponent_, values_);
    floor.sign_mantissa = entropy(sign_mantissa_, values_) + (fields.mantissa_bits() + 1 - counted_bits(fields));
    floor.high_byte = entropy(high_byte_, values_);
    return floor;
}

Floor mean_floor(std::vector<Floor> const& floors) {
    Floor mean;
    for (Floor const& f : floors) mean.weight += f.weight;
    if (mean.weight == 0) return mean;
    for (Floor const& f : floors) {
        double const share = f.weight / mean.weight;
        mean.exponent += share * f.exponent;
        mean.sign_mantissa += share * f.sign_mantissa;
        mean.high_byte += share * f.high_byte;
        mean.bits += share * f.bits;
        mean.exponent_bits += share * f.exponent_bits;
    }
    return mean;
}

}  // namespace netzip
