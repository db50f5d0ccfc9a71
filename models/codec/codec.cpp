#include "models/codec/codec.h"

#include "base/error.h"
#include "models/codec/codecs.h"

namespace netzip {

std::unique_ptr<Codec> make_codec(AlgorithmConfig const& config) {
    switch (config.codec) {
        case CodecKind::none:
            return make_stored();
        case CodecKind::lz4:
            return make_lz4();
        case CodecKind::lz4_hw:
            return make_lz4_hw(config.lz);
        case CodecKind::snappy:
            return make_snappy();
        case CodecKind::zstd:
            return make_zstd(static_cast<int>(config.level));
        case CodecKind::deflate:
            return make_deflate(static_cast<int>(config.level));
        case CodecKind::exponent_window:
            return make_exponent_window(static_cast<unsigned>(config.window_bits), config.window_base);
        case CodecKind::exponent_prefix:
            return make_exponent_prefix(config.lanes, config.anchor_values);
        case CodecKind::exponent_huffman:
            return make_exponent_huffman(config.lanes);
    }
    throw UsageError("codec " + enum_name(config.codec) + " is unknown");
}

}  // namespace netzip
