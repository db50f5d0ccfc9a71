#pragma once

#include "pipeline/bank_stage.h"

namespace netzip {

/// Decompressor: a bank of engines that pay parse and copy cycles of each packet's own sequences.
///
/// Models, approximates, does not model: see BankStage and the engines in models/timing.
class DecompressorStage : public BankStage {
public:
    DecompressorStage(sc_core::sc_module_name name, DecompressorConfig const& config, AlgorithmConfig const& algorithm,
                      Frequency nic_clock, Frequency upstream_clock, Bytes output_width, PayloadWork& payload_work,
                      QueuePairOrder& order)
        : BankStage(name, {Station::decompressor, config.order, output_width.count(), config.in_flight}, order,
                    std::make_unique<DecompressorBank>(config, algorithm, nic_clock, upstream_clock)),
          payload_work_(payload_work) {}

private:
    CodecWork const& work(Payload& payload) override { return payload_work_.decompress(payload); }
    void timed(PacketTag& tag, CodecWork const&, BankTimes const& times) override {
        tag.decompressor_head = times.first_out;
    }
    PayloadWork& payload_work_;
};

}  // namespace netzip
