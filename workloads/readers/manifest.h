#pragma once

#include "workloads/readers/reader.h"

namespace netzip {

/// The tensors of a manifest (docs/recordings.md lists its fields), in its order.
///
/// Every entry is held against the file it names: the tensor must be there with the same type, size and offset.
/// With `verify` the bytes are compared with the entry's SHA-256, too. Throws InputError, one line per problem.
TensorList read_manifest(std::filesystem::path const& path, ReaderOptions const& options, bool verify);

}  // namespace netzip
