#pragma once

#include <vector>

#include "models/algorithm.h"

namespace netzip {

/// Every value of an enumeration.
template <class E>
std::vector<E> all_of() {
    std::vector<E> values;
    for (auto const& [value, name] : EnumNames<E>::values) values.push_back(value);
    return values;
}

/// Every combination of delta, grouping, order, policy and codec that the configuration accepts, with the default
/// parameters; and the exponent codecs with each of their parameters.
std::vector<AlgorithmConfig> accepted_algorithms();

}  // namespace netzip
