#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "workloads/readers/reader.h"

namespace netzip {

/// Reads `data` as a file of this name: either an InputError, or tensors whose bytes are all there.
inline int fuzz_tensor_file(char const* name, std::uint8_t const* data, std::size_t size) {
    try {
        ReaderOptions options;
        options.dtype = DataType::bf16;
        auto const file = MappedFile::of_bytes(name, {data, size});
        for (TensorRef const& tensor : read_tensor_file(file, options).tensors) {
            if (tensor.load().bytes.size() != tensor.size) std::abort();
        }
    } catch (InputError const&) {
    }
    return 0;
}

}  // namespace netzip
