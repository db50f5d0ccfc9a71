#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace netzip {

/// What the process of one point left behind.
struct ChildOutcome {
    std::uint64_t index = 0;
    bool ok = false;
    std::string text;  ///< what the work returned, or the error in words
    double wall_seconds = 0;
    std::uint64_t peak_memory = 0;  ///< bytes of resident memory, of it and of its largest child; 0 when it failed
};

/// Runs `work(index)` for every index, each in a process of its own, at most `jobs` at a time.
///
/// SystemC elaborates once per process, so the caller must not have elaborated. Outcomes come in the order of their
/// end. An exception of the work, a signal and an early exit are outcomes too. When the caller dies, so do the
/// children.
void run_forked(std::vector<std::uint64_t> const& indices, unsigned jobs,
                std::function<std::string(std::uint64_t)> const& work,
                std::function<void(ChildOutcome const&)> const& done);

}  // namespace netzip
