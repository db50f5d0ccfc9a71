#include <cmath>
#include <cstring>
#include <limits>

#include "models/transform/delta.h"
#include "models/transform/number_format.h"
#include "support/algorithms.h"
#include "support/catch.h"
#include "support/packet_bytes.h"

using namespace netzip;

namespace {

ByteBuffer bytes_of(std::vector<std::uint16_t> const& values) {
    ByteBuffer bytes(values.size() * 2);
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

std::vector<std::uint16_t> values_of(ByteBuffer const& bytes) {
    std::vector<std::uint16_t> values(bytes.size() / 2);
    std::memcpy(values.data(), bytes.data(), values.size() * 2);
    return values;
}

PacketContext bf16_packet(bool first, std::uint64_t offset = 0) {
    return {7, first, offset, DataType::bf16};
}

std::uint32_t value_of(DeltaBase const& base) {
    return base.bytes[0] | std::uint32_t{base.bytes[1]} << 8;
}

/// The base that the second iteration of a layer gets after `values` in the first one.
std::uint32_t base_after(DeltaKind kind, std::vector<std::uint16_t> const& values) {
    DeltaEncoder encoder(kind);
    ByteBuffer first = bytes_of(values);
    encoder.encode(bf16_packet(true), first);
    ByteBuffer second = bytes_of({0});
    return value_of(encoder.encode(bf16_packet(true), second));
}

// bf16 patterns: sign, 8 bits of exponent, 7 bits of mantissa.
constexpr std::uint16_t kOne = 0x3F80, kMinusOne = 0xBF80, kMinusTwo = 0xC000, kTwo = 0x4000, kNaN = 0x7FC1,
                        kMinusNaN = 0xFFC1, kMinusInfinity = 0xFF80, kMinusZero = 0x8000;

}  // namespace

TEST_CASE("the minimum of the previous iteration is that of the numbers, not of the patterns", "[delta]") {
    CHECK(base_after(DeltaKind::min_previous, {kOne, kMinusTwo, kMinusOne, kTwo}) == kMinusTwo);
    CHECK(base_after(DeltaKind::min_previous, {kTwo, kOne}) == kOne);
    CHECK(base_after(DeltaKind::min_previous, {kOne, kMinusInfinity}) == kMinusInfinity);
    CHECK(base_after(DeltaKind::min_previous, {kNaN, kOne, kMinusNaN, kTwo}) == kOne);
    CHECK(base_after(DeltaKind::min_previous, {0, kMinusZero, kOne}) == kMinusZero);
}

TEST_CASE("the minimum runs over all packets of the iteration and is used in the next", "[delta]") {
    DeltaEncoder encoder(DeltaKind::min_previous);
    auto const base = [&](bool first, std::uint16_t value) {
        ByteBuffer packet = bytes_of({value});
        return value_of(encoder.encode(bf16_packet(first), packet));
    };
    CHECK(base(true, kOne) == 0);
    CHECK(base(false, kMinusOne) == 0);
    CHECK(base(true, kTwo) == kMinusOne);
    CHECK(base(false, kTwo) == kMinusOne);
    CHECK(base(true, kTwo) == kTwo);
}

TEST_CASE("layers keep their minimum apart", "[delta]") {
    DeltaEncoder encoder(DeltaKind::min_previous);
    for (auto const& [layer, value] : {std::pair{1, kOne}, std::pair{2, kMinusOne}}) {
        ByteBuffer packet = bytes_of({value});
        encoder.encode({static_cast<std::uint16_t>(layer), true, 0, DataType::bf16}, packet);
    }
    ByteBuffer packet = bytes_of({kTwo});
    CHECK(value_of(encoder.encode({1, true, 0, DataType::bf16}, packet)) == kOne);
}

// 200 values 1.0, 2.0, ... in scrambled order: nearest rank of 1 % is the ceil(0.01 * 200) = 2nd smallest, 2.0.
TEST_CASE("the 1st percentile is the nearest-rank one", "[delta]") {
    std::vector<std::uint16_t> values;
    for (int i = 0; i < 200; ++i)
        values.push_back(
            static_cast<std::uint16_t>(from_float(DataType::bf16, static_cast<float>(1 + (i * 77) % 200))));
    CHECK(base_after(DeltaKind::p1_previous, values) == kTwo);
    values.pop_back();
    values.pop_back();
    CHECK(base_after(DeltaKind::p1_previous, values) == kTwo);
}

TEST_CASE("the integer delta subtracts patterns modulo 2^16", "[delta]") {
    DeltaEncoder encoder(DeltaKind::min_previous);
    ByteBuffer packet = bytes_of({kMinusTwo, kOne});
    encoder.encode(bf16_packet(true), packet);
    packet = bytes_of({kMinusTwo, kOne, kMinusOne, 0});
    encoder.encode(bf16_packet(true), packet);
    CHECK(values_of(packet) == std::vector<std::uint16_t>{0, 0x7F80, 0xFF80, 0x4000});
}

// Ordered: -2 -> ~C000 = 3FFF; 1 -> BF80; so 1 becomes BF80 - 3FFF = 7F81 and -2 becomes 0.
TEST_CASE("the ordered delta subtracts positions among the numbers", "[delta]") {
    DeltaEncoder encoder(DeltaKind::min_previous_ordered);
    ByteBuffer packet = bytes_of({kMinusTwo, kOne});
    encoder.encode(bf16_packet(true), packet);
    packet = bytes_of({kMinusTwo, kOne});
    encoder.encode(bf16_packet(true), packet);
    CHECK(values_of(packet) == std::vector<std::uint16_t>{0, 0x7F81});
}

// Exponent fields 7F, 80, 00 with largest 80 become 01, 00, 80; signs and mantissas stay.
TEST_CASE("the packet's own largest exponent is where its exponents count from", "[delta]") {
    DeltaEncoder encoder(DeltaKind::packet_exponent);
    ByteBuffer packet = bytes_of({0xBFC3, kTwo, 0x0001});
    DeltaBase const base = encoder.encode(bf16_packet(true), packet);
    REQUIRE(base.size == 1);
    CHECK(base.bytes[0] == 0x80);
    CHECK(values_of(packet) == std::vector<std::uint16_t>{0x80C3, 0x0000, 0x4001});
}

TEST_CASE("the true deltas use the same place of the previous iteration", "[delta]") {
    for (auto const& [kind, expected] : {std::pair{DeltaKind::true_integer, std::vector<std::uint16_t>{1, 0xFFFF}},
                                         std::pair{DeltaKind::true_xor, std::vector<std::uint16_t>{1, 3}}}) {
        DeltaEncoder encoder(kind);
        ByteBuffer packet = bytes_of({0x1000, 0x2000});
        encoder.encode(bf16_packet(true, 4), packet);
        CHECK(values_of(packet) == std::vector<std::uint16_t>{0x1000, 0x2000});
        packet = bytes_of({0x1001, kind == DeltaKind::true_xor ? std::uint16_t{0x2003} : std::uint16_t{0x1FFF}});
        encoder.encode(bf16_packet(true, 4), packet);
        CHECK(values_of(packet) == expected);
    }
}

TEST_CASE("a packet that came raw still belongs to the history of a true delta", "[delta]") {
    DeltaEncoder encoder(DeltaKind::true_integer);
    DeltaDecoder decoder(DeltaKind::true_integer);
    ByteBuffer const first = random_bytes(101, 1);
    ByteBuffer const second = random_bytes(103, 2);
    ByteBuffer sent = first;
    encoder.encode(bf16_packet(true), sent);
    decoder.observe(bf16_packet(true), first);
    sent = second;
    encoder.encode(bf16_packet(true), sent);
    decoder.decode(bf16_packet(true), {}, sent);
    CHECK(sent == second);
}

// base 1.0: 1.0078125 - 1 = 0.0078125 comes back; 2^-10 - 1 = -0.9990234375 needs 10 bits of mantissa, rounds to -1,
// and -1 + 1 = 0 is not 2^-10.
TEST_CASE("the float delta loses what bf16 rounds away, and the loss can be counted", "[delta]") {
    DeltaEncoder encoder(DeltaKind::float_min);
    DeltaDecoder decoder(DeltaKind::float_min);
    ByteBuffer packet = bytes_of({kOne});
    encoder.encode(bf16_packet(true), packet);
    std::uint16_t const small = 0x3A80;
    ByteBuffer const sent = bytes_of({0x3F81, small});
    packet = sent;
    DeltaBase const base = encoder.encode(bf16_packet(true), packet);
    CHECK(values_of(packet) == std::vector<std::uint16_t>{0x3C00, kMinusOne});
    decoder.decode(bf16_packet(true), base.span(), packet);
    CHECK(values_of(packet) == std::vector<std::uint16_t>{0x3F81, 0});
    CHECK(count_different_values(DataType::bf16, sent, packet) == 1);
}

TEST_CASE("every lossless delta is undone, also for tails and NaNs, at every SIMD level", "[delta]") {
    for (auto const kind : all_of<DeltaKind>()) {
        AlgorithmConfig config;
        config.delta = kind;
        if (!config.lossless()) continue;
        for (auto const type : all_of<DataType>()) {
            DeltaEncoder encoder(kind);
            DeltaDecoder decoder(kind);
            for (std::size_t const size : {0, 1, 2, 3, 5, 63, 64, 65, 130}) {
                PacketContext const context{1, true, 0, type};
                ByteBuffer const sent = random_bytes(size, static_cast<unsigned>(size));
                ByteBuffer packet = sent;
                DeltaBase const base = encoder.encode(context, packet);
                REQUIRE(base.size == delta_base_bytes(kind, type));
                std::size_t const tail = size % element_bytes(type);
                CHECK(std::equal(packet.end() - static_cast<std::ptrdiff_t>(tail), packet.end(),
                                 sent.end() - static_cast<std::ptrdiff_t>(tail)));
                decoder.decode(context, base.span(), packet);
                CHECK(packet == sent);
            }
        }
    }
}

namespace {

/// Value of a pattern from the definition: (-1)^s 2^(e - bias) (1 + m / 2^M), or without the 1 in the lowest binade.
double defined_value(NumberFormat const& f, std::uint32_t pattern) {
    std::uint32_t const exponent = (pattern & f.magnitude()) >> f.mantissa_bits;
    double const mantissa = std::ldexp(pattern & f.mantissa_field(), -static_cast<int>(f.mantissa_bits));
    double const magnitude = exponent == 0 ? std::ldexp(mantissa, 1 - f.bias)
                                           : std::ldexp(1 + mantissa, static_cast<int>(exponent) - f.bias);
    return (pattern & f.sign()) != 0 ? -magnitude : magnitude;
}

}  // namespace

TEST_CASE("every 8- and 16-bit number converts to the float of its definition and back", "[number_format]") {
    for (auto const type : {DataType::bf16, DataType::fp16, DataType::fp8_e4m3, DataType::fp8_e5m2}) {
        NumberFormat const f = number_format(type);
        for (std::uint32_t p = 0; p < (std::uint32_t{1} << f.bits); ++p) {
            float const value = to_float(type, p);
            if ((p & f.magnitude()) > f.largest_number()) {
                if (!std::isnan(value)) FAIL("pattern " << p << " is a NaN");
                continue;
            }
            bool const infinite = f.has_infinity && (p & f.magnitude()) == f.largest_number();
            if (infinite ? !std::isinf(value) : value != defined_value(f, p)) FAIL("pattern " << p);
            if (from_float(type, value) != p) FAIL("pattern " << p << " does not come back");
        }
    }
    CHECK(to_float(DataType::fp8_e4m3, 0x7E) == 448);
    CHECK(to_float(DataType::fp16, 0x7BFF) == 65504);
    CHECK(to_float(DataType::fp8_e5m2, 0x7B) == 57344);
}

TEST_CASE("rounding goes to the nearest, ties to even", "[number_format]") {
    for (auto const type : {DataType::bf16, DataType::fp16, DataType::fp8_e4m3, DataType::fp8_e5m2}) {
        NumberFormat const f = number_format(type);
        std::uint32_t const last = (f.has_infinity ? f.largest_number() : f.largest_number() + 1) - 2;
        for (std::uint32_t p = 0; p < last; ++p) {
            float const low = to_float(type, p);
            float const high = to_float(type, p + 1);
            float const middle = low + (high - low) / 2;
            std::uint32_t const even = p % 2 == 0 ? p : p + 1;
            if (from_float(type, middle) != even) FAIL("between " << p << " and the next");
            if (from_float(type, std::nextafter(middle, high)) != p + 1) FAIL("above the middle of " << p);
            if (from_float(type, -std::nextafter(middle, low)) != (p | f.sign())) FAIL("below the middle of " << p);
        }
    }
    CHECK(from_float(DataType::fp16, 65520.0F) == 0x7C00);
    CHECK(from_float(DataType::fp8_e4m3, 465.0F) == 0x7F);
    CHECK(std::isnan(to_float(DataType::bf16, from_float(DataType::bf16, std::numeric_limits<float>::quiet_NaN()))));
}
