#include "nic/sender.h"

#include "nic/work_descriptor.h"
#include "pipeline/stream_protocol.h"

namespace netzip {

Sender::Sender(sc_core::sc_module_name name, HostConfig const& host, WorkloadConfig const& workload, Bytes path_mtu,
               MessageSource& source, MessageSource* background, MessageTable& table, Prepare prepare)
    : sc_module(name),
      doorbell("doorbell"),
      memory("memory", host),
      host_(host),
      workload_(workload),
      path_mtu_(path_mtu),
      source_(source),
      background_(background),
      table_(table),
      prepare_(std::move(prepare)),
      post_([this] { post_ready(); }),
      post_background_([this] { post_background(); }) {
    exhausted_ = !source_.next(next_);
    if (background_ != nullptr && !background_->next(next_background_)) background_ = nullptr;
    post_.at(Duration::zero());
    post_background_.at(Duration::zero());
}

bool Sender::may_post() const {
    return workload_.replay == ReplayMode::open || outstanding_ < workload_.outstanding;
}

void Sender::post_ready() {
    for (; !completions_.empty() && completions_.front() <= now(); completions_.pop_front()) --outstanding_;
    if (!completions_.empty()) post_.at(completions_.front());
    while (!exhausted_ && may_post()) {
        if (next_.not_before > now()) return post_.at(next_.not_before);
        ++outstanding_;
        post(std::move(next_), false);
        exhausted_ = !source_.next(next_);
    }
}

void Sender::post_background() {
    while (background_ != nullptr && !done()) {
        if (next_background_.not_before > now()) {
            return post_background_.at(next_background_.not_before);
        }
        post(std::move(next_background_), true);
        if (!background_->next(next_background_)) background_ = nullptr;
    }
}

void Sender::post(Message message, bool background) {
    std::uint32_t const slot = table_.take();
    PostedMessage& posted = table_.at(slot);
    posted.background = background;
    posted.posted = now();
    posted.message = std::move(message);
    Message const& sent = posted.message;
    WorkDescriptor descriptor;
    if (!background) {
        ++posted_;
        posted_bytes_ += Bytes{sent.bytes.size()};
        descriptor.first_packet = packets_posted_;
        packets_posted_ += beats(sent.bytes.size(), path_mtu_.count()).count();
    }
    descriptor.source_address = memory.register_source(2 * std::uint64_t{slot}, sent.bytes.data(), sent.bytes.size());
    descriptor.target_address = prepare_(slot);
    descriptor.tensor_offset = sent.tensor_offset;
    descriptor.length = static_cast<std::uint32_t>(sent.bytes.size());
    descriptor.message = slot;
    descriptor.queue_pair = static_cast<std::uint16_t>(sent.queue_pair);
    descriptor.layer = sent.layer;
    descriptor.compress = sent.compress ? 1 : 0;
    descriptor.data_type = static_cast<std::uint8_t>(sent.dtype);
    posted.descriptor.assign(WorkDescriptor::kBytes, 0);
    descriptor.write_to(posted.descriptor.data());
    doorbell.ring(
        memory.register_source(2 * std::uint64_t{slot} + 1, posted.descriptor.data(), posted.descriptor.size()));
}

void Sender::acknowledged(PacketTag const& tag, Duration completion) {
    PostedMessage& posted = table_.at(tag.message);
    posted.acknowledged = true;
    if (posted.background) return;
    completions_.push_back(completion + host_.write_latency);
    post_.at(completions_.back());
}

void Sender::finished(std::uint32_t slot) {
    memory.forget(2 * std::uint64_t{slot});
    memory.forget(2 * std::uint64_t{slot} + 1);
    table_.free(slot);
}

}  // namespace netzip
