#include "models/transform/bit_planes.h"

#include <cstring>

#include "models/transform/simd.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace netzip {
namespace {

// An 8x8 bit matrix in a 64-bit word, row r in byte r, is transposed by swapping ever larger off-diagonal blocks:
// the masks pick the elements to swap and the distance is rows minus columns (7, 14, 28).
constexpr std::uint64_t kSwap1 = 0x00AA00AA00AA00AA;
constexpr std::uint64_t kSwap2 = 0x0000CCCC0000CCCC;
constexpr std::uint64_t kSwap4 = 0x00000000F0F0F0F0;

std::uint64_t transpose8(std::uint64_t x) {
    std::uint64_t t = (x ^ (x >> 7)) & kSwap1;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & kSwap2;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & kSwap4;
    return x ^ t ^ (t << 28);
}

void split_portable(std::uint8_t const* bytes, std::size_t first, std::size_t count, std::uint8_t* plane0,
                    std::ptrdiff_t stride) {
    for (std::size_t i = first; i < count; i += 8) {
        std::uint64_t rows = 0;
        for (int r = 0; r < 8; ++r) rows |= std::uint64_t{bytes[i + static_cast<std::size_t>(r)]} << (8 * r);
        rows = transpose8(rows);
        for (int p = 0; p < 8; ++p)
            plane0[p * stride + static_cast<std::ptrdiff_t>(i / 8)] = static_cast<std::uint8_t>(rows >> (8 * p));
    }
}

void join_portable(std::uint8_t const* plane0, std::ptrdiff_t stride, std::uint8_t* bytes, std::size_t first,
                   std::size_t count) {
    for (std::size_t i = first; i < count; i += 8) {
        std::uint64_t rows = 0;
        for (int p = 0; p < 8; ++p)
            rows |= std::uint64_t{plane0[p * stride + static_cast<std::ptrdiff_t>(i / 8)]} << (8 * p);
        rows = transpose8(rows);
        for (int r = 0; r < 8; ++r) bytes[i + static_cast<std::size_t>(r)] = static_cast<std::uint8_t>(rows >> (8 * r));
    }
}

#if defined(__x86_64__)

/// Bytes done; the rest is left to the portable loop.
std::size_t split_sse2(std::uint8_t const* bytes, std::size_t count, std::uint8_t* plane0, std::ptrdiff_t stride) {
    std::size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        __m128i x = _mm_loadu_si128(reinterpret_cast<__m128i const*>(bytes + i));
        for (int p = 7; p >= 0; --p) {
            auto const mask = static_cast<std::uint16_t>(_mm_movemask_epi8(x));
            std::memcpy(plane0 + p * stride + static_cast<std::ptrdiff_t>(i / 8), &mask, sizeof mask);
            x = _mm_add_epi8(x, x);
        }
    }
    return i;
}

__attribute__((target("avx2"))) std::size_t split_avx2(std::uint8_t const* bytes, std::size_t count,
                                                       std::uint8_t* plane0, std::ptrdiff_t stride) {
    std::size_t i = 0;
    for (; i + 32 <= count; i += 32) {
        __m256i x = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(bytes + i));
        for (int p = 7; p >= 0; --p) {
            int const mask = _mm256_movemask_epi8(x);
            std::memcpy(plane0 + p * stride + static_cast<std::ptrdiff_t>(i / 8), &mask, sizeof mask);
            x = _mm256_add_epi8(x, x);
        }
    }
    return i;
}

__m128i load8(std::uint8_t const* p) {
    return _mm_loadl_epi64(reinterpret_cast<__m128i const*>(p));
}

