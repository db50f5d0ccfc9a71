#include "nic/receiver.h"

#include <cstring>
#include <fmt/format.h>

#include "base/error.h"
#include "nic/mismatch.h"

namespace netzip {

void TrafficTally::add(PacketTag const& tag) {
    ++packets;
    if (!tag.compress) ++bypass_packets;
    if (tag.compress && !tag.compressed) ++raw_packets;
    tensor_bytes += Bytes{tag.original_size};
    wire_payload += Bytes{tag.wire_payload};
}

void LatencyTally::add(PacketTag const& tag, Duration complete) {
    packet.add(complete - tag.birth);
    if (tag.compressor_head > Duration::zero()) compress_first_byte.add(tag.compressor_head - tag.birth);
    if (tag.decompressor_head > Duration::zero()) {
        decompress_first_byte.add(tag.decompressor_head - tag.decompressor_in);
    }
    Duration before = tag.birth;
    for (std::size_t i = static_cast<std::size_t>(Station::dma_read) + 1; i < kStations; ++i) {
        Duration const left = tag.left[i];
        if (left == Duration::zero()) continue;
        if (left < before) {
            throw RunError(fmt::format("packet {} left {} before the station ahead of it", tag.serial,
                                       station_name(static_cast<Station>(i))));
        }
        StationTally& station = stations[i];
        ++station.packets;
        station.total += left - before;
        station.most = std::max(station.most, left - before);
        before = left;
    }
    if (before != complete) throw RunError(fmt::format("packet {}: the stations do not add up", tag.serial));
}

Receiver::Receiver(sc_core::sc_module_name name, HostConfig const& host, MessageTable& table, Bytes path_mtu,
                   CodecTrace const* trace)
    : sc_module(name),
      doorbell("doorbell"),
      memory("memory", host),
      table_(table),
      path_mtu_(path_mtu),
      trace_(trace),
      first_mismatch_(trace != nullptr ? trace->first_mismatch : std::string{}) {}

std::uint64_t Receiver::prepare(std::uint32_t slot) {
    PostedMessage& posted = table_.at(slot);
    std::uint64_t const size = posted.message.bytes.size();
    if (trace_ != nullptr) {
        posted.received.clear();
        // The address is checked, nothing is stored through it.
        return memory.register_target(slot, &nowhere_, size);
    }
    // A pattern that no lost packet can hide behind: every byte is the complement of what is expected.
    posted.received.resize(size);
    std::transform(posted.message.bytes.begin(), posted.message.bytes.end(), posted.received.begin(),
                   [](std::uint8_t byte) { return static_cast<std::uint8_t>(~byte); });
    return memory.register_target(slot, posted.received.data(), size);
}

void Receiver::packet_done(Payload& payload, Duration complete) {
    PacketTag const& tag = tag_of(payload);
    PostedMessage& posted = table_.at(tag.message);
    if (payload.get_data_length() != tag.original_size) {
        throw RunError(fmt::format("packet {} of \"{}\" came back as {} B, expected {} B", tag.index,
                                   posted.message.name, payload.get_data_length(), tag.original_size));
    }
    posted.bytes_done += tag.original_size;
    last_complete_ = std::max(last_complete_, complete);
    work_.add(tag.work);
    compare(posted, tag);
    if (posted.background) {
        background_.add(tag);
        return;
    }
    all_.add(tag);
    Tallies const tallies = tallies_of(tag.message, posted.message);
    tallies.kind->add(tag);
    tallies.layer->add(tag);
    latency_.add(tag, complete);
    if (log_ != nullptr) log_->packet(posted, tag, complete);
}

/// Looked up by name once per message.
Receiver::Tallies Receiver::tallies_of(std::uint32_t slot, Message const& message) {
    if (slot >= tallies_.size()) tallies_.resize(slot + std::size_t{1});
    Tallies& tallies = tallies_[slot];
    if (tallies.kind == nullptr) tallies = {&by_kind_[message.kind], &by_layer_[message.name]};
    return tallies;
}

void Receiver::compare(PostedMessage const& posted, PacketTag const& tag) {
    if (trace_ != nullptr) {
        std::uint64_t const size = element_bytes(tag.type);
        compared_values_ += (tag.original_size + size - 1) / size;
        if (tag.compress) mismatched_values_ += trace_->packets[tag.workload_packet].mismatched_values;
        return;
    }
    std::uint64_t const offset = tag.index * path_mtu_.count();
    std::uint8_t const* sent = posted.message.bytes.data() + offset;
    std::uint8_t const* received = posted.received.data() + offset;
    Comparison const result = compare_values(sent, received, tag.original_size, tag.type);
    compared_values_ += result.values;
    if (result.mismatched > 0 && mismatched_values_ == 0) {
        first_mismatch_ = describe_mismatch(posted.message, tag, path_mtu_.count(), result.first, sent, received);
    }
    mismatched_values_ += result.mismatched;
}

bool Receiver::complete(std::uint32_t slot) const {
    PostedMessage const& posted = table_.at(slot);
    if (posted.bytes_done > posted.message.bytes.size()) {
        throw RunError(fmt::format("message \"{}\" arrived more than once", posted.message.name));
    }
    return posted.bytes_done == posted.message.bytes.size();
}

void Receiver::finished(std::uint32_t slot) {
    if (slot < tallies_.size()) tallies_[slot] = {};
    memory.forget(slot);
}

}  // namespace netzip
