#include "nic/library_versions.h"

#include <systemc>

#include "models/codec/library_versions.h"

namespace netzip {

std::vector<std::pair<std::string, std::string>> library_versions() {
    auto versions = codec_library_versions();
    versions.emplace_back("systemc", sc_core::sc_release());
    return versions;
}

}  // namespace netzip
