#include "pipeline/payload_pool.h"

namespace netzip {

PayloadPool::PayloadPool() = default;
PayloadPool::~PayloadPool() = default;

Payload& PayloadPool::take() {
    if (idle_.empty()) {
        entries_.push_back(std::make_unique<PooledPayload>(this));
        idle_.push_back(entries_.back().get());
    }
    PooledPayload* entry = idle_.back();
    idle_.pop_back();
    ++live_;
    entry->acquire();
    return *entry;
}

Payload& PayloadPool::clone(Payload& payload) {
    Payload& copy = take();
    tag_of(copy) = tag_of(payload);
    PacketBytes const& from = bytes_of(payload);
    if (from.current.empty()) {
        copy.set_data_length(payload.get_data_length());
    } else {
        bytes_of(copy).current = from.current;
        publish(copy);
    }
    return copy;
}

void PayloadPool::free(Payload* payload) {
    auto* entry = static_cast<PooledPayload*>(payload);
    entry->reset();
    entry->tag = PacketTag{};
    entry->bytes.current.clear();
    entry->bytes.original.clear();
    entry->set_data_ptr(nullptr);
    entry->set_data_length(0);
    idle_.push_back(entry);
    --live_;
}

void PayloadPool::publish(Payload& payload) {
    PacketBytes& bytes = bytes_of(payload);
    payload.set_data_ptr(bytes.current.data());
    payload.set_data_length(static_cast<unsigned>(bytes.current.size()));
}

}  // namespace netzip
