#pragma once

#include <fstream>
#include <string>

#include "models/cost/codec_blocks.h"
#include "models/cost/evaluate.h"
#include "nic/nic_cost.h"
#include "support/catch.h"
#include "support/temporary_directory.h"

namespace netzip {

inline std::string shipped_tables() {
    return std::string(NETZIP_SOURCE_DIR) + "/configs/cost";
}
inline CostTables const& vitis() {
    static CostTables const tables = load_cost_tables({"vitis", "u280", shipped_tables()});
    return tables;
}

inline std::vector<std::filesystem::path> shipped_files() {
    std::vector<std::filesystem::path> files;
    for (char const* name : {"fpga_u280", "vitis_blocks", "asic_7nm", "energy_7nm"}) {
        files.emplace_back(shipped_tables() + "/" + name + ".toml");
    }
    return files;
}

/// The shipped tables with the entries of `text` over them.
inline CostTables with_overlay(std::string const& text) {
    TemporaryDirectory directory;
    std::string const path = directory.path() + "/overlay.toml";
    std::ofstream(path) << text;
    auto files = shipped_files();
    files.emplace_back(path);
    return CostTables::load(files);
}

inline std::string entry(std::string const& name, double value, std::string const& unit,
                         std::string const& more = "provenance = \"quoted\"") {
    return "[[entry]]\nname = \"" + name + "\"\nvalue = " + std::to_string(value) + "\nunit = \"" + unit +
           "\"\nnode = \"7 nm\"\nsource = \"test\"\n" + more + "\n";
}
inline std::string const kHead = "kind = \"blocks\"\ntitle = \"test\"\n";

inline double typical(Resources const& resources, Resource resource) {
    return resources[resource].value.typical;
}

/// The engines alone: what the paper's share of the device is about.
inline Resources engines(NicConfig const& config, CostTables const& tables = vitis()) {
    Resources sum;
    for (auto const& block : nic_blocks(config, tables)) {
        if (block.bytes_per_second > 0.0) sum += block.total();
    }
    return sum;
}

inline CostReport worst_case(NicConfig const& config, CostTables const& tables = vitis(),
                             BitRate rate = BitRate{50'000'000'000}) {
    auto const blocks = nic_blocks(config, tables);
    CostView const view = config.technology == Technology::fpga ? CostView::fpga : CostView::asic;
    return evaluate(blocks, tables, expected_activity(config, blocks, rate), view);
}

/// The shape of a 7 nm design at 1 GHz for 50 Gb/s.
inline NicConfig asic_1ghz() {
    NicConfig config;
    config.technology = Technology::asic;
    config.clock = Frequency{1'000'000'000};
    config.compressor.engines = 7;
    config.decompressor.engines = 1;
    return config;
}

/// LZ engines that know nothing longer than a packet of 4 KiB: 1024 entries of two candidates of 52 bits.
inline void trim_to_packets(NicConfig& config) {
    config.algorithm.codec = CodecKind::lz4_hw;
    config.algorithm.lz.hash_bits = 10;
    config.algorithm.lz.candidates = 2;
    config.algorithm.lz.candidate_bytes = 4;
    config.algorithm.lz.epoch_bits = 8;
    config.algorithm.lz.history = Bytes{4096};
    config.algorithm.lz.literal_fifo = Bytes{4096};
    config.decompressor.history = Bytes{4096};
}

}  // namespace netzip
