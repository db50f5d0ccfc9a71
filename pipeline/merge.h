#pragma once

#include "pipeline/payload_work.h"
#include "pipeline/stage.h"

namespace netzip {

/// Collects a compressed packet, appends the base, and sends the original instead when nothing was gained.
///
/// Models:          the size decision; the raw packet costs the bytes of the original.
/// Approximates:    the original comes from a buffer that is as fast as the stream.
/// Does not model:  the raw buffer's area apart from the cost report.
class Merge : public Stage {
public:
    Merge(std::string name, StageConfig const& config, Frequency nic_clock, Frequency upstream_clock,
          PayloadWork& payload_work)
        : Stage(std::move(name), Station::merge, config, nic_clock, upstream_clock), payload_work_(payload_work) {}

private:
    Cycles work(Payload& payload, PacketTag& tag) override {
        tag.compressed = payload.get_data_length() < tag.original_size;
        if (!tag.compressed) payload_work_.restore_original(payload);
        return Cycles{0};
    }
    PayloadWork& payload_work_;
};

}  // namespace netzip
