#include "models/codec/library_versions.h"

#include <lz4.h>
#include <snappy-stubs-public.h>
#include <zlib.h>
#include <zstd.h>

namespace netzip {

std::vector<std::pair<std::string, std::string>> codec_library_versions() {
    std::string const snappy =
        std::to_string(SNAPPY_MAJOR) + "." + std::to_string(SNAPPY_MINOR) + "." + std::to_string(SNAPPY_PATCHLEVEL);
    return {{"lz4", LZ4_versionString()}, {"snappy", snappy}, {"zlib", zlibVersion()}, {"zstd", ZSTD_versionString()}};
}

}  // namespace netzip
