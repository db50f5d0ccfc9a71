#pragma once

#include "pipeline/payload_work.h"
#include "pipeline/stage.h"

namespace netzip {

/// A Stage whose work on the bytes is one function of PayloadWork and costs no cycles beyond its latency.
template <Station kStation, void (PayloadWork::*kWork)(Payload&)>
class ByteStage : public Stage {
public:
    ByteStage(std::string name, StageConfig const& config, Frequency nic_clock, Frequency upstream_clock,
              PayloadWork& payload_work)
        : Stage(std::move(name), kStation, config, nic_clock, upstream_clock), payload_work_(payload_work) {}

private:
    Cycles work(Payload& payload, PacketTag&) override {
        (payload_work_.*kWork)(payload);
        return Cycles{0};
    }
    PayloadWork& payload_work_;
};

}  // namespace netzip
