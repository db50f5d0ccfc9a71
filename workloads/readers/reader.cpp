#include "workloads/readers/reader.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"

namespace netzip {
namespace {

/// A pickle of the number that a legacy torch stream begins with.
constexpr std::string_view kTorchMagic = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";
constexpr std::uint8_t kPickle = 0x80;
constexpr std::uint8_t kHighestPickle = 5;

bool begins_with(std::span<std::uint8_t const> bytes, std::string_view magic) {
    return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin(),
                                                      [](char a, auto b) { return static_cast<std::uint8_t>(a) == b; });
}

/// A header length that fits in the file, then '{'. No pickle passes: its first bytes would be a far larger length.
bool looks_like_safetensors(std::span<std::uint8_t const> bytes) {
    std::size_t constexpr kLength = 8;
    if (bytes.size() <= kLength || bytes[kLength] != '{') return false;
    std::uint64_t length = 0;
    for (std::size_t i = kLength; i-- > 0;) length = length << 8 | bytes[i];
    return length <= bytes.size() - kLength;
}

}  // namespace

bool has_tensor_extension(std::filesystem::path const& path) {
    static constexpr std::array<std::string_view, 7> kExtensions{".safetensors", ".npy", ".npz", ".pkl",
                                                                 ".pickle",      ".pt",  ".pth"};
    return std::find(kExtensions.begin(), kExtensions.end(), path.extension().string()) != kExtensions.end();
}

TensorList read_tensor_file(std::filesystem::path const& path, ReaderOptions const& options) {
    return read_tensor_file(MappedFile::open(path), options);
}

TensorList read_tensor_file(std::shared_ptr<MappedFile const> const& file, ReaderOptions const& options) {
    auto const bytes = file->bytes();
    if (begins_with(bytes, "\x93NUMPY")) return read_npy(file, options);
    if (file->name().ends_with(".safetensors") || looks_like_safetensors(bytes)) {
        return read_safetensors(file, options);
    }
    if (begins_with(bytes, "PK\x03\x04")) return read_zip(file, options);
    if (begins_with(bytes, kTorchMagic)) return read_torch_legacy(file, options);
    if (bytes.size() > 1 && bytes[0] == kPickle && bytes[1] <= kHighestPickle) return read_pickle(file, options);
    throw InputError(file->name() + ": not a tensor file: expected safetensors, .npy, .npz, torch .pt or a pickle");
}

}  // namespace netzip
