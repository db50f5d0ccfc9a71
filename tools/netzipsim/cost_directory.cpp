#include "tools/netzipsim/cost_directory.h"

#include <filesystem>

namespace netzip {

std::string default_cost_directory() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    fs::path at = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    constexpr int kLevels = 4;  // build/PRESET/bin, and one more for builds elsewhere
    for (int level = 0; level < kLevels && !at.empty(); ++level) {
        if (fs::is_directory(at / "configs" / "cost", ignored)) return (at / "configs" / "cost").string();
        at = at.parent_path();
    }
    return "configs/cost";
}

}  // namespace netzip
