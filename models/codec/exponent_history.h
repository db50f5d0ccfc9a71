#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/codec/codec.h"

namespace netzip {

/// How often each exponent field occurs.
using ExponentCounts = std::array<std::uint32_t, 256>;

void count_exponents(std::vector<std::uint8_t> const& exponents, ExponentCounts& counts);

/// The exponents of each layer's previous iteration.
class ExponentHistory {
public:
    struct Previous {
        ExponentCounts const* counts;  ///< of the layer's previous iteration; null in the first one
        bool renewed;                  ///< this packet begins an iteration: `counts` is not what it was
    };
    /// Adds `counts` of a packet to the iteration that is under way.
    Previous add(PacketContext const& context, ExponentCounts const& counts);

private:
    struct Layer {
        ExponentCounts previous{};
        ExponentCounts current{};
        DataType type = DataType::bf16;
        bool has_previous = false;
        bool has_current = false;
    };
    std::vector<std::unique_ptr<Layer>> layers_;
};

}  // namespace netzip
