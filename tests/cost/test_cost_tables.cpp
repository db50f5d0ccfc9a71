#include "base/error.h"
#include "cost_bench.h"

using namespace netzip;

namespace {

std::string problem_of(std::string const& text) {
    try {
        with_overlay(text);
    } catch (UsageError const& error) {
        return error.what();
    }
    return "";
}

bool contains(std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("every value of the shipped cost tables has a unit, a node, a source and an origin", "[cost]") {
    for (char const* source : {"vitis", "vitis_l2", "rtl"}) {
        CostTables const tables = load_cost_tables({source, "u280", shipped_tables()});
        CHECK(tables.entries().size() > 150);
        for (auto const& [name, value] : tables.entries()) {
            INFO(name << " at " << value.place);
            CHECK_FALSE(value.unit.empty());
            CHECK_FALSE(value.node.empty());
            CHECK(value.source.size() > 8);
            bool const is_assumed = value.provenance == Provenance::assumed;
            CHECK((!is_assumed || value.value.low < value.value.typical || value.value.typical < value.value.high ||
                   value.value.typical == 0.0));
        }
    }
}

TEST_CASE("a value in the wrong unit in a cost table is refused with its place", "[cost]") {
    std::string const found = problem_of(kHead + entry("asic.gate_area", 58.0, "nm2/gate"));
    CHECK(contains(found, "overlay.toml:3: asic.gate_area: unit: expected 'um2/gate', got 'nm2/gate'"));
    CHECK(contains(problem_of(kHead + entry("lz4_compress.lut", 2816, "kLUT")), "expected 'LUT', got 'kLUT'"));
}

TEST_CASE("a cost table with a mistake is refused and every mistake is named", "[cost]") {
    std::string const found = problem_of(
        kHead + "colour = 1\n" + entry("asic.gate_aera", 1, "um2/gate") + entry("asic.utilisation", -1, "ratio") +
        entry("gap.logic_area", 35, "ratio", "provenance = \"assumed\"") +
        entry("gap.memory_area", 2, "ratio", "provenance = \"measured\"") +
        entry("gap.sram_node", 2, "ratio", "provenance = \"quoted\"\nlow = 3\nhigg = 4\nvalid = { width = [2, 1] }") +
        "[[entry]]\nname = \"gap.power_node\"\nunit = \"ratio\"\nnode = \"x\"\nprovenance = \"quoted\"\n");
    CHECK(contains(found, "unknown key 'colour'"));
    CHECK(contains(found, "asic.gate_aera: unknown name (did you mean 'asic.gate_area'?)"));
    CHECK(contains(found, "asic.utilisation: value: expected a number of at least 0"));
    CHECK(contains(found, "gap.logic_area: an assumed value needs low and high"));
    CHECK(contains(found, "gap.memory_area: provenance: expected quoted, derived or assumed, got 'measured'"));
    CHECK(contains(found, "gap.sram_node: expected low <= value <= high, got 3 <= 2 <= 2"));
    CHECK(contains(found, "gap.sram_node: unknown key 'higg' (did you mean 'high'?)"));
    CHECK(contains(found, "gap.sram_node: valid.width: expected [low, high]"));
    CHECK(contains(found, "gap.power_node: value: missing"));
    CHECK(contains(found, "source: expected a text in quotes"));
    CHECK(contains(problem_of(kHead + entry("gap.logic_area", 1, "ratio") + entry("gap.logic_area", 2, "ratio")),
                   "gap.logic_area: defined twice in this file"));
    CHECK(contains(problem_of("kind = \"device\"\ntitle = [\n"), "overlay.toml:"));
    CHECK(contains(problem_of("kind = \"block\"\ntitle = \"x\"\nentry = 4\n"),
                   "expected device, blocks, asic or energy"));
}

TEST_CASE("a cost table that lacks a value, or is not there, is refused", "[cost]") {
    auto files = shipped_files();
    files.pop_back();
    CHECK_THROWS_WITH(CostTables::load(files), Catch::Contains("no entry 'asic.energy.sram_large' (pJ/bit)"));
    CHECK_THROWS_AS(CostTables::load({"/nowhere/x.toml"}), UsageError);
    CHECK_THROWS_WITH(load_cost_tables({"vitiss", "u280", shipped_tables()}),
                      Catch::Contains("expected one of rtl, vitis, vitis_l2, got \"vitiss\""));
    CHECK_THROWS_WITH(load_cost_tables({"vitis", "u55", shipped_tables()}), Catch::Contains("expected one of u280"));
    CHECK_THROWS_WITH(load_cost_tables({"vitis", "u280", "/nowhere"}), Catch::Contains("expected a directory"));
}

TEST_CASE("a later cost table replaces what it names and nothing else", "[cost]") {
    CostTables const tables = with_overlay(kHead + entry("lz4_compress.lut", 1000, "LUT"));
    CHECK(tables.typical("lz4_compress.lut", "LUT") == 1000.0);
    CHECK(tables.typical("lz4_compress.ff", "FF") == 3214.0);
    CHECK(tables.title("blocks") == "Vitis kernels (L1 implementation results); test");
    CHECK_THROWS_AS(tables.typical("lz4_compress.lut", "FF"), RunError);
    CHECK_THROWS_AS(tables.typical("lz4_compress.luts", "LUT"), RunError);
}

TEST_CASE("a value outside the range of its table is marked, one at its edge is not", "[cost]") {
    CostTables const tables =
        with_overlay(kHead + entry("demux.lut", 600, "LUT", "provenance = \"quoted\"\nvalid = { width = [16, 128] }"));
    CHECK_FALSE(tables.number("demux.lut", "LUT", {{"width", 16}}).out_of_range);
    CHECK_FALSE(tables.number("demux.lut", "LUT", {{"width", 128}, {"other", 1}}).out_of_range);
    CHECK(tables.number("demux.lut", "LUT", {{"width", 129}}).out_of_range);
    CHECK(tables.number("demux.lut", "LUT", {{"width", 15}}).out_of_range);
}

TEST_CASE("combined numbers keep the weakest origin and any mark", "[cost]") {
    Number const quoted{Estimate::exact(2), Provenance::quoted, false};
    Number const derived{{1, 2, 3}, Provenance::derived, true};
    Number const assumed{{4, 5, 10}, Provenance::assumed, false};
    CHECK((quoted + quoted).provenance == Provenance::quoted);
    CHECK((quoted * derived).provenance == Provenance::derived);
    CHECK((derived * assumed).provenance == Provenance::assumed);
    CHECK((quoted * derived).out_of_range);
    CHECK((quoted + derived + assumed).value == Estimate{7, 9, 15});
    CHECK((derived * assumed).value == Estimate{4, 10, 30});
    CHECK((derived / assumed).value == Estimate{0.1, 0.4, 0.75});  // 1/10, 2/5, 3/4
}
