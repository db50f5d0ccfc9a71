#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "workloads/readers/reader.h"

namespace netzip {

/// What stands before the data of a .npy file.
struct NpyHeader {
    std::string descr;
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;
    std::size_t data_offset = 0;
};

/// Throws InputError beginning with `place`.
NpyHeader parse_npy_header(std::span<std::uint8_t const> bytes, std::string const& place);

/// The tensor that a header describes, without its data, which must have `data_size` bytes.
TensorRef npy_tensor(NpyHeader const& header, std::string const& key, std::string const& place, std::string const& file,
                     std::uint64_t data_size, ReaderOptions const& options, std::vector<std::string>& notes);

/// Gives the tensor its data, transposed to row-major order when the header asks for it.
void set_npy_data(TensorRef& tensor, NpyHeader const& header, std::shared_ptr<TensorData const> storage);

}  // namespace netzip
