#include "support/algorithms.h"

namespace netzip {
namespace {

bool accepted(AlgorithmConfig const& config) {
    Problems problems;
    config.check("algorithm.", problems);
    return problems.empty();
}

/// Deltas, groupings and codecs in all combinations.
void add_combinations(std::vector<AlgorithmConfig>& all) {
    AlgorithmConfig config;
    for (auto const delta : all_of<DeltaKind>())
        for (auto const grouping : all_of<GroupingKind>())
            for (auto const order : all_of<GroupOrder>())
                for (auto const policy : all_of<GroupPolicy>())
                    for (auto const codec : all_of<CodecKind>()) {
                        config.delta = delta;
                        config.grouping = grouping;
                        config.group_order = order;
                        config.group_policy = policy;
                        config.codec = codec;
                        bool const repeats = grouping == GroupingKind::none && order == GroupOrder::artifact;
                        if (!repeats && accepted(config)) all.push_back(config);
                    }
}

AlgorithmConfig exponent_codec(CodecKind codec) {
    AlgorithmConfig config;
    config.delta = DeltaKind::none;
    config.grouping = GroupingKind::none;
    config.codec = codec;
    return config;
}

void add_exponent_parameters(std::vector<AlgorithmConfig>& all) {
    for (std::uint64_t bits = 2; bits <= 4; ++bits)
        for (auto const base : all_of<WindowBase>()) {
            all.push_back(exponent_codec(CodecKind::exponent_window));
            all.back().window_bits = bits;
            all.back().window_base = base;
        }
    for (auto const codec : {CodecKind::exponent_prefix, CodecKind::exponent_huffman})
        for (std::uint64_t const lanes : {1, 3, 64}) {
            all.push_back(exponent_codec(codec));
            all.back().lanes = lanes;
            all.back().anchor_values = 32 * lanes;
        }
}

}  // namespace

std::vector<AlgorithmConfig> accepted_algorithms() {
    std::vector<AlgorithmConfig> all;
    add_combinations(all);
    add_exponent_parameters(all);
    return all;
}

}  // namespace netzip
