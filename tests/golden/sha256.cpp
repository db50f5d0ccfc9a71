#include "golden/sha256.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace netzip {
namespace {

/// The first 32 bits of the fractional part of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
std::array<std::uint32_t, 64> round_constants() {
    std::array<std::uint32_t, 64> constants{};
    std::size_t found = 0;
    for (unsigned n = 2; found < constants.size(); ++n) {
        bool prime = true;
        for (unsigned d = 2; d * d <= n; ++d) prime &= n % d != 0;
        if (!prime) continue;
        long double const root = std::cbrt(static_cast<long double>(n));
        constants[found++] = static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
    }
    return constants;
}

constexpr std::size_t kBlock = 64;

}  // namespace

void Sha256::block(std::uint8_t const* at) {
    static std::array<std::uint32_t, 64> const k = round_constants();
    std::array<std::uint32_t, 64> w;
    for (std::size_t i = 0; i < 16; ++i)
        w[i] = std::uint32_t{at[4 * i]} << 24 | std::uint32_t{at[4 * i + 1]} << 16 | std::uint32_t{at[4 * i + 2]} << 8 |
               at[4 * i + 3];
    for (std::size_t i = 16; i < 64; ++i) {
        std::uint32_t const s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
        std::uint32_t const s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t i = 0; i < 64; ++i) {
        std::uint32_t const s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        std::uint32_t const t1 = h + s1 + ((e & f) ^ (~e & g)) + k[i] + w[i];
        std::uint32_t const s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        std::uint32_t const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    std::array const next{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state_[i] += next[i];
}

void Sha256::add(std::uint8_t const* data, std::size_t size) {
    bytes_ += size;
    pending_.insert(pending_.end(), data, data + size);
    std::size_t at = 0;
    for (; at + kBlock <= pending_.size(); at += kBlock) block(pending_.data() + at);
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(at));
}

std::string Sha256::hex() {
    std::uint64_t const bits = bytes_ * 8;
    pending_.push_back(0x80);
    while (pending_.size() % kBlock != kBlock - 8) pending_.push_back(0);
    for (int shift = 56; shift >= 0; shift -= 8) pending_.push_back(static_cast<std::uint8_t>(bits >> shift));
    for (std::size_t at = 0; at < pending_.size(); at += kBlock) block(pending_.data() + at);
    std::string text;
    for (auto const word : state_)
        for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 0xF];
    return text;
}

}  // namespace netzip
