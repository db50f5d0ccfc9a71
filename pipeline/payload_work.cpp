#include "pipeline/payload_work.h"

#include "base/error.h"
#include "models/transform/grouping.h"

namespace netzip {
namespace {

/// Kinds whose decoder rebuilds the previous iteration from what it received.
bool keeps_history(AlgorithmConfig const& config) {
    return config.delta == DeltaKind::true_integer || config.delta == DeltaKind::true_xor ||
           config.delta == DeltaKind::float_true;
}

}  // namespace

BytesWork::BytesWork(AlgorithmConfig const& config, std::uint64_t base_registers)
    : config_(config),
      base_registers_(base_registers),
      encoder_(config.delta),
      decoder_(config.delta),
      compressor_(config),
      decompressor_(config) {}

PacketContext BytesWork::context_of(PacketTag const& tag) const {
    if (tag.layer >= base_registers_ && keeps_history(config_)) {
        throw UsageError("nic.base_registers: layer " + std::to_string(tag.layer) +
                         " has no register of its own, which a delta to the previous iteration needs; got " +
                         std::to_string(base_registers_));
    }
    PacketContext context;
    context.layer = static_cast<std::uint16_t>(tag.layer % base_registers_);
    context.first_of_tensor = tag.tensor_offset == 0;
    context.tensor_offset = tag.tensor_offset;
    context.type = tag.type;
    return context;
}

void BytesWork::keep_original(Payload& payload) {
    PacketBytes& bytes = PayloadPool::bytes_of(payload);
    bytes.original = bytes.current;
}

void BytesWork::delta_encode(Payload& payload) {
    PacketTag& tag = tag_of(payload);
    tag.base = encoder_.encode(context_of(tag), PayloadPool::bytes_of(payload).current);
}

void BytesWork::group(Payload& payload) {
    if (config_.grouping == GroupingKind::none) return;
    PacketBytes& bytes = PayloadPool::bytes_of(payload);
    scratch_.resize(bytes.current.size());
    netzip::group(config_.grouping, config_.group_order, tag_of(payload).type, bytes.current, scratch_);
    bytes.current.swap(scratch_);
    PayloadPool::publish(payload);
}

CodecWork const& BytesWork::compress(Payload& payload) {
    PacketTag& tag = tag_of(payload);
    PacketBytes& bytes = PayloadPool::bytes_of(payload);
    compressor_.compress(context_of(tag), bytes.current, tag.base, scratch_, work_);
    bytes.current.swap(scratch_);
    PayloadPool::publish(payload);
    return work_;
}

void BytesWork::restore_original(Payload& payload) {
    PacketBytes& bytes = PayloadPool::bytes_of(payload);
    bytes.current.swap(bytes.original);
    PayloadPool::publish(payload);
}

void BytesWork::observe_raw(Payload& payload) {
    if (!keeps_history(config_)) return;
    PacketTag const& tag = tag_of(payload);
    raw_[tag.queue_pair].push_back({tag.qp_sequence, context_of(tag), PayloadPool::bytes_of(payload).current});
}

void BytesWork::observe_before(std::uint16_t queue_pair, std::uint64_t qp_sequence) {
    auto const waiting = raw_.find(queue_pair);
    if (waiting == raw_.end()) return;
    auto& packets = waiting->second;
    auto packet = packets.begin();
    for (; packet != packets.end() && packet->qp_sequence < qp_sequence; ++packet) {
        decoder_.observe(packet->context, packet->data);
    }
    packets.erase(packets.begin(), packet);
}

CodecWork const& BytesWork::decompress(Payload& payload) {
    PacketTag& tag = tag_of(payload);
    PacketBytes& bytes = PayloadPool::bytes_of(payload);
    decompressor_.decompress(context_of(tag), bytes.current, scratch_, tag.base, work_);
    bytes.current.swap(scratch_);
    PayloadPool::publish(payload);
    return work_;
}

void BytesWork::ungroup(Payload& payload) {
    if (config_.grouping == GroupingKind::none) return;
    PacketBytes& bytes = PayloadPool::bytes_of(payload);
    scratch_.resize(bytes.current.size());
    netzip::ungroup(config_.grouping, config_.group_order, tag_of(payload).type, bytes.current, scratch_);
    bytes.current.swap(scratch_);
    PayloadPool::publish(payload);
}

void BytesWork::delta_decode(Payload& payload) {
    PacketTag const& tag = tag_of(payload);
    observe_before(tag.queue_pair, tag.qp_sequence);
    decoder_.decode(context_of(tag), tag.base.span(), PayloadPool::bytes_of(payload).current);
}

}  // namespace netzip
