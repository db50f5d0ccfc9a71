#include "nic/mismatch.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace netzip {

Comparison compare_values(std::uint8_t const* sent, std::uint8_t const* received, std::uint64_t size, DataType type) {
    std::uint64_t const element = element_bytes(type);
    Comparison result;
    result.values = (size + element - 1) / element;
    if (std::memcmp(sent, received, size) == 0) return result;
    for (std::uint64_t i = 0; i < result.values; ++i) {
        std::uint64_t const at = i * element;
        if (std::memcmp(sent + at, received + at, std::min(element, size - at)) == 0) continue;
        if (result.mismatched++ == 0) result.first = i;
    }
    return result;
}

std::string describe_mismatch(Message const& message, PacketTag const& tag, std::uint64_t path_mtu,
                              std::uint64_t element, std::uint8_t const* sent, std::uint8_t const* received) {
    std::uint64_t const size = element_bytes(tag.type);
    std::uint64_t const at = element * size;
    std::uint64_t const length = std::min<std::uint64_t>(size, tag.original_size - at);
    std::uint32_t expected = 0;
    std::uint32_t found = 0;
    std::memcpy(&expected, sent + at, length);
    std::memcpy(&found, received + at, length);
    return fmt::format("tensor \"{}\" (iteration {}), packet {}, element {}: sent 0x{:0{}x}, received 0x{:0{}x}",
                       message.name, message.iteration, tag.tensor_offset / path_mtu, (tag.tensor_offset + at) / size,
                       expected, 2 * size, found, 2 * size);
}

}  // namespace netzip
