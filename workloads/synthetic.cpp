#include "workloads/synthetic.h"

#include <algorithm>
#include <cstring>

#include "workloads/normal_bf16.h"

namespace netzip {
namespace {

class ZeroTensor : public TensorData {
public:
    TensorBytes load(std::uint64_t, std::uint64_t size) const override {
        auto zeros = std::make_shared<std::vector<std::uint8_t> const>(size);
        return {*zeros, zeros};
    }
};

class RandomTensor : public TensorData {
public:
    explicit RandomTensor(CounterRandom stream) : stream_(stream) {}
    TensorBytes load(std::uint64_t offset, std::uint64_t size) const override {
        auto bytes = random_bytes(stream_, offset, size);
        return {*bytes, bytes};
    }

private:
    CounterRandom stream_;
};

class NormalTensor : public TensorData {
public:
    NormalTensor(CounterRandom stream, std::shared_ptr<NormalBf16 const> normal, double zero_share)
        : stream_(stream), normal_(std::move(normal)), zeros_(static_cast<std::uint64_t>(zero_share * kAlways)) {}

    TensorBytes load(std::uint64_t offset, std::uint64_t size) const override {
        auto bytes = std::make_shared<std::vector<std::uint8_t>>(size);
        for (std::uint64_t i = 0; i < size;) {
            std::uint64_t const at = offset + i;
            std::uint16_t const bits = element(at / 2);
            (*bytes)[i++] = static_cast<std::uint8_t>(at % 2 == 0 ? bits : bits >> 8);
            if (at % 2 == 0 && i < size) (*bytes)[i++] = static_cast<std::uint8_t>(bits >> 8);
        }
        return {*bytes, bytes};
    }

private:
    static constexpr double kAlways = 4294967296.0;  ///< 2^32: every draw is a zero

    std::uint16_t element(std::uint64_t index) const {
        std::uint64_t const draw = stream_.at(index);
        return draw >> 32 < zeros_ ? std::uint16_t{0} : (*normal_)(static_cast<std::uint32_t>(draw));
    }

    CounterRandom stream_;
    std::shared_ptr<NormalBf16 const> normal_;
    std::uint64_t zeros_;
};

std::shared_ptr<TensorData const> tensor_data(SyntheticConfig const& config, CounterRandom const& stream,
                                              std::shared_ptr<NormalBf16 const> const& normal) {
    switch (config.values) {
        case SyntheticValues::zeros:
            return std::make_shared<ZeroTensor const>();
        case SyntheticValues::random:
            return std::make_shared<RandomTensor const>(stream);
        case SyntheticValues::normal:
            break;
    }
    return std::make_shared<NormalTensor const>(stream, normal, config.zero_share);
}

}  // namespace

std::shared_ptr<std::vector<std::uint8_t> const> random_bytes(CounterRandom const& stream, std::uint64_t offset,
                                                              std::uint64_t size) {
    std::uint64_t constexpr kWord = 8;
    auto bytes = std::make_shared<std::vector<std::uint8_t>>(size);
    for (std::uint64_t done = 0; done < size;) {
        std::uint64_t const at = offset + done;
        std::uint64_t const word = stream.at(at / kWord) >> (at % kWord * 8);
        std::uint64_t const n = std::min(kWord - at % kWord, size - done);
        for (std::uint64_t i = 0; i < n; ++i) (*bytes)[done + i] = static_cast<std::uint8_t>(word >> (8 * i));
        done += n;
    }
    return bytes;
}

Recording synthetic_recording(SyntheticConfig const& config, std::uint64_t iterations) {
    Recording recording;
    recording.iterations = static_cast<std::uint32_t>(iterations);
    auto const normal = std::make_shared<NormalBf16 const>(config.sigma);
    CounterRandom const random(config.seed);
    for (std::uint32_t iteration = 0; iteration < recording.iterations; ++iteration) {
        for (std::uint64_t i = 0; i < config.tensors; ++i) {
            TensorRef tensor;
            tensor.name = "synthetic" + std::to_string(i);
            tensor.kind = "synthetic";
            tensor.layer = static_cast<int>(i);
            tensor.iteration = iteration;
            tensor.size = config.tensor_size.count();
            tensor.shape = {(tensor.size + 1) / 2};
            tensor.layer_id = static_cast<std::uint16_t>(i + 1);
            tensor.data = tensor_data(config, random.stream(iteration).stream(i), normal);
            if (iteration == 0) recording.layers.push_back(tensor.kind + "/" + tensor.name);
            recording.tensors.push_back(std::move(tensor));
        }
    }
    return recording;
}

}  // namespace netzip
