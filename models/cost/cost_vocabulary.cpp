#include <array>

#include "models/cost/cost_tables.h"

namespace netzip {

namespace {

/// Blocks of logic: `.lut`, `.ff`, `.width` (bytes per cycle of the counted implementation), and if known `.gates`
/// (NAND2 equivalents without flip-flops; else LUTs times `asic.gates_per_lut`), `.clock` (fastest implementation) and
/// `.sustained` (bytes per cycle on real data; else `.width`).
constexpr std::array kLogicBlocks{"demux",
                                  "mux",
                                  "bypass",
                                  "merge",
                                  "register_slice",
                                  "staging_control",
                                  "grouper",
                                  "grouper_byte",
                                  "ungrouper",
                                  "ungrouper_byte",
                                  "integer_delta",
                                  "float_delta",
                                  "minimum_tree",
                                  "downsizer",
                                  "upsizer",
                                  "exponent_histogram",
                                  "exponent_scale",
                                  "exponent_window_compress",
                                  "exponent_window_decompress",
                                  "exponent_prefix_compress",
                                  "exponent_prefix_decompress",
                                  "huffman_table_builder",
                                  "lz4_compress",
                                  "lz4_decompress",
                                  "snappy_compress",
                                  "snappy_decompress",
                                  "zstd_compress",
                                  "zstd_decompress",
                                  "deflate_compress",
                                  "deflate_decompress"};
/// Kernels whose memories are known as a count only.
constexpr std::array kCountedMemories{"zstd_compress", "zstd_decompress", "deflate_compress", "deflate_decompress"};
constexpr std::array kLzCompressors{"lz4_compress", "snappy_compress"};
constexpr std::array kLzDecompressors{"lz4_decompress", "snappy_decompress"};

std::vector<CostQuantity> build() {
    std::vector<CostQuantity> list;
    for (std::string const block : kLogicBlocks) {
        list.push_back({block + ".lut", "LUT"});
        list.push_back({block + ".ff", "FF"});
        list.push_back({block + ".width", "B/cycle"});
        list.push_back({block + ".gates", "gate", false});
        list.push_back({block + ".clock", "MHz", false});
        list.push_back({block + ".sustained", "B/cycle", false});
    }
    for (std::string const block : kCountedMemories) {
        list.push_back({block + ".bram36", "BRAM36"});
        list.push_back({block + ".uram", "URAM"});
        list.push_back({block + ".lane_share", "ratio"});
    }
    for (std::string const block : kLzCompressors) {
        list.push_back({block + ".candidate_bytes", "B"});
        list.push_back({block + ".match_share_lut", "ratio"});
        list.push_back({block + ".match_share_ff", "ratio"});
        list.push_back({block + ".literal_fifo_in_history", "flag"});
    }
    for (std::string const block : kLzDecompressors) {
        list.push_back({block + ".bram36", "BRAM36"});
        list.push_back({block + ".history_copies", "ratio"});
        list.push_back({block + ".width_share_lut", "ratio"});
        list.push_back({block + ".width_share_ff", "ratio"});
    }
    for (auto const& [name, unit] :
         std::array<std::pair<char const*, char const*>, 35>{{{"device.lut", "LUT"},
                                                              {"device.ff", "FF"},
                                                              {"device.bram36", "BRAM36"},
                                                              {"device.uram", "URAM"},
                                                              {"device.uram_depth", "word"},
                                                              {"device.uram_width", "bit"},
                                                              {"device.static_power", "W"},
                                                              {"device.lut_area", "um2/LUT"},
                                                              {"device.bram36_area", "um2/BRAM36"},
                                                              {"device.uram_area", "um2/URAM"},
                                                              {"device.energy.lut", "pJ/cycle"},
                                                              {"device.energy.bram36", "pJ/cycle"},
                                                              {"device.energy.uram", "pJ/cycle"},
                                                              {"device.energy.clock", "pJ/cycle"},
                                                              {"asic.gates_per_lut", "gate/LUT"},
                                                              {"asic.gate_area", "um2/gate"},
                                                              {"asic.flop_area", "um2/bit"},
                                                              {"asic.utilisation", "ratio"},
                                                              {"asic.sram_large", "um2/bit"},
                                                              {"asic.sram_small", "um2/bit"},
                                                              {"asic.sram_large_threshold", "bit"},
                                                              {"asic.register_threshold", "bit"},
                                                              {"asic.static_power", "mW/mm2"},
                                                              {"asic.energy.sram_large", "pJ/bit"},
                                                              {"asic.energy.sram_small", "pJ/bit"},
                                                              {"asic.energy.gate", "fJ/cycle"},
                                                              {"asic.energy.flop", "fJ/cycle"},
                                                              {"asic.energy.clock", "fJ/cycle"},
                                                              {"asic.clock_running", "ratio"},
                                                              {"gap.logic_area", "ratio"},
                                                              {"gap.memory_area", "ratio"},
                                                              {"gap.logic_node", "ratio"},
                                                              {"gap.sram_node", "ratio"},
                                                              {"gap.dynamic_power", "ratio"},
                                                              {"gap.power_node", "ratio"}}}) {
        list.push_back({name, unit});
    }
    return list;
}

}  // namespace

std::vector<CostQuantity> const& cost_vocabulary() {
    static std::vector<CostQuantity> const list = build();
    return list;
}

}  // namespace netzip
