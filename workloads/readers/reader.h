#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workloads/tensor.h"

namespace netzip {

struct ReaderOptions {
    std::optional<DataType> dtype;             ///< of files that do not say
    std::uint64_t header_limit = 100'000'000;  ///< bytes of a safetensors header
    bool allow_trailing = false;               ///< bytes behind the last tensor of a safetensors file
};

/// The tensors of one file, in the order of the file, and what a user should know about them.
struct TensorList {
    std::vector<TensorRef> tensors;
    std::vector<std::string> notes;
};

/// One reader per format. Each throws InputError with one line per problem; nothing but headers is read.
TensorList read_safetensors(std::shared_ptr<MappedFile const> const& file, ReaderOptions const& options);
TensorList read_npy(std::shared_ptr<MappedFile const> const& file, ReaderOptions const& options);
/// A .npz, or what torch.save writes (a ZIP archive).
TensorList read_zip(std::shared_ptr<MappedFile const> const& file, ReaderOptions const& options);
/// What torch.save wrote before it used ZIP.
TensorList read_torch_legacy(std::shared_ptr<MappedFile const> const& file, ReaderOptions const& options);
/// What pickle.dump writes for tensors and lists or dicts of them; nothing of the file is executed.
TensorList read_pickle(std::shared_ptr<MappedFile const> const& file, ReaderOptions const& options);

/// Tells the format by the first bytes and reads the file. Name, kind and model layer follow from what the file
/// says: "gradient/layers.3.mlp.up.weight" is a gradient of layer 3.
TensorList read_tensor_file(std::filesystem::path const& path, ReaderOptions const& options);
TensorList read_tensor_file(std::shared_ptr<MappedFile const> const& file, ReaderOptions const& options);

/// True for the extensions that are looked for in a directory.
bool has_tensor_extension(std::filesystem::path const& path);

}  // namespace netzip
