#pragma once

#include <string>

#include "base/config/range.h"

namespace netzip {

/// Which tables the cost of the accelerator is computed from.
struct CostConfig {
    std::string source = "vitis";
    std::string device = "u280";
    std::string tables;

    template <class V>
    void fields(V& v) {
        v("source", source, any(),
          "Building blocks: NAME of a table NAME_blocks.toml, such as vitis, vitis_l2 (2022.2 page) or rtl.",
          "NetZIP paper (MICRO 2025): its shares are those of the Vitis kernels");
        v("device", device, any(), "FPGA: NAME of a table fpga_NAME.toml.", "NetZIP paper (MICRO 2025): Alveo U280");
        v.file("tables", tables, any(), "Directory of the cost tables; empty: configs/cost of the installation.", "-");
    }
};

}  // namespace netzip
