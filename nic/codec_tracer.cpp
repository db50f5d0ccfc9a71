#include "nic/codec_tracer.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "base/results/cache_entry.h"
#include "nic/codec_trace_file.h"
#include "nic/mismatch.h"
#include "pipeline/payload_work.h"
#include "workloads/message_source.h"

namespace netzip {
namespace {

/// A message of the workload and the number of its first packet.
struct Placed {
    Message message;
    std::uint64_t first_packet = 0;
};

/// Everything that shares a base register goes through the codecs in order, on one thread.
using Lanes = std::map<std::uint64_t, std::vector<Placed>>;

/// All messages of the workload, those with the compression flag by lane.
struct Workload {
    Workload(ExperimentConfig const& config, TraceDigest* digest) {
        std::unique_ptr<MessageSource> const source = make_message_source(config.workload);
        Placed placed;
        while (source->next(placed.message)) {
            placed.first_packet = packets;
            packets += beats(placed.message.bytes.size(), config.nic.protocol.path_mtu.count()).count();
            if (digest != nullptr) digest->add(placed.message);
            if (placed.message.compress) {
                lanes[placed.message.layer % config.nic.base_registers].push_back(std::move(placed));
            }
            placed = Placed{};
        }
    }
    Lanes lanes;
    std::uint64_t packets = 0;
};

class Tracer {
public:
    Tracer(ExperimentConfig const& config, CodecTrace& trace)
        : config_(config), mtu_(config.nic.protocol.path_mtu.count()), trace_(trace) {}

    void run(Lanes const& lanes, unsigned thread_count) {
        for (auto const& [key, messages] : lanes) queue_.push_back(&messages);
        // The longest first, so that no thread is left with it at the end.
        std::stable_sort(queue_.begin(), queue_.end(),
                         [](auto const* a, auto const* b) { return a->size() > b->size(); });
        std::vector<std::thread> threads;
        for (unsigned i = 1; i < thread_count; ++i) threads.emplace_back([this] { work(); });
        work();
        for (std::thread& thread : threads) thread.join();
        if (error_) std::rethrow_exception(error_);
        if (first_mismatch_packet_ != ~std::uint64_t{0}) trace_.first_mismatch = first_mismatch_;
    }

private:
    void work() {
        try {
            PayloadPool pool;
            while (true) {
                std::size_t const index = next_++;
                if (index >= queue_.size()) return;
                BytesWork transmit(config_.nic.algorithm, config_.nic.base_registers);
                BytesWork receive(config_.nic.algorithm, config_.nic.base_registers);
                for (Placed const& placed : *queue_[index]) one_message(placed, pool, transmit, receive);
            }
        } catch (...) {
            std::lock_guard const lock(mutex_);
            if (!error_) error_ = std::current_exception();
        }
    }

    void one_message(Placed const& placed, PayloadPool& pool, BytesWork& transmit, BytesWork& receive) {
        std::uint64_t const size = placed.message.bytes.size();
        for (std::uint64_t offset = 0; offset < size; offset += mtu_) {
            Payload& payload = pool.take();
            one_packet(placed, offset, std::min(mtu_, size - offset), payload, transmit, receive);
            payload.release();
        }
    }

    void one_packet(Placed const& placed, std::uint64_t offset, std::uint64_t length, Payload& payload,
                    BytesWork& transmit, BytesWork& receive) {
        Message const& message = placed.message;
        std::uint8_t const* sent = message.bytes.data() + offset;
        PacketTag& tag = tag_of(payload);
        tag.layer = message.layer;
        tag.queue_pair = static_cast<std::uint16_t>(message.queue_pair);
        tag.type = message.dtype;
        tag.compress = true;
        tag.original_size = static_cast<std::uint32_t>(length);
        tag.tensor_offset = message.tensor_offset + offset;
        tag.qp_sequence = placed.first_packet + offset / mtu_;
        PayloadPool::bytes_of(payload).current.assign(sent, sent + length);
        PayloadPool::publish(payload);

        PacketTrace& packet = trace_.packets[tag.qp_sequence];
        transmit.keep_original(payload);
        transmit.delta_encode(payload);
        transmit.group(payload);
        packet.compress = transmit.compress(payload);
        packet.attempt_size = payload.get_data_length();
        if (packet.attempt_size >= length) {
            transmit.restore_original(payload);
            receive.observe_raw(payload);
        } else {
            packet.decompress = receive.decompress(payload);
            receive.ungroup(payload);
            receive.delta_decode(payload);
        }
        compare(placed, tag, sent, payload, packet);
    }

    void compare(Placed const& placed, PacketTag const& tag, std::uint8_t const* sent, Payload& payload,
                 PacketTrace& packet) {
        Comparison const result = compare_values(sent, payload.get_data_ptr(), tag.original_size, tag.type);
        packet.mismatched_values = static_cast<std::uint32_t>(result.mismatched);
        if (result.mismatched == 0) return;
        std::lock_guard const lock(mutex_);
        if (tag.qp_sequence >= first_mismatch_packet_) return;
        first_mismatch_packet_ = tag.qp_sequence;
        first_mismatch_ = describe_mismatch(placed.message, tag, mtu_, result.first, sent, payload.get_data_ptr());
    }

    ExperimentConfig const& config_;
    std::uint64_t mtu_;
    CodecTrace& trace_;
    std::vector<std::vector<Placed> const*> queue_;
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::exception_ptr error_;
    std::uint64_t first_mismatch_packet_ = ~std::uint64_t{0};
    std::string first_mismatch_;
};

}  // namespace

CodecTrace trace_on_one_core(ExperimentConfig const& config) {
    Workload const workload(config, nullptr);
    CodecTrace trace;
    trace.packets.resize(workload.packets);
    Tracer(config, trace).run(workload.lanes, 1);
    return trace;
}

std::unique_ptr<CodecTrace> trace_codecs(ExperimentConfig const& config, std::string const& cache) {
    TraceDigest digest(config);
    Workload const workload(config, cache.empty() ? nullptr : &digest);
    auto trace = std::make_unique<CodecTrace>();
    std::optional<CacheEntry> entry;
    if (!cache.empty()) entry.emplace(cache, digest.name());
    if (entry && read_trace(entry->file(), workload.packets, *trace)) return trace;
    trace->packets.resize(workload.packets);
    Tracer(config, *trace).run(workload.lanes, std::max(1u, std::thread::hardware_concurrency()));
    if (entry) entry->store(to_bytes(*trace));
    return trace;
}

}  // namespace netzip
