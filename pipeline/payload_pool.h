#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "pipeline/packet_tag.h"
#include "pipeline/stream_protocol.h"

namespace netzip {

/// Payloads with their tag and bytes, reused: no allocation in steady state.
///
/// The pool must outlive every payload; `live()` counts those that were taken and not yet released.
class PayloadPool : public tlm::tlm_mm_interface {
public:
    PayloadPool();
    PayloadPool(PayloadPool const&) = delete;
    PayloadPool& operator=(PayloadPool const&) = delete;
    ~PayloadPool() override;

    /// A payload with one reference, an empty tag and no bytes.
    Payload& take();
    /// A payload with a copy of the tag and of the current bytes.
    Payload& clone(Payload& payload);
    void free(Payload* payload) override;
    std::uint64_t live() const { return live_; }

    static PacketBytes& bytes_of(Payload& payload) { return static_cast<PooledPayload&>(payload).bytes; }
    /// Points the payload's data at `current`; call after its size changed.
    static void publish(Payload& payload);

private:
    std::vector<std::unique_ptr<PooledPayload>> entries_;
    std::vector<PooledPayload*> idle_;
    std::uint64_t live_ = 0;
};

}  // namespace netzip
