#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "base/error.h"
#include "models/packet_codec.h"
#include "support/algorithms.h"

using namespace netzip;

namespace {

std::vector<std::unique_ptr<PacketDecompressor>> decompressors;

/// A decompressor of every accepted combination with this codec, one base and one group order.
void make_decompressors(std::string const& codec) {
    for (auto const& config : accepted_algorithms()) {
        bool const base = config.delta == DeltaKind::none || config.delta == DeltaKind::min_previous;
        if (enum_name(config.codec) == codec && base && config.group_order == GroupOrder::high_first)
            decompressors.push_back(std::make_unique<PacketDecompressor>(config));
    }
}

}  // namespace

/// The name of the program is fuzz_ and the codec: one executable under many names.
extern "C" int LLVMFuzzerInitialize(int*, char*** argv) {
    std::string const program = **argv;
    make_decompressors(program.substr(program.rfind("fuzz_") + 5));
    if (!decompressors.empty()) return 0;
    std::fprintf(stderr, "%s: the name does not end in fuzz_CODEC\n", program.c_str());
    std::exit(2);
}

/// First byte: combination; second: element type; the rest is the payload. A payload is refused with RunError or
/// decodes to its announced length.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static auto const types = all_of<DataType>();
    if (size < 2) return 0;
    PacketContext const context{0, true, 0, types[data[1] % types.size()]};
    // A copy of its own, so that a read beyond it is seen.
    ByteBuffer const payload(data + 2, data + size);
    ByteBuffer grouped;
    DeltaBase base;
    CodecWork work;
    try {
        decompressors[data[0] % decompressors.size()]->decompress(context, payload, grouped, base, work);
    } catch (RunError const&) {
        return 0;
    }
    if (grouped.size() != payload[0] + std::size_t{256} * payload[1]) std::abort();
    return 0;
}
