#include "models/codec/number_fields.h"

#include <cstring>

#include "models/codec/bit_stream.h"
#include "models/transform/simd.h"

namespace netzip {
namespace {

constexpr unsigned kBf16Mantissa = number_format(DataType::bf16).mantissa_bits;

std::uint32_t load(ByteSpan in, std::size_t value, std::size_t size) {
    std::uint32_t pattern = 0;
    std::memcpy(&pattern, in.data() + value * size, size);
    return pattern;
}

std::uint32_t rest_of(NumberFormat const& f, std::uint32_t pattern) {
    return (pattern & f.sign()) >> f.exponent_bits | (pattern & f.mantissa_field());
}

std::uint32_t pattern_of(NumberFormat const& f, std::uint32_t exponent, std::uint32_t rest) {
    return (rest >> f.mantissa_bits) << (f.bits - 1) | exponent << f.mantissa_bits | (rest & f.mantissa_field());
}

void bf16_exponents(std::uint8_t const* in, std::size_t values, std::uint8_t* exponents) {
    for (std::size_t i = 0; i < values; ++i) {
        std::uint16_t x = 0;
        std::memcpy(&x, in + 2 * i, 2);
        exponents[i] = static_cast<std::uint8_t>(x >> kBf16Mantissa);
    }
}

void bf16_rests(std::uint8_t const* in, std::size_t values, std::uint8_t* rests) {
    for (std::size_t i = 0; i < values; ++i)
        rests[i] = static_cast<std::uint8_t>((in[2 * i + 1] & 0x80) | (in[2 * i] & 0x7F));
}

void bf16_join(std::uint8_t const* exponents, std::uint8_t const* rests, std::size_t values, std::uint8_t* out) {
    for (std::size_t i = 0; i < values; ++i) {
        auto const x =
            static_cast<std::uint16_t>((rests[i] & 0x80) << 8 | exponents[i] << kBf16Mantissa | (rests[i] & 0x7F));
        std::memcpy(out + 2 * i, &x, 2);
    }
}

}  // namespace

void read_exponents(DataType type, ByteSpan in, std::vector<std::uint8_t>& exponents) {
    NumberFormat const f = number_format(type);
    std::size_t const size = element_bytes(type);
    exponents.resize(in.size() / size);
    if (type == DataType::bf16) return run_vectorised<bf16_exponents>(in.data(), exponents.size(), exponents.data());
    for (std::size_t i = 0; i < exponents.size(); ++i)
        exponents[i] = static_cast<std::uint8_t>((load(in, i, size) & f.magnitude()) >> f.mantissa_bits);
}

unsigned rest_bits(DataType type) {
    return 1 + number_format(type).mantissa_bits;
}

std::size_t rest_bytes(DataType type, std::size_t values) {
    return (values * rest_bits(type) + 7) / 8;
}

void append_rests(DataType type, ByteSpan in, std::span<std::uint8_t const> keep, ByteBuffer& out) {
    NumberFormat const f = number_format(type);
    std::size_t const size = element_bytes(type);
    std::size_t const values = in.size() / size;
    std::size_t const start = out.size();
    // Room for one whole word that BitWriter may store beyond the end.
    out.resize(start + rest_bytes(type, values) + sizeof(std::uint64_t));
    if (type == DataType::bf16 && keep.empty()) {
        run_vectorised<bf16_rests>(in.data(), values, out.data() + start);
        out.resize(start + values);
        return;
    }
    BitWriter writer(out.data() + start);
    for (std::size_t i = 0; i < values; ++i)
        if (keep.empty() || keep[i] != 0) writer.put(rest_of(f, load(in, i, size)), rest_bits(type));
    out.resize(static_cast<std::size_t>(writer.end() - out.data()));
}

void join_fields(DataType type, std::span<std::uint8_t const> exponents, ByteSpan rests,
                 std::span<std::uint8_t const> keep, std::span<std::uint8_t> out) {
    if (type == DataType::bf16 && keep.empty())
        return run_vectorised<bf16_join>(exponents.data(), rests.data(), exponents.size(), out.data());
    NumberFormat const f = number_format(type);
    std::size_t const size = element_bytes(type);
    BitReader reader(rests);
    for (std::size_t i = 0; i < exponents.size(); ++i) {
        bool const kept = keep.empty() || keep[i] != 0;
        auto const rest = kept ? static_cast<std::uint32_t>(reader.take(rest_bits(type))) : 0;
        std::uint32_t const pattern = kept ? pattern_of(f, exponents[i], rest) : 0;
        std::memcpy(out.data() + i * size, &pattern, size);
    }
}

}  // namespace netzip
