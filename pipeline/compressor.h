#pragma once

#include "pipeline/bank_stage.h"

namespace netzip {

/// Compressor: a bank of engines that each take what the codec really needs for the packet.
///
/// Models, approximates, does not model: see BankStage and the engines in models/timing.
class CompressorStage : public BankStage {
public:
    CompressorStage(sc_core::sc_module_name name, CompressorConfig const& config, AlgorithmConfig const& algorithm,
                    Frequency nic_clock, Frequency upstream_clock, PayloadWork& payload_work, QueuePairOrder& order)
        : BankStage(name, {Station::compressor, config.order, config.input_width, config.in_flight}, order,
                    std::make_unique<CompressorBank>(config, algorithm, nic_clock, upstream_clock)),
          payload_work_(payload_work) {}

private:
    CodecWork const& work(Payload& payload) override { return payload_work_.compress(payload); }
    void timed(PacketTag& tag, CodecWork const& work, BankTimes const& times) override {
        tag.compressor_head = times.first_out;
        tag.work.add(work);
    }
    PayloadWork& payload_work_;
};

}  // namespace netzip
