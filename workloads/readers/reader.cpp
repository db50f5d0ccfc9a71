#include "workloads/readers/reader.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"

namespace netzip {
namespace {

bool begins_with(std::span<std::uint8_t const> bytes, std::string_view magic) {
    return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin(),
                                                      [](char a, auto b) { return static_cast<std::uint8_t>(a) == b; });
}

}  // namespace

bool has_tensor_extension(std::filesystem::path const& path) {
    static constexpr std::array<std::string_view, 2> kExtensions{".safetensors", ".npy"};
    return std::find(kExtensions.begin(), kExtensions.end(), path.extension().string()) != kExtensions.end();
}

TensorList read_tensor_file(std::filesystem::path const& path, ReaderOptions const& options) {
    return read_tensor_file(MappedFile::open(path), options);
}

TensorList read_tensor_file(std::shared_ptr<MappedFile const> const& file, ReaderOptions const& options) {
    auto const bytes = file->bytes();
    if (begins_with(bytes, "\x93NUMPY")) return read_npy(file, options);
    std::size_t constexpr kJsonAt = 8;
    if (file->name().ends_with(".safetensors") || (bytes.size() > kJsonAt && bytes[kJsonAt] == '{')) {
        return read_safetensors(file, options);
    }
    throw InputError(file->name() + ": not a tensor file: expected safetensors or .npy");
}

}  // namespace netzip
