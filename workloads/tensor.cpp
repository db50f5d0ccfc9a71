#include "workloads/tensor.h"

#include <cstring>
#include <mutex>

namespace netzip {
namespace {

/// Gives a range of a mapped file back when the last user of its bytes is gone.
struct MappedRange {
    std::shared_ptr<MappedFile const> file;
    std::size_t offset;
    std::size_t size;
    MappedRange(std::shared_ptr<MappedFile const> mapped, std::size_t begin, std::size_t length)
        : file(std::move(mapped)), offset(begin), size(length) {}
    MappedRange(MappedRange const&) = delete;
    MappedRange& operator=(MappedRange const&) = delete;
    ~MappedRange() { file->release(offset, size); }
};

class MappedTensor : public TensorData {
public:
    MappedTensor(std::shared_ptr<MappedFile const> file, std::uint64_t offset)
        : file_(std::move(file)), offset_(offset) {}

    TensorBytes load(std::uint64_t offset, std::uint64_t size) const override {
        return {file_->bytes().subspan(offset_ + offset, size),
                std::make_shared<MappedRange const>(file_, offset_ + offset, size)};
    }

private:
    std::shared_ptr<MappedFile const> file_;
    std::uint64_t offset_;
};

class OffsetTensor : public TensorData {
public:
    OffsetTensor(std::shared_ptr<TensorData const> storage, std::uint64_t begin)
        : storage_(std::move(storage)), begin_(begin) {}
    TensorBytes load(std::uint64_t offset, std::uint64_t size) const override {
        return storage_->load(begin_ + offset, size);
    }

private:
    std::shared_ptr<TensorData const> storage_;
    std::uint64_t begin_;
};

class StridedTensor : public TensorData {
public:
    StridedTensor(std::shared_ptr<TensorData const> storage, std::uint64_t start, std::vector<std::uint64_t> shape,
                  std::vector<std::uint64_t> strides, std::uint64_t element_size)
        : storage_(std::move(storage)),
          start_(start),
          shape_(std::move(shape)),
          strides_(std::move(strides)),
          element_size_(element_size) {
        std::uint64_t last = start_;
        for (std::size_t i = 0; i < shape_.size(); ++i) last += shape_[i] == 0 ? 0 : (shape_[i] - 1) * strides_[i];
        span_ = (last + 1 - start_) * element_size_;
    }

    TensorBytes load(std::uint64_t offset, std::uint64_t size) const override {
        auto gathered = std::make_shared<Gathered>();
        gathered->bytes.resize(size);
        if (size != 0) {
            gathered->base = base();
            gather(offset, gathered->base->bytes, gathered->bytes);
        }
        return {gathered->bytes, gathered};
    }

private:
    struct Gathered {
        std::vector<std::uint8_t> bytes;
        std::shared_ptr<TensorBytes const> base;
    };

    std::shared_ptr<TensorBytes const> base() const {
        std::lock_guard const lock(mutex_);
        auto base = base_.lock();
        if (!base) base = std::make_shared<TensorBytes const>(storage_->load(start_ * element_size_, span_));
        base_ = base;
        return base;
    }

    void gather(std::uint64_t offset, std::span<std::uint8_t const> base, std::span<std::uint8_t> out) const {
        std::vector<std::uint64_t> index(shape_.size());
        std::uint64_t rest = offset / element_size_;
        for (std::size_t i = shape_.size(); i-- > 0; rest /= shape_[i]) index[i] = rest % shape_[i];

        std::uint64_t skip = offset % element_size_;
        for (std::size_t done = 0; done < out.size();) {
            std::uint64_t element = 0;
            for (std::size_t i = 0; i < index.size(); ++i) element += index[i] * strides_[i];
            std::size_t const n = std::min<std::size_t>(element_size_ - skip, out.size() - done);
            std::memcpy(out.data() + done, base.data() + element * element_size_ + skip, n);
            done += n;
            skip = 0;
            for (std::size_t i = index.size(); i-- > 0;) {
                if (++index[i] < shape_[i]) break;
                index[i] = 0;
            }
        }
    }

    std::shared_ptr<TensorData const> storage_;
    std::uint64_t start_;
    std::vector<std::uint64_t> shape_;
    std::vector<std::uint64_t> strides_;
    std::uint64_t element_size_;
    std::uint64_t span_;  ///< bytes from the first to behind the last element
    mutable std::mutex mutex_;
    mutable std::weak_ptr<TensorBytes const> base_;
};

}  // namespace

bool tensor_bytes(std::vector<std::uint64_t> const& shape, std::uint64_t bits, std::uint64_t& bytes) {
    // A zero anywhere makes the product zero, but a wrapped product beside it is still refused, as in safetensors.
    std::uint64_t product = bits;
    for (std::uint64_t const dimension : shape) {
        if (__builtin_mul_overflow(product, dimension, &product)) return false;
    }
    bytes = product / 8;
    return product % 8 == 0;
}

std::string shape_text(std::vector<std::uint64_t> const& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    return text + "]";
}

std::shared_ptr<TensorData const> mapped_tensor(std::shared_ptr<MappedFile const> file, std::uint64_t offset) {
    return std::make_shared<MappedTensor const>(std::move(file), offset);
}

std::shared_ptr<TensorData const> tensor_at(std::shared_ptr<TensorData const> storage, std::uint64_t begin) {
    if (begin == 0) return storage;
    return std::make_shared<OffsetTensor const>(std::move(storage), begin);
}

std::shared_ptr<TensorData const> strided_tensor(std::shared_ptr<TensorData const> storage, std::uint64_t start,
                                                 std::vector<std::uint64_t> shape, std::vector<std::uint64_t> strides,
                                                 std::uint64_t element_size) {
    return std::make_shared<StridedTensor const>(std::move(storage), start, std::move(shape), std::move(strides),
                                                 element_size);
}

bool is_row_major(std::vector<std::uint64_t> const& shape, std::vector<std::uint64_t> const& strides) {
    std::uint64_t expected = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
        if (shape[i] == 0) return true;
        if (shape[i] != 1 && strides[i] != expected) return false;
        expected *= shape[i];
    }
    return true;
}

}  // namespace netzip
