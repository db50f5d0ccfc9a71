#include <algorithm>
#include <cstdlib>
#include <memory>

#include "models/packet_codec.h"
#include "support/algorithms.h"

using namespace netzip;

namespace {

struct Path {
    explicit Path(AlgorithmConfig const& config) : encoder(config), decoder(config) {}
    PacketEncoder encoder;
    PacketDecoder decoder;
};

std::vector<std::unique_ptr<Path>> make_paths() {
    std::vector<std::unique_ptr<Path>> all;
    for (auto const& config : accepted_algorithms())
        if (config.lossless()) all.push_back(std::make_unique<Path>(config));
    return all;
}

}  // namespace

/// First two bytes: combination; third: element type and start of an iteration; the rest is a packet, which comes back
/// bit by bit.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static auto const paths = make_paths();
    static auto const types = all_of<DataType>();
    if (size < 3) return 0;
    Path& path = *paths[(data[0] + std::size_t{256} * data[1]) % paths.size()];
    PacketContext const context{0, data[2] >= 128, 0, types[data[2] % types.size()]};
    ByteBuffer const packet(data + 3, data + size);
    EncodedPacket encoded;
    ByteBuffer restored;
    CodecWork work;
    path.encoder.encode(context, packet, encoded);
    path.decoder.decode(context, encoded, restored, work);
    if (restored != packet) std::abort();
    return 0;
}
