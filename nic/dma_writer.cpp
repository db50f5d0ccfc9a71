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
      recorder_(station_name(Station::dma_write), config.rx_buffer) {
    SC_HAS_PROCESS(DmaWriter);
    SC_METHOD(finish);
    sensitive << finish_;
    dont_initialize();
}

void DmaWriter::arrived(StreamInput&, Payload& payload, Duration head) {
    PacketTag& tag = tag_of(payload);
    std::uint64_t const length = payload.get_data_length();
    Duration const latency = memory.write(tag.target_address, payload.get_data_ptr(), length, tag.tail_at);
    // A write leaves when the whole packet is in the buffer: it must not run dry on the link.
    TransferTimes const write = pcie_.write(tag.tail_at, Bytes{length}, latency);
    Duration const complete = write.done;
    tag.stamp(Station::dma_write, complete);

    writing_.push_back({&payload, complete, head});
    recorder_.entered(length, writing_.size());
    if (writing_.size() == 1) finish_.notify(to_sc_time(complete - now()));

    // The buffer's slots are freed in order and ahead of time: the next packet takes the oldest one.
    slots_.push_back(write.tail);
    Duration slot = tag.tail_at;
    if (slots_.size() == config_.rx_buffer) {
        slot = std::max(slot, slots_.front());
        slots_.pop_front();
    }
    recorder_.blocked(tag.tail_at, slot);
    in.release(slot);
}

void DmaWriter::finish() {
    while (!writing_.empty() && writing_.front().complete <= now()) {
        Writing const done = writing_.front();
        writing_.pop_front();
        recorder_.left(tag_of(*done.payload), done.payload->get_data_length(), done.head_in, done.complete);
        packet_done_(*done.payload, done.complete);
        done.payload->release();
    }
    if (!writing_.empty()) finish_.notify(to_sc_time(writing_.front().complete - now()));
}

Duration DmaWriter::write_completion() {
    if (config_.pcie.completion == Bytes::zero()) return now();
    return pcie_.write(now(), config_.pcie.completion, Duration::zero()).done;
}

StageStats DmaWriter::stats() const {
    StageStats stats = recorder_.stats();
    stats.overlaps = true;
    stats.busy = pcie_.busy_up();
    stats.inside = writing_.size();
    return stats;
}

}  // namespace netzip
