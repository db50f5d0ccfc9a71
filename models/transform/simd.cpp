#include "models/transform/simd.h"

#include <algorithm>
#include <atomic>

namespace netzip {

SimdLevel best_simd_level() {
#if defined(__x86_64__)
    static SimdLevel const best = __builtin_cpu_supports("avx2") ? SimdLevel::avx2 : SimdLevel::sse2;
    return best;
#else
    return SimdLevel::portable;
#endif
}

namespace {
std::atomic<SimdLevel>& level_in_use() {
    static std::atomic<SimdLevel> level{best_simd_level()};
    return level;
}
}  // namespace

SimdLevel simd_level() {
    return level_in_use().load(std::memory_order_relaxed);
}

void limit_simd_level(SimdLevel level) {
    level_in_use().store(std::min(level, best_simd_level()), std::memory_order_relaxed);
}

}  // namespace netzip
