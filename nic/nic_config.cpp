#include "nic/nic_config.h"

#include "models/packet_codec.h"

namespace netzip {

void NicConfig::check(std::string const& place, Problems& problems) const {
    if (protocol.path_mtu.count() > kMaximumPacketBytes) {
        problems.add(place + "protocol.path_mtu: expected at most " + std::to_string(kMaximumPacketBytes) + " B, got " +
                     to_string(protocol.path_mtu));
    }
}

}  // namespace netzip
