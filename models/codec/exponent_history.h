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
    /// What the previous iteration of the packet's layer held, or null in the first one. Adds `counts` of this packet
    /// to the iteration that is under way.
    ExponentCounts const* previous_and_add(PacketContext const& context, ExponentCounts const& counts);

private:
    struct Layer {
        ExponentCounts previous{};
        ExponentCounts current{};
        bool has_previous = false;
        bool has_current = false;
    };
    std::vector<std::unique_ptr<Layer>> layers_;
};

}  // namespace netzip
