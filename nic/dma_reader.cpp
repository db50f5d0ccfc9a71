#include "nic/dma_reader.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace netzip {

DmaReader::DmaReader(sc_core::sc_module_name name, DmaConfig const& config, Frequency nic_clock, Bytes path_mtu,
                     PayloadPool& pool, bool with_bytes)
    : sc_module(name),
      doorbell("doorbell"),
      memory("memory"),
      out("out", *this),
      config_(config),
      clock_(nic_clock),
      path_mtu_(path_mtu),
      pool_(pool),
      with_bytes_(with_bytes),
      pcie_(config.pcie),
      slots_(config.tx_buffer),
      wake_([this] { issue(); }),
      recorder_(station_name(Station::dma_read), config.tx_buffer) {
    doorbell.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
}

void DmaReader::b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) {
    throw RunError(std::string(name()) + ": one timing path: use nb_transport");
}

tlm::tlm_sync_enum DmaReader::nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay) {
    std::uint64_t address = 0;
    if (phase != tlm::BEGIN_REQ || transaction.get_data_length() != sizeof address) {
        throw RunError(std::string(name()) + ": a doorbell is a write of the 8-byte address of a descriptor");
    }
    std::memcpy(&address, transaction.get_data_ptr(), sizeof address);
    fetches_.push_back({annotated(delay) + config_.pcie.doorbell, address});
    schedule();
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_COMPLETED;
}

void DmaReader::issue() {
    // What competes was announced before, by doorbells that take their time. Without that, events of one instant run
    // in an order that must not matter: decide a round later.
    settling_ = !settling_ && config_.pcie.doorbell == Duration::zero();
    if (settling_) return wake_.again();
    if (free_ <= now()) {
        if (!fetches_.empty() && fetches_.front().at <= now()) {
            fetch_descriptor();
        } else if (slots_.known() && slots_.next() <= now()) {
            if (QueuePair* pair = next_queue_pair()) read_packet(*pair);
        }
    }
    schedule();
}

/// Wakes the engine for the first moment at which there may be something to issue.
void DmaReader::schedule() {
    Duration next = fetches_.empty() ? Duration::max() : fetches_.front().at;
    if (slots_.known()) {  // otherwise a departure tells
        Duration const room = std::max(slots_.next(), free_);
        for (QueuePair const& pair : pairs_) {
            if (next <= room) break;
            if (!pair.works.empty()) next = std::min(next, std::max(pair.works.front().ready, room));
        }
    }
    if (next != Duration::max()) wake_.at(std::max(next, free_));
}

void DmaReader::fetch_descriptor() {
    std::uint64_t const address = fetches_.front().address;
    fetches_.pop_front();
    std::array<std::uint8_t, WorkDescriptor::kBytes> bytes{};
    Duration const latency = memory.read(address, bytes.data(), bytes.size(), now());
    bool const carried = config_.pcie.inline_descriptors;  // came with the doorbell
    Duration const ready = carried ? now() : pcie_.read(now(), config_.pcie.descriptor, latency).tail;
    free_ = clock_.after(now(), Cycles{1});
    WorkDescriptor const descriptor = WorkDescriptor::read_from(bytes.data());
    if (descriptor.queue_pair >= pairs_.size()) pairs_.resize(descriptor.queue_pair + std::size_t{1});
    pairs_[descriptor.queue_pair].works.push_back({ready, descriptor, 0});
}

/// The queue pair whose turn it is among those with a descriptor; null when there is none.
DmaReader::QueuePair* DmaReader::next_queue_pair() {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        std::size_t const index = (turn_ + i) % pairs_.size();
        QueuePair& pair = pairs_[index];
        if (pair.works.empty()) continue;
        if (pair.works.front().ready > now()) continue;
        turn_ = index + 1;
        return &pair;
    }
    return nullptr;
}

void DmaReader::label(PacketTag& tag, Work const& work, QueuePair& pair, std::uint64_t offset,
                      std::uint64_t length) const {
    WorkDescriptor const& descriptor = work.descriptor;
    tag.serial = serial_;
    tag.message = descriptor.message;
    tag.index = work.next;
    tag.workload_packet = descriptor.first_packet + work.next;
    tag.qp_sequence = pair.sequence++;
    tag.tensor_offset = descriptor.tensor_offset + offset;
    tag.original_size = static_cast<std::uint32_t>(length);
    tag.queue_pair = descriptor.queue_pair;
    tag.layer = descriptor.layer;
    tag.message_bytes = descriptor.length;
    tag.type = static_cast<DataType>(descriptor.data_type);
    tag.compress = descriptor.compress != 0;
    tag.first_of_message = offset == 0;
    tag.last_of_message = offset + length == descriptor.length;
    tag.source_address = descriptor.source_address + offset;
    tag.target_address = descriptor.target_address + offset;
}

void DmaReader::read_packet(QueuePair& pair) {
    Work& work = pair.works.front();
    std::uint64_t const offset = work.next * path_mtu_.count();
    std::uint64_t const length = std::min(path_mtu_.count(), work.descriptor.length - offset);
    Payload& payload = pool_.take();
    PacketTag& tag = tag_of(payload);
    label(tag, work, pair, offset, length);
    ++serial_;
    ++work.next;

    std::uint8_t* data = nullptr;
    if (with_bytes_) {
        PacketBytes& bytes = PayloadPool::bytes_of(payload);
        bytes.current.resize(length);
        data = bytes.current.data();
        PayloadPool::publish(payload);
    } else {
        payload.set_data_length(static_cast<unsigned>(length));
    }
    Duration const latency = memory.read(tag.source_address, data, length, now());
    TransferTimes const read = pcie_.read(now(), Bytes{length}, latency);
    Duration const ready = std::max(free_, work.ready);  // but for the buffer
    free_ = clock_.after(now(), Cycles{1});
    if (tag.last_of_message) pair.works.pop_front();

    Duration const head = clock_.edge_at_or_after(read.head);
    recorder_.blocked(ready, slots_.next());
    slots_.enter();
    buffer_.push_back({head, clock_.edge_at_or_after(read.tail), now()});
    recorder_.entered(length, buffer_.size());
    out.push(payload);
}

Departure DmaReader::depart(StreamOutput&, Payload& payload, Duration sink_ready) {
    HeldPacket const packet = buffer_.front();
    buffer_.pop_front();
    std::uint64_t const length = payload.get_data_length();
    Departure const departure = packet.leave(clock_, length, config_.width, sink_ready);
    tag_of(payload).birth = departure.head;
    tag_of(payload).stamp(Station::dma_read, departure.tail);
    recorder_.left(tag_of(payload), length, packet.head_in, departure.tail);
    bool const was_full = !slots_.known();
    slots_.leave(departure.head);
    if (was_full) schedule();
    return departure;
}

StageStats DmaReader::stats() const {
    StageStats stats = recorder_.stats();
    stats.overlaps = true;
    stats.busy = pcie_.busy_down();
    stats.inside = buffer_.size();
    if (!out.ready()) stats.waits_for = out.receiver();
    return stats;
}

}  // namespace netzip
