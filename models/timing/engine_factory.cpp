#include "models/timing/engine_factory.h"

#include <algorithm>

#include "models/timing/block_engines.h"
#include "models/timing/coupled_lz_decoder.h"
#include "models/timing/exponent_decoder.h"
#include "models/timing/exponent_encoder.h"
#include "models/timing/lz_engine.h"

namespace netzip {
namespace {

std::unique_ptr<Engine> lz_compressor(CompressorConfig const& c, AlgorithmConfig const& algorithm, LzFormat format) {
    LzTiming timing;
    timing.bytes_per_cycle = c.bytes_per_cycle;
    timing.match_latency = (c.window_fill + c.matcher + c.match_filter + c.booster + c.sequence_split).count();
    timing.lookahead = c.lookahead;
    timing.output_latency = (c.formatter + c.packer).count();
    timing.block_gap = c.block_gap.count();
    timing.clear_per_cycle = c.clear_per_cycle;
    return std::make_unique<LzEngine>(algorithm.lz, timing, format);
}

std::unique_ptr<Engine> two_pass_compressor(CompressorConfig const& c, Cycles table_build) {
    TwoPassEngine::Timing timing;
    timing.bytes_per_cycle = c.bytes_per_cycle;
    timing.encode_bytes_per_cycle = c.entropy.encode_bytes_per_cycle;
    timing.match_latency = (c.window_fill + c.matcher + c.match_filter + c.booster + c.sequence_split).count();
    timing.block_gap = c.block_gap.count();
    timing.table_build = table_build.count();
    timing.output_latency = (c.formatter + c.packer).count();
    return std::make_unique<TwoPassEngine>(timing);
}

std::unique_ptr<Engine> exponent_encoder(ExponentEncoderConfig const& c, AlgorithmConfig const& algorithm) {
    constexpr std::uint64_t kValueBytes = 2;  // assumption for other types: blocks of as many bytes
    ExponentEncoder::Timing timing;
    timing.width = timing.coder_width = timing.scan_block = c.bytes_per_cycle;
    timing.slots = c.slots;
    timing.scan = c.scan.count();
    timing.code = c.code.count();
    timing.gap = c.gap.count();
    timing.pack = c.pack.count();
    if (algorithm.codec == CodecKind::exponent_window) {
        if (algorithm.window_base != WindowBase::previous_iteration) timing.scan_block = 0;
    } else {
        timing.lanes = algorithm.lanes;
        timing.coder_width = std::min(c.bytes_per_cycle, algorithm.lanes * c.bytes_per_lane);
        if (algorithm.codec == CodecKind::exponent_prefix) timing.scan_block = kValueBytes * algorithm.anchor_values;
    }
    return std::make_unique<ExponentEncoder>(timing);
}

std::unique_ptr<Engine> rate_engine(std::uint64_t bytes_per_100_cycles, std::uint64_t raw, Cycles tables,
                                    Cycles latency) {
    return std::make_unique<RateEngine>(RateEngine::Timing{bytes_per_100_cycles, raw, tables.count(), latency.count()});
}

std::unique_ptr<Engine> exponent_decoder(ExponentDecoderConfig const& c, AlgorithmConfig const& algorithm) {
    ExponentDecoder::Timing timing;
    timing.width = timing.decoder_width = c.bytes_per_cycle;
    timing.slots = c.slots;
    timing.latency = c.latency.count();
    if (algorithm.codec != CodecKind::exponent_window) {
        timing.lanes = algorithm.lanes;
        timing.decoder_width = std::min(c.bytes_per_cycle, algorithm.lanes * c.bytes_per_lane);
        timing.loads = c.lane_memories;
        timing.load_width = c.load_width;
        timing.header = c.header.count();
        timing.turn = c.turn.count();
    }
    return std::make_unique<ExponentDecoder>(timing);
}

}  // namespace

std::unique_ptr<Engine> compressor_engine(CompressorConfig const& c, AlgorithmConfig const& algorithm) {
    switch (algorithm.codec) {
        case CodecKind::lz4:
        case CodecKind::lz4_hw:
            return lz_compressor(c, algorithm, LzFormat::lz4);
        case CodecKind::snappy:
            return lz_compressor(c, algorithm, LzFormat::snappy);
        case CodecKind::zstd:
            return two_pass_compressor(c, c.entropy.zstd_table_build);
        case CodecKind::deflate:
            return two_pass_compressor(c, c.entropy.deflate_table_build);
        case CodecKind::exponent_window:
        case CodecKind::exponent_prefix:
        case CodecKind::exponent_huffman:
            return exponent_encoder(c.exponent, algorithm);
        case CodecKind::none:
            break;
    }
    return rate_engine(c.input_width * 100, c.input_width, Cycles{0}, Cycles{1});
}

std::unique_ptr<Engine> decompressor_engine(DecompressorConfig const& d, AlgorithmConfig const& algorithm) {
    switch (algorithm.codec) {
        case CodecKind::lz4:
        case CodecKind::lz4_hw:
            if (d.coupled)
                return std::make_unique<CoupledLzDecoder>(
                    CoupledLzDecoder::Timing{d.bytes_per_cycle, d.latency.count()});
            [[fallthrough]];
        case CodecKind::snappy:
            return std::make_unique<LzDecoder>(LzDecoder::Timing{d.bytes_per_cycle, d.short_offset,
                                                                 d.short_offset_bytes_per_cycle, d.latency.count()});
        case CodecKind::zstd:
            return rate_engine(d.zstd_bytes_per_100_cycles, d.bytes_per_cycle, d.zstd_table_build, d.latency);
        case CodecKind::deflate:
            return rate_engine(d.deflate_bytes_per_100_cycles, d.bytes_per_cycle, d.deflate_table_build, d.latency);
        case CodecKind::exponent_window:
        case CodecKind::exponent_prefix:
        case CodecKind::exponent_huffman:
            return exponent_decoder(d.exponent, algorithm);
        case CodecKind::none:
            break;
    }
    std::uint64_t const wide = d.exponent.bytes_per_cycle;
    return rate_engine(wide * 100, wide, Cycles{0}, Cycles{1});
}

}  // namespace netzip