/// Eight plane bytes of each of eight planes, as four registers of two 8x8 bit matrices each.
void load_matrices(std::uint8_t const* at, std::ptrdiff_t stride, __m128i out[4]) {
    __m128i const a01 = _mm_unpacklo_epi8(load8(at), load8(at + stride));
    __m128i const a23 = _mm_unpacklo_epi8(load8(at + 2 * stride), load8(at + 3 * stride));
    __m128i const a45 = _mm_unpacklo_epi8(load8(at + 4 * stride), load8(at + 5 * stride));
    __m128i const a67 = _mm_unpacklo_epi8(load8(at + 6 * stride), load8(at + 7 * stride));
    __m128i const low03 = _mm_unpacklo_epi16(a01, a23);
    __m128i const high03 = _mm_unpackhi_epi16(a01, a23);
    __m128i const low47 = _mm_unpacklo_epi16(a45, a67);
    __m128i const high47 = _mm_unpackhi_epi16(a45, a67);
    out[0] = _mm_unpacklo_epi32(low03, low47);
    out[1] = _mm_unpackhi_epi32(low03, low47);
    out[2] = _mm_unpacklo_epi32(high03, high47);
    out[3] = _mm_unpackhi_epi32(high03, high47);
}

template <int Distance>
__m128i swap_blocks(__m128i x, std::uint64_t mask) {
    __m128i const m = _mm_set1_epi64x(static_cast<long long>(mask));
    __m128i const t = _mm_and_si128(_mm_xor_si128(x, _mm_srli_epi64(x, Distance)), m);
    return _mm_xor_si128(x, _mm_xor_si128(t, _mm_slli_epi64(t, Distance)));
}

std::size_t join_sse2(std::uint8_t const* plane0, std::ptrdiff_t stride, std::uint8_t* bytes, std::size_t count) {
    std::size_t i = 0;
    for (; i + 64 <= count; i += 64) {
        __m128i matrices[4];
        load_matrices(plane0 + i / 8, stride, matrices);
        for (std::size_t k = 0; k < 4; ++k) {
            __m128i x = swap_blocks<7>(matrices[k], kSwap1);
            x = swap_blocks<14>(x, kSwap2);
            x = swap_blocks<28>(x, kSwap4);
            _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes + i + 16 * k), x);
        }
    }
    return i;
}

template <int Distance>
__attribute__((target("avx2"))) __m256i swap_blocks(__m256i x, std::uint64_t mask) {
    __m256i const m = _mm256_set1_epi64x(static_cast<long long>(mask));
    __m256i const t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64(x, Distance)), m);
    return _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64(t, Distance)));
}

__attribute__((target("avx2"), flatten)) std::size_t join_avx2(std::uint8_t const* plane0, std::ptrdiff_t stride,
                                                               std::uint8_t* bytes, std::size_t count) {
    std::size_t i = 0;
    for (; i + 64 <= count; i += 64) {
        __m128i matrices[4];
        load_matrices(plane0 + i / 8, stride, matrices);
        for (std::size_t k = 0; k < 2; ++k) {
            __m256i x = _mm256_set_m128i(matrices[2 * k + 1], matrices[2 * k]);
            x = swap_blocks<7>(x, kSwap1);
            x = swap_blocks<14>(x, kSwap2);
            x = swap_blocks<28>(x, kSwap4);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(bytes + i + 32 * k), x);
        }
    }
    return i;
}

#endif

}  // namespace

void split_bits(std::uint8_t const* bytes, std::size_t count, std::uint8_t* plane0, std::ptrdiff_t stride) {
    std::size_t done = 0;
#if defined(__x86_64__)
    if (simd_level() == SimdLevel::avx2) done = split_avx2(bytes, count, plane0, stride);
    if (simd_level() == SimdLevel::sse2) done = split_sse2(bytes, count, plane0, stride);
#endif
    split_portable(bytes, done, count, plane0, stride);
}

void join_bits(std::uint8_t const* plane0, std::ptrdiff_t stride, std::uint8_t* bytes, std::size_t count) {
    std::size_t done = 0;
#if defined(__x86_64__)
    if (simd_level() == SimdLevel::avx2) done = join_avx2(plane0, stride, bytes, count);
    if (simd_level() == SimdLevel::sse2) done = join_sse2(plane0, stride, bytes, count);
#endif
    join_portable(plane0, stride, bytes, done, count);
}

}  // namespace netzip
