#include "cost_bench.h"
#include "models/cost/cost_text.h"

using namespace netzip;

namespace {

/// Round numbers, so that the arithmetic can be read.
CostTables round_tables() {
    return with_overlay(kHead + entry("asic.gate_area", 0.05, "um2/gate") + entry("asic.flop_area", 0.25, "um2/bit") +
                        entry("asic.utilisation", 0.5, "ratio") + entry("asic.sram_large", 0.04, "um2/bit") +
                        entry("asic.sram_small", 0.1, "um2/bit") + entry("asic.static_power", 10, "mW/mm2") +
                        entry("asic.energy.sram_large", 0.02, "pJ/bit") +
                        entry("asic.energy.sram_small", 0.01, "pJ/bit") + entry("asic.energy.gate", 0.5, "fJ/cycle") +
                        entry("asic.energy.flop", 2, "fJ/cycle") + entry("asic.energy.clock", 1, "fJ/cycle") +
                        entry("asic.clock_running", 0.5, "ratio") + entry("device.energy.lut", 0.05, "pJ/cycle") +
                        entry("device.energy.bram36", 10, "pJ/cycle") + entry("device.energy.uram", 50, "pJ/cycle") +
                        entry("device.energy.clock", 0.02, "pJ/cycle") + entry("device.lut_area", 300, "um2/LUT") +
                        entry("device.bram36_area", 10000, "um2/BRAM36") +
                        entry("device.uram_area", 40000, "um2/URAM") + entry("device.static_power", 10, "W") +
                        entry("gap.logic_area", 30, "ratio") + entry("gap.memory_area", 2, "ratio") +
                        entry("gap.logic_node", 0.5, "ratio") + entry("gap.sram_node", 0.4, "ratio") +
                        entry("gap.dynamic_power", 14, "ratio") + entry("gap.power_node", 0.5, "ratio"));
}

Term term(Resource resource, double amount) {
    return {"x", resource, {Estimate::exact(amount), Provenance::quoted, false}};
}

/// Four instances that work one cycle for two bytes at 1 GHz.
Block example() {
    Block block;
    block.name = "example";
    block.stage = "compressor";
    block.instances = 4;
    block.terms = {term(Resource::lut, 1000),       term(Resource::ff, 500),        term(Resource::bram36, 3),
                   term(Resource::uram, 2),         term(Resource::gates, 10000),   term(Resource::flop_bits, 500),
                   term(Resource::sram_large, 1e6), term(Resource::sram_small, 1e4)};
    block.accesses = {{"table", Counter::bytes_in, 100, Resource::sram_large},
                      {"fifo", Counter::literals, 16, Resource::sram_small}};
    block.cycles_per_count = 0.5;
    block.clock_hz = 1e9;
    return block;
}

ActivityCounts activity(std::uint64_t bytes) {
    ActivityCounts counts;
    counts.time = Duration{1'000'000'000'000};  // 1 ms
    counts.tensor_bytes = bytes;
    counts.stages["compressor"] = {bytes, bytes / 2, bytes / 4, 0};
    return counts;
}

constexpr std::uint64_t kMegabyte = 1'000'000;

}  // namespace

TEST_CASE("bottom-up area is gates and flip-flops over utilisation, and SRAM bits by macro size", "[cost]") {
    Cost const cost = evaluate({example()}, round_tables(), activity(0), CostView::asic).total;
    // 4 x (10000 x 0.05 + 500 x 0.25) / 0.5 um2 = 5000 um2; 4 x (1e6 x 0.04 + 1e4 x 0.1) = 164000 um2.
    CHECK(cost.logic_area.value.typical == Approx(0.005));
    CHECK(cost.sram_area.value.typical == Approx(0.164));
    CHECK(cost.area().value.typical == Approx(0.169));
}

TEST_CASE("area by gap is FPGA silicon over the gap, scaled to the node", "[cost]") {
    Cost const cost = evaluate({example()}, round_tables(), activity(0), CostView::asic).total;
    // Logic 4000 LUT x 300 / 30 x 0.5 = 20000 um2; memory (12 x 10000 + 8 x 40000) / 2 x 0.4 = 88000 um2.
    CHECK(cost.gap_area.value.typical == Approx(0.108));
}

TEST_CASE("ASIC power is energy per action, the clock of every flip-flop, and leakage by area", "[cost]") {
    CostReport const report = evaluate({example()}, round_tables(), activity(kMegabyte), CostView::asic);
    Power const& power = report.total.asic;
    // 1 MB: 500,000 cycles x (10000 x 0.5 + 500 x 2) fJ = 3 uJ; 1e6 x 100 b x 0.02 pJ = 2 uJ; 250,000 x 16 x 0.01 pJ
    // = 0.04 uJ; in 1 ms.
    CHECK(power.dynamic.value.typical == Approx(5.04e-3));
    CHECK(power.clock.value.typical == Approx(2000 * 1e-15 * 0.5 * 1e9));  // 4 x 500 flip-flops
    CHECK(power.leakage.value.typical == Approx(0.169 * 10e-3));
    // 5.04 uJ for 8 Mb = 0.63 pJ/b.
    CHECK(report.energy_per_bit(power.dynamic).value.typical == Approx(0.63));
}

TEST_CASE("FPGA power is energy per resource and working cycle, the clock, and a share of the device's leakage",
          "[cost]") {
    CostReport const report = evaluate({example()}, round_tables(), activity(kMegabyte), CostView::fpga);
    Power const& power = report.total.fpga;
    // 500,000 cycles x (1000 x 0.05 + 3 x 10 + 2 x 50) pJ = 90 uJ in 1 ms.
    CHECK(power.dynamic.value.typical == Approx(0.09));
    CHECK(power.clock.value.typical == Approx(2000 * 0.02e-12 * 1e9));
    double const own = 4000 * 300.0 + 12 * 10000.0 + 8 * 40000.0;
    double const device = 1303680 * 300.0 + 2016 * 10000.0 + 960 * 40000.0;
    CHECK(power.leakage.value.typical == Approx(10 * own / device));
    CHECK(report.gap_power.value.typical == Approx((0.09 + 0.04) / 14 * 0.5));
}

