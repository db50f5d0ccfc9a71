#include "models/codec/exponent_history.h"

namespace netzip {

void count_exponents(std::vector<std::uint8_t> const& exponents, ExponentCounts& counts) {
    // Four tables, so that equal neighbours do not wait for each other's increment.
    std::array<ExponentCounts, 4> part{};
    std::size_t i = 0;
    for (; i + 4 <= exponents.size(); i += 4)
        for (std::size_t k = 0; k < 4; ++k) ++part[k][exponents[i + k]];
    for (; i < exponents.size(); ++i) ++part[0][exponents[i]];
    for (std::size_t e = 0; e < counts.size(); ++e) counts[e] = part[0][e] + part[1][e] + part[2][e] + part[3][e];
}

ExponentHistory::Previous ExponentHistory::add(PacketContext const& context, ExponentCounts const& counts) {
    if (layers_.size() <= context.layer) layers_.resize(std::size_t{context.layer} + 1);
    auto& slot = layers_[context.layer];
    if (!slot || slot->type != context.type) slot = std::make_unique<Layer>();
    Layer& layer = *slot;
    layer.type = context.type;
    bool const renewed = context.first_of_tensor && layer.has_current;
    if (renewed) {
        layer.previous = layer.current;
        layer.current = {};
        layer.has_previous = true;
        layer.has_current = false;
    }
    for (std::size_t e = 0; e < counts.size(); ++e) layer.current[e] += counts[e];
    layer.has_current = true;
    return {layer.has_previous ? &layer.previous : nullptr, renewed};
}

}  // namespace netzip
