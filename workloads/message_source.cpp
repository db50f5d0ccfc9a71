#include "workloads/message_source.h"

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "workloads/capture_source.h"
#include "workloads/recording.h"
#include "workloads/synthetic.h"

namespace netzip {
namespace {

constexpr std::uint64_t kMessageUnit = 64;  ///< bytes; message sizes are multiples, so no element is cut

/// The tensors of a recording as messages, iteration after iteration, `repeat` times.
class TensorSource : public MessageSource {
public:
    TensorSource(WorkloadConfig const& config, Recording recording)
        : config_(config), recording_(std::move(recording)), piece_(config.message_size.count()) {
        if (piece_ % kMessageUnit != 0) {
            throw UsageError("workload.message_size: expected a multiple of 64 B, got " +
                             to_string(config.message_size));
        }
        WorkloadTotals once;
        for (TensorRef const& tensor : recording_.tensors) {
            once.messages += tensor.size / piece_ + (tensor.size % piece_ != 0 ? 1 : 0);
            once.bytes += Bytes{tensor.size};
        }
        totals_ = {once.messages * config.repeat, once.bytes * config.repeat,
                   static_cast<std::uint32_t>(config.queue_pairs)};
        if (totals_.messages == 0) throw InputError("workload: every selected tensor is empty, nothing to send");
    }

    bool next(Message& message) override {
        while (round_ < config_.repeat) {
            if (tensor_ == recording_.tensors.size()) {
                tensor_ = 0;
                ++round_;
            } else if (offset_ == recording_.tensors[tensor_].size) {
                offset_ = 0;
                ++tensor_;
            } else {
                fill(message, recording_.tensors[tensor_]);
                return true;
            }
        }
        last_.reset();
        return false;
    }

    WorkloadTotals totals() const override { return totals_; }
    std::vector<std::string> notes() const override { return recording_.notes; }

private:
    void fill(Message& message, TensorRef const& tensor) {
        std::uint64_t const size = std::min(piece_, tensor.size - offset_);
        TensorBytes loaded = tensor.load(offset_, size);
        message.id = id_++;
        message.queue_pair = static_cast<std::uint32_t>(tensor.layer_id % config_.queue_pairs);
        message.layer = tensor.layer_id;
        message.compress = config_.compress;
        message.dtype = tensor.dtype;
        message.iteration = static_cast<std::uint32_t>(round_ * recording_.iterations + tensor.iteration);
        message.tensor_offset = offset_;
        message.name = tensor.name;
        message.kind = tensor.kind;
        message.not_before =
            config_.replay == ReplayMode::open ? transfer_time(Bytes{offered_}, config_.rate) : Duration::zero();
        message.bytes = loaded.bytes;
        message.keep = loaded.keep;
        last_ = std::move(loaded.keep);
        offset_ += size;
        offered_ += size;
    }

    WorkloadConfig config_;
    Recording recording_;
    std::uint64_t piece_;
    WorkloadTotals totals_;
    std::uint64_t round_ = 0;
    std::size_t tensor_ = 0;
    std::uint64_t offset_ = 0;   ///< in the current tensor
    std::uint64_t offered_ = 0;  ///< bytes of all earlier messages
    std::uint64_t id_ = 0;
    std::shared_ptr<void const> last_;  ///< a tensor that is unpacked as a whole stays until its last piece
};

class BackgroundSource : public MessageSource {
public:
    BackgroundSource(BackgroundConfig const& config, std::uint32_t first_queue_pair)
        : config_(config), first_queue_pair_(first_queue_pair), random_(config.seed) {}

    bool next(Message& message) override {
        std::uint64_t const size = config_.message_size.count();
        auto bytes = random_bytes(random_.stream(id_), 0, size);
        message = Message{};
        message.id = id_;
        message.queue_pair = first_queue_pair_ + static_cast<std::uint32_t>(id_ % config_.queue_pairs);
        message.name = "background";
        message.kind = "background";
        message.not_before = transfer_time(config_.message_size * id_, config_.rate);
        message.bytes = *bytes;
        message.keep = std::move(bytes);
        ++id_;
        return true;
    }

    WorkloadTotals totals() const override { return {}; }

private:
    BackgroundConfig config_;
    std::uint32_t first_queue_pair_;
    CounterRandom random_;
    std::uint64_t id_ = 0;
};

}  // namespace

std::unique_ptr<MessageSource> make_message_source(WorkloadConfig const& config) {
    if (config.source == WorkloadSource::capture) return make_capture_source(config);
    Recording recording = config.source == WorkloadSource::synthetic
                              ? synthetic_recording(config.synthetic, config.iterations)
                              : open_recording(config);
    return std::make_unique<TensorSource>(config, std::move(recording));
}

std::unique_ptr<MessageSource> make_background_source(BackgroundConfig const& config, std::uint32_t first_queue_pair) {
    return std::make_unique<BackgroundSource>(config, first_queue_pair);
}

}  // namespace netzip
