#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/data_type.h"
#include "workloads/mapped_file.h"

namespace netzip {

/// Some bytes of a tensor and what keeps them in memory.
struct TensorBytes {
    std::span<std::uint8_t const> bytes;
    std::shared_ptr<void const> keep;
};

/// Where the bytes of a tensor come from, in row-major order, little-endian.
class TensorData {
public:
    virtual ~TensorData() = default;
    /// `offset + size` is at most the size of the tensor. Throws InputError when the file proves damaged.
    virtual TensorBytes load(std::uint64_t offset, std::uint64_t size) const = 0;
};

/// One recorded tensor. Listing it reads nothing but headers; `load` brings its bytes.
struct TensorRef {
    std::string name;
    std::string kind = "tensor";  ///< gradient, activation, activation_gradient, parameter, or tensor when unknown
    int layer = -1;               ///< of the model; -1 when unknown
    std::string phase;            ///< of the training; empty when unknown
    std::uint32_t iteration = 0;
    DataType dtype = DataType::bf16;
    std::vector<std::uint64_t> shape;
    std::uint64_t size = 0;               ///< bytes
    std::string file;                     ///< that it came from
    std::optional<std::uint64_t> offset;  ///< of the data in the file, when they stand there in one piece
    std::uint16_t layer_id = 0;           ///< of the NetZIP header, 1 to 32767; one per name, kind and phase
    std::shared_ptr<TensorData const> data;

    TensorBytes load() const { return data->load(0, size); }
    TensorBytes load(std::uint64_t begin, std::uint64_t bytes) const { return data->load(begin, bytes); }
};

/// Elements of `shape` times `bits`, in bytes; false when that leaves 64 bits or is no whole number of bytes.
bool tensor_bytes(std::vector<std::uint64_t> const& shape, std::uint64_t bits, std::uint64_t& bytes);

/// "[2, 3]"
std::string shape_text(std::vector<std::uint64_t> const& shape);

/// A run of bytes of a mapped file. What was loaded is given back to the kernel when its last user is done.
std::shared_ptr<TensorData const> mapped_tensor(std::shared_ptr<MappedFile const> file, std::uint64_t offset);

/// The bytes of `storage` from `begin` on.
std::shared_ptr<TensorData const> tensor_at(std::shared_ptr<TensorData const> storage, std::uint64_t begin);

/// Elements of `storage` at `start + sum(index_i * stride_i)`, counted in elements, gathered into row-major order.
/// The caller has checked that every index lies in the storage. The storage stays in memory while any part that was
/// loaded is in use.
std::shared_ptr<TensorData const> strided_tensor(std::shared_ptr<TensorData const> storage, std::uint64_t start,
                                                 std::vector<std::uint64_t> shape, std::vector<std::uint64_t> strides,
                                                 std::uint64_t element_size);

/// True when the strides are those of row-major order, so that nothing needs gathering.
bool is_row_major(std::vector<std::uint64_t> const& shape, std::vector<std::uint64_t> const& strides);

}  // namespace netzip