TEST_CASE("twice the traffic in the same time is exactly twice the dynamic energy, and nothing else moves", "[cost]") {
    NicConfig const config;
    auto const blocks = nic_blocks(config, vitis());
    ActivityCounts once = expected_activity(config, blocks, BitRate{20'000'000'000});
    once.stages["compressor"].match_bytes = 12345;
    once.stages["decompressor"].match_bytes = 12345;
    ActivityCounts twice = once;
    twice.tensor_bytes *= 2;
    for (auto& [name, stage] : twice.stages) {
        for (auto* count : {&stage.bytes_in, &stage.bytes_out, &stage.literals, &stage.match_bytes, &stage.busy_cycles})
            *count *= 2;
    }
    CostReport const a = evaluate(blocks, vitis(), once, CostView::fpga);
    CostReport const b = evaluate(blocks, vitis(), twice, CostView::fpga);
    for (auto power : {&Cost::fpga, &Cost::asic}) {
        CHECK((a.total.*power).dynamic.value.typical > 0.0);
        CHECK((b.total.*power).dynamic.value == (a.total.*power).dynamic.value * 2);
        CHECK((b.total.*power).clock.value == (a.total.*power).clock.value);
        CHECK((b.total.*power).leakage.value == (a.total.*power).leakage.value);
    }
    CHECK(b.energy_per_bit(b.total.asic.dynamic).value.typical ==
          Approx(a.energy_per_bit(a.total.asic.dynamic).value.typical));
}

TEST_CASE("an idle accelerator draws its clock and leakage alone", "[cost]") {
    NicConfig const config;
    ActivityCounts idle;
    idle.time = Duration{1'000'000'000};
    CostReport const report = evaluate(nic_blocks(config, vitis()), vitis(), idle, CostView::fpga);
    CHECK(report.total.asic.dynamic.value.high == 0.0);
    CHECK(report.total.asic.clock.value.typical > 0.0);
    CHECK(report.energy_per_bit(report.total.asic.total()).value.typical == 0.0);
}

TEST_CASE("stages and directions add up to the total", "[cost]") {
    CostReport const report = worst_case(NicConfig{});
    double stages = 0.0;
    for (auto const& stage : report.stages) stages += stage.area().value.typical;
    CHECK(stages == Approx(report.total.area().value.typical));
    CHECK(report.transmit.area().value.typical + report.receive.area().value.typical ==
          Approx(report.total.area().value.typical));
    CHECK(report.transmit.asic.total().value.high + report.receive.asic.total().value.high ==
          Approx(report.total.asic.total().value.high));
    CHECK(report.stages.size() == 17);
}

TEST_CASE("a design that does not fit, or is faster than its kernels ever were, is warned of on an FPGA only",
          "[cost]") {
    NicConfig config;
    config.compressor.engines = 500;
    config.clock = Frequency{400'000'000};
    auto const said = [](CostReport const& report, std::string const& what) {
        for (auto const& warning : report.warnings) {
            if (warning.find(what) != std::string::npos) return true;
        }
        return false;
    };
    CostReport const fpga = worst_case(config);
    CHECK(said(fpga, "does not fit: 3032 URAM are 316 % of AMD Alveo U280"));  // 500 x 6 + 4 x 4 + 2 x 8
    CHECK(said(fpga, "lz4_compress engine: 400 MHz is beyond the 345 MHz"));
    config.technology = Technology::asic;
    CHECK(worst_case(config).warnings.empty());
    CHECK(worst_case(NicConfig{}).warnings.empty());
}

TEST_CASE("an estimate outside the range of its table is marked in the text and in JSON", "[cost]") {
    NicConfig config;
    StatsTable inside;
    worst_case(config).write_size(inside);
    CHECK(inside.to_json().find("out_of_range") == std::string::npos);
    config.compressor.bytes_per_cycle = 8;
    CostReport const report = worst_case(config);
    StatsTable outside;
    report.write_size(outside);
    report.write_power(outside, "worst");
    CHECK(outside.find("cost.fpga.lut")->out_of_range);
    CHECK(outside.find("cost.worst.asic.power")->out_of_range);
    CHECK(outside.find("cost.stage.compressor.fpga.lut")->out_of_range);
    CHECK_FALSE(outside.find("cost.stage.grouper.fpga.lut")->out_of_range);
    CHECK_FALSE(outside.find("cost.fpga.uram")->out_of_range);
    CHECK(outside.to_json().find("\"out_of_range\": true") != std::string::npos);
    CHECK(cost_text(report, "x").find("out of range") != std::string::npos);
}

TEST_CASE("a clock beyond what the energies hold for marks the power and leaves the area", "[cost]") {
    NicConfig config = asic_1ghz();
    config.clock = Frequency{3'000'000'000};
    CostReport const report = worst_case(config);
    CHECK(report.total.asic.total().out_of_range);
    CHECK_FALSE(report.total.area().out_of_range);
}

TEST_CASE("without accelerator there is nothing to pay", "[cost]") {
    NicConfig config;
    config.accelerator = false;
    CostReport const report = worst_case(config);
    CHECK(report.blocks.empty());
    CHECK(report.total.area().value.typical == 0.0);
    CHECK(cost_text(report, "x") == "cost: no accelerator, nothing beyond the plain NIC\n");
}
