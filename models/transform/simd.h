#pragma once

#include <array>
#include <utility>

#include "base/config/range.h"

namespace netzip {

/// Instruction sets that the transforms use; every level gives the same bytes.
enum class SimdLevel { portable, sse2, avx2 };

template <>
struct EnumNames<SimdLevel> {
    static constexpr std::array values{std::pair{SimdLevel::portable, "portable"}, std::pair{SimdLevel::sse2, "sse2"},
                                       std::pair{SimdLevel::avx2, "avx2"}};
};

/// The best level of this processor.
SimdLevel best_simd_level();
/// The level in use: the best one unless a test or a benchmark has limited it.
SimdLevel simd_level();
/// Limits the level of the whole process; a level that the processor lacks becomes the best it has.
void limit_simd_level(SimdLevel level);

#if defined(__x86_64__)
namespace detail {
/// `Body` and all it calls, compiled for AVX2.
template <auto Body, class... A>
__attribute__((target("avx2"), flatten)) auto run_avx2(A... arguments) {
    return Body(arguments...);
}
}  // namespace detail
#endif

/// Runs the plain loop `Body`, compiled for the level in use.
template <auto Body, class... A>
auto run_vectorised(A... arguments) {
#if defined(__x86_64__)
    if (simd_level() == SimdLevel::avx2) return detail::run_avx2<Body>(arguments...);
#endif
    return Body(arguments...);
}

}  // namespace netzip
