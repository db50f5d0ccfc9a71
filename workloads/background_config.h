#pragma once

#include <cstdint>
#include <string>

#include "base/config/range.h"

namespace netzip {

class UnusedParameters;

/// Traffic without the compression flag that shares the NIC with the workload until the workload ends.
struct BackgroundConfig {
    bool enabled = false;
    BitRate rate{5'000'000'000};
    Bytes message_size{64 * 1024};
    std::uint64_t queue_pairs = 1;
    std::uint64_t seed = 7;

    template <class V>
    void fields(V& v) {
        v("enabled", enabled, any(), "Send background traffic, which never asks for compression.", "assumption");
        v("rate", rate, above(BitRate::zero()), "Background bytes offered per time.", "assumption");
        v("message_size", message_size, between(Bytes{1}, Bytes{1ull << 30}), "Bytes of every background message.",
          "assumption");
        v("queue_pairs", queue_pairs, between(1, 4096), "Queue pairs of its own, used in turn.", "assumption");
        v("seed", seed, any(), "Seed of the random bytes.", "assumption");
    }

    void unused(std::string const& place, UnusedParameters& unused) const;
};

}  // namespace netzip
