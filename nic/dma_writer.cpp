#include "nic/dma_writer.h"

#include <algorithm>

namespace netzip {

DmaWriter::DmaWriter(sc_core::sc_module_name name, DmaConfig const& config, PacketDone packet_done)
    : sc_module(name),
      in("in", *this),
      memory("memory"),
      config_(config),
      packet_done_(std::move(packet_done)),
      pcie_(config.pcie),
      recorder_(station_name(Station::dma_write), config.rx_buffer) {}

void DmaWriter::arrived(StreamInput&, Payload& payload, Duration head) {
    PacketTag& tag = tag_of(payload);
    std::uint64_t const length = payload.get_data_length();
    Duration const latency = memory.write(tag.target_address, payload.get_data_ptr(), length, tag.tail_at);
    // A write leaves when the whole packet is in the buffer: it must not run dry on the link.
    TransferTimes const write = pcie_.write(tag.tail_at, Bytes{length}, latency);
    Duration const complete = write.done;
    tag.stamp(Station::dma_write, complete);

    while (!slots_.empty() && slots_.front() <= head) slots_.pop_front();
    slots_.push_back(write.tail);
    recorder_.entered(length, slots_.size());
    recorder_.left(tag, length, head, complete);
    packet_done_(payload, complete);

    Duration slot = tag.tail_at;
    if (slots_.size() >= config_.rx_buffer) slot = std::max(slot, slots_.front());
    recorder_.blocked(tag.tail_at, slot);
    in.release(slot);
    payload.release();
}

Duration DmaWriter::write_completion() {
    if (config_.pcie.completion == Bytes::zero()) return now();
    return pcie_.write(now(), config_.pcie.completion, Duration::zero()).done;
}

StageStats DmaWriter::stats() const {
    StageStats stats = recorder_.stats();
    stats.overlaps = true;
    stats.busy = pcie_.busy_up();
    return stats;
}

}  // namespace netzip
