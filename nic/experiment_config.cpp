#include "nic/experiment_config.h"

#include "base/config/unused.h"
#include "base/error.h"

namespace netzip {

void RunConfig::unused(std::string const& place, UnusedParameters& unused) const {
    if (payload == PayloadMode::bytes && !compare_plain)
        unused.add(place + "cache", place + "payload is \"bytes\" and " + place + "compare_plain is false");
}

void ExperimentConfig::check(std::string const& place, Problems& problems) const {
    Duration flight = link.propagation;
    if (network_switch.present) flight = flight + link.propagation + network_switch.latency;
    if (flight >= nic.protocol.timeout || flight + flight >= nic.protocol.timeout) {
        problems.add(place + "nic.protocol.timeout: every packet would be sent again: expected more than the flight " +
                     "to the other node and back, twice " + to_string(flight) + ", got " +
                     to_string(nic.protocol.timeout));
    }
}

void ExperimentConfig::unused(std::string const& place, UnusedParameters& unused) const {
    if (!nic.accelerator) {
        unused.add(place + "run.compare_plain", place + "nic.accelerator is false");
    } else if (!workload.compress) {
        for (char const* section : {"delta_encoder", "staging_buffer", "grouper", "compressor", "merge", "tx_slices",
                                    "decompressor", "ungrouping_buffer", "ungrouper", "delta_decoder", "rx_slices"}) {
            unused.add(place + "nic." + section, place + "workload.compress is false");
        }
    }
}

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
