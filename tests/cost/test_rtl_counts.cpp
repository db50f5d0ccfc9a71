// The counts of own RTL: what the documents say of them, and the tables made from them.
#include <algorithm>
#include <fmt/format.h>
#include <toml++/toml.h>

#include "models/cost/cost_tables.h"
#include "support/catch.h"
#include "support/documented_table.h"

using namespace netzip;

namespace {

std::string const kCost = NETZIP_SOURCE_DIR "/configs/cost/";

/// 12345 -> "12,345".
std::string grouped(std::int64_t number) {
    std::string digits = std::to_string(number);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), ",");
    return digits;
}

}  // namespace

TEST_CASE("the documented sizes of own RTL are those that were counted", "[cost]") {
    toml::table const counts = toml::parse_file(kCost + "rtl_counts.toml");
    std::size_t blocks = 0;
    for (auto const& [name, node] : counts) {
        if (!node.is_table()) continue;
        auto const number = [&](char const* key) {
            return grouped(node.as_table()->at(key).value<std::int64_t>().value());
        };
        std::string title(name.str());
        std::replace(title.begin(), title.end(), '_', ' ');
        test::check_documented("validation.md",
                               fmt::format("| {} | {} ({}) | {} | {} | {} | {} | {} | {} |\n", title, number("lut"),
                                           number("lut_memory"), number("ff"), number("bram18"), number("bram36"),
                                           number("uram"), number("gates"), number("memory_bits")));
        ++blocks;
    }
    CHECK(blocks == 10);
}

// LUTs of distributed RAM are taken off: the model counts memories from the configuration.
TEST_CASE("the table of own RTL is made of its counts", "[cost]") {
    toml::table const counts = toml::parse_file(kCost + "rtl_counts.toml");
    CostTables const tables =
        CostTables::load({kCost + "fpga_u280.toml", kCost + "asic_7nm.toml", kCost + "energy_7nm.toml",
                          kCost + "vitis_blocks.toml", kCost + "rtl_blocks.toml"});
    for (auto const& [entry, block] : {std::pair{"grouper", "grouper"}, std::pair{"lz4_compress", "lz4_compressor"},
                                       std::pair{"exponent_window_compress", "exponent_window_encoder"},
                                       std::pair{"exponent_prefix_compress", "exponent_prefix_encoder"},
                                       std::pair{"exponent_window_decompress", "exponent_window_decoder"}}) {
        CAPTURE(entry);
        auto const number = [&](char const* key) {
            return static_cast<double>(counts[block][key].value<std::int64_t>().value());
        };
        CHECK(tables.typical(std::string(entry) + ".lut", "LUT") == number("lut") - number("lut_memory"));
        CHECK(tables.typical(std::string(entry) + ".ff", "FF") == number("ff"));
    }
}
