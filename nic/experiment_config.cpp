#include "nic/experiment_config.h"

#include "base/config/unused.h"

namespace netzip {

void LinkConfig::unused(std::string const& place, UnusedParameters& unused) const {
    if (loss == 0.0 && bit_error_rate == 0.0)
        unused.add(place + "seed", place + "loss and " + place + "bit_error_rate are 0");
}

void SwitchConfig::unused(std::string const& place, UnusedParameters& unused) const {
    if (present) return;
    unused.add(place + "cut_through", place + "present is false");
    unused.add(place + "latency", place + "present is false");
}

}  // namespace netzip
