#include "nic/nic_cost.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "models/cost/codec_blocks.h"
#include "models/cost/stage_blocks.h"

namespace netzip {

namespace {

bool exponent_codec(CodecKind codec) {
    return codec == CodecKind::exponent_window || codec == CodecKind::exponent_prefix ||
           codec == CodecKind::exponent_huffman;
}

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
}

/// Builds the blocks of one NIC, stage by stage.
class Composer {
public:
    Composer(NicConfig const& config, CostTables const& tables)
        : config_(config), tables_(tables), packet_(config.protocol.path_mtu.count()) {}

    void stage(std::string const& section, std::string const& name, StageConfig const& stage, Direction direction,
               std::vector<std::string> const& kinds, bool buffer_all = false) {
        if (is_wire(stage, kinds.empty())) return;
        blocks.push_back(
            stage_block(tables_, name, placement(section, stage.clock, direction), kinds, shape(stage, buffer_all)));
    }

    void delta(std::string const& section, StageConfig const& stage, Direction direction) {
        if (is_wire(stage, config_.algorithm.delta == DeltaKind::none)) return;
        constexpr std::uint64_t kElementBits = 16;  // bf16; wider elements share the lanes
        blocks.push_back(delta_block(tables_, placement(section, stage.clock, direction), config_.algorithm.delta,
                                     shape(stage, false)));
        if (direction == Direction::receive) return;  // the base travels with the packet
        Block registers = base_register_block(tables_, placement(section, stage.clock, direction),
                                              config_.algorithm.delta, config_.base_registers, kElementBits, packet_);
        if (!registers.terms.empty()) blocks.push_back(std::move(registers));
    }

    void compressor() {
        CompressorConfig const& bank = config_.compressor;
        if (config_.algorithm.codec == CodecKind::none) return;
        Placement const place = placement("compressor", bank.clock, Direction::transmit);
        EngineShape engine = engines(bank.engines);
        engine.bytes_per_cycle =
            exponent_codec(config_.algorithm.codec) ? bank.exponent.bytes_per_cycle : bank.bytes_per_cycle;
        engine.slots = bank.exponent.slots;
        blocks.push_back(compressor_block(tables_, place, config_.algorithm, engine));
        feeders(place, engine, bank.input_width, bank.engine_slots, bank.arrangement);
        results(place, "compressed packets", bank.input_width, bank.in_flight);
    }

    void decompressor() {
        DecompressorConfig const& bank = config_.decompressor;
        if (config_.algorithm.codec == CodecKind::none) return;
        Placement const place = placement("decompressor", bank.clock, Direction::receive);
        EngineShape engine = engines(bank.engines);
        engine.bytes_per_cycle =
            exponent_codec(config_.algorithm.codec) ? bank.exponent.bytes_per_cycle : bank.bytes_per_cycle;
        engine.history = bank.history;
        engine.slots = bank.exponent.slots;
        engine.lane_memories = bank.exponent.lane_memories;
        Block block = decompressor_block(tables_, place, config_.algorithm, engine);
        bool const lz = config_.algorithm.codec == CodecKind::lz4 || config_.algorithm.codec == CodecKind::lz4_hw ||
                        config_.algorithm.codec == CodecKind::snappy;
        if (lz && bank.history.count() < packet_) {
            block.remarks.push_back(fmt::format("a window of {} cannot restore every packet of {}",
                                                to_string(bank.history), to_string(config_.protocol.path_mtu)));
        }
        blocks.push_back(std::move(block));
        std::uint64_t const width = config_.rx_demux.width.count();
        feeders(place, engine, width, bank.engine_slots, bank.arrangement);
        results(place, "restored packets", width, bank.in_flight);
    }

    std::vector<Block> blocks;

private:
    /// A stage that computes nothing, holds nothing back and takes no time is how a design says that it has none.
    static bool is_wire(StageConfig const& stage, bool computes_nothing) {
        return computes_nothing && stage.latency == Cycles::zero() && stage.admission == Admission::cut_through;
    }

    Placement placement(std::string const& section, Frequency own, Direction direction) const {
        Frequency const clock = own == Frequency::zero() ? config_.clock : own;
        return {section, direction, static_cast<double>(clock.count())};
    }

    StageShape shape(StageConfig const& stage, bool buffer_all) const {
        bool const all = buffer_all || stage.admission == Admission::store_and_forward;
        constexpr std::uint64_t kInPipeline = 2;  // one packet entering while one leaves
        std::uint64_t const elastic = stage.slots > kInPipeline ? stage.slots - kInPipeline : 0;
        return {stage.width.count(), stage.latency.count(), all ? stage.slots : elastic, packet_};
    }

    EngineShape engines(std::uint64_t count) const {
        EngineShape shape;
        shape.engines = count;
        shape.packet_bytes = packet_;
        shape.layers = config_.base_registers;
        return shape;
    }

    void feeders(Placement const& place, EngineShape const& engine, std::uint64_t stream_width, std::uint64_t slots,
                 Arrangement arrangement) {
        FeederShape feeder;
        feeder.engines = engine.engines;
        feeder.stream_width = stream_width;
        feeder.engine_width = engine.bytes_per_cycle;
        feeder.input_packets = slots;
        feeder.packet_bytes = packet_;
        if (arrangement == Arrangement::slice) feeder.packet_bytes = divide_up(packet_, engine.engines);
        if (arrangement == Arrangement::group) {
            std::uint64_t const shared = std::min(engine.engines, groups());
            feeder.packet_bytes = divide_up(packet_, shared);
        }
        blocks.push_back(feeder_block(tables_, place, feeder));
    }

    /// Results that wait for their turn.
    void results(Placement const& place, std::string const& name, std::uint64_t width, std::uint64_t packets) {
        BlockBuilder builder(tables_, name, place);
        builder.memory("result buffer", {packets * divide_up(packet_, width), 8 * width, 1}, Provenance::derived);
        builder.access("result buffer", Counter::bytes_out, 16);
        blocks.push_back(builder.work(Counter::bytes_out, 1.0 / static_cast<double>(width)).block());
    }

    std::uint64_t groups() const {
        constexpr std::uint64_t kPlanes = 16;
        switch (config_.algorithm.grouping) {
            case GroupingKind::bit:
                return kPlanes;
            case GroupingKind::byte:
                return 2;
            case GroupingKind::none:
                break;
        }
        return 1;
    }

    NicConfig const& config_;
    CostTables const& tables_;
    std::uint64_t packet_;
};

/// Logic of a grouper: bit planes need all steps of a 16-way rotator, bytes one of its four, no grouping none.
std::vector<std::string> grouper_logic(GroupingKind grouping, char const* kind) {
    switch (grouping) {
        case GroupingKind::bit:
            return {kind};
        case GroupingKind::byte:
            return {std::string(kind) + "_byte"};
        case GroupingKind::none:
            break;
    }
    return {};
}

/// Without grouping there are no banks to address.
std::vector<std::string> staging_logic(GroupingKind grouping) {
    if (grouping == GroupingKind::none) return {};
    return {"staging_control"};
}

constexpr std::array kTransmitStages{"tx_demux",   "delta_encoder", "staging_buffer", "grouper",
                                     "compressor", "merge",         "tx_slices",      "tx_mux"};
constexpr std::array kReceiveStages{"rx_demux",  "decompressor", "ungrouping_buffer", "ungrouper", "delta_decoder",
                                    "rx_slices", "rx_mux"};

}  // namespace

std::vector<Block> nic_blocks(NicConfig const& config, CostTables const& tables) {
    if (!config.accelerator) return {};
    Composer composer(config, tables);
    GroupingKind const grouping = config.algorithm.grouping;
    Direction const tx = Direction::transmit;
    composer.stage("tx_demux", "demux", config.tx_demux, tx, {"demux"});
    composer.delta("delta_encoder", config.delta_encoder, tx);
    composer.stage("staging_buffer", "staging buffer", config.staging_buffer, tx, staging_logic(grouping));
    composer.stage("grouper", "grouper", config.grouper, tx, grouper_logic(grouping, "grouper"));
    composer.compressor();
    composer.stage("merge", "merge", config.merge, tx, {"merge"});
    composer.stage("tx_slices", "register slices", config.tx_slices, tx, {"register_slice"});
    composer.stage("tx_mux", "mux", config.tx_mux, tx, {"mux"});
    composer.stage("tx_bypass", "bypass", config.tx_bypass, tx, {"bypass"}, true);

    Direction const rx = Direction::receive;
    composer.stage("rx_demux", "demux", config.rx_demux, rx, {"demux"});
    composer.decompressor();
    composer.stage("ungrouping_buffer", "staging buffer", config.ungrouping_buffer, rx, staging_logic(grouping));
    composer.stage("ungrouper", "ungrouper", config.ungrouper, rx, grouper_logic(grouping, "ungrouper"));
    composer.delta("delta_decoder", config.delta_decoder, rx);
    composer.stage("rx_slices", "register slices", config.rx_slices, rx, {"register_slice"});
    composer.stage("rx_mux", "mux", config.rx_mux, rx, {"mux"});
    composer.stage("rx_bypass", "bypass", config.rx_bypass, rx, {"bypass"}, true);
    return std::move(composer.blocks);
}

double engine_capacity(std::vector<Block> const& blocks) {
    double capacity = 0.0;
    for (auto const& block : blocks) {
        if (block.bytes_per_second <= 0.0) continue;
        double const bank = block.bytes_per_second * static_cast<double>(block.instances);
        capacity = capacity == 0.0 ? bank : std::min(capacity, bank);
    }
    return capacity;
}

ActivityCounts expected_activity(NicConfig const& config, std::vector<Block> const& blocks, BitRate link_rate) {
    ActivityCounts activity;
    activity.time = Duration{kFemtosecondsPerSecond / 1000};
    constexpr double kBestRatio = 0.5;  // assumption: sign and mantissa of bf16 stay, exponents vanish
    double bytes_per_second = static_cast<double>(link_rate.count()) / 8.0 / kBestRatio;
    for (auto const& block : blocks) {
        if (block.peak_bytes_per_second <= 0.0) continue;
        bytes_per_second =
            std::min(bytes_per_second, block.peak_bytes_per_second * static_cast<double>(block.instances));
    }
    auto const bytes = static_cast<std::uint64_t>(std::llround(bytes_per_second * to_seconds(activity.time)));
    activity.tensor_bytes = bytes;
    if (!config.accelerator) return activity;
    StageActivity through;
    through.bytes_in = through.bytes_out = through.literals = bytes;
    for (char const* stage : kTransmitStages) activity.stages[stage] = through;
    for (char const* stage : kReceiveStages) activity.stages[stage] = through;
    for (auto const& block : blocks) {
        if (block.bytes_per_second <= 0.0) continue;
        double const all_busy = static_cast<double>(block.instances) * block.clock_hz * to_seconds(activity.time);
        double const cycles = std::min(all_busy, static_cast<double>(bytes) * block.clock_hz / block.bytes_per_second);
        activity.stages[block.stage].busy_cycles = static_cast<std::uint64_t>(std::llround(cycles));
    }
    return activity;
}

ActivityCounts run_activity(StatsTable const& stats, NicConfig const& config) {
    ActivityCounts activity;
    constexpr double kFemtosecondsPerNanosecond = 1e6;
    activity.time =
        Duration{static_cast<std::uint64_t>(std::llround(stats.number("summary.time") * kFemtosecondsPerNanosecond))};
    auto const whole = [&](std::string const& name) {
        return stats.find(name) == nullptr ? 0 : static_cast<std::uint64_t>(stats.number(name));
    };
    activity.tensor_bytes = whole("summary.tensor_bytes");
    auto const collect = [&](std::string const& place, auto const& sections) {
        for (std::string const section : sections) {
            StageActivity& stage = activity.stages[section];
            stage.bytes_in = whole(place + section + ".bytes_in");
            stage.bytes_out = whole(place + section + ".bytes_out");
        }
    };
    collect("stage.a.tx.", kTransmitStages);
    collect("stage.b.rx.", kReceiveStages);
    auto const busy = [&](std::string const& name, std::uint64_t engines, Frequency own) {
        if (stats.find(name) == nullptr) return std::uint64_t{0};
        Frequency const clock = own == Frequency::zero() ? config.clock : own;
        double const cycles = to_seconds(activity.time) * static_cast<double>(clock.count());
        return static_cast<std::uint64_t>(std::llround(stats.number(name) * cycles * static_cast<double>(engines)));
    };
    StageActivity& compressor = activity.stages["compressor"];
    compressor.busy_cycles = busy("stage.a.tx.compressor.busy", config.compressor.engines, config.compressor.clock);
    compressor.literals = whole("work.literals");
    compressor.match_bytes = whole("work.match_bytes");
    // Packets that did not shrink were compressed and never decompressed.
    StageActivity& decompressor = activity.stages["decompressor"];
    decompressor.busy_cycles =
        busy("stage.b.rx.decompressor.busy", config.decompressor.engines, config.decompressor.clock);
    decompressor.literals = std::min(compressor.literals, decompressor.bytes_out);
    decompressor.match_bytes = std::min(compressor.match_bytes, decompressor.bytes_out);
    return activity;
}

CostReport add_cost(StatsTable& stats, NicConfig const& config, BitRate link_rate, CostTables const& tables) {
    std::vector<Block> const blocks = nic_blocks(config, tables);
    CostView const view = config.technology == Technology::fpga ? CostView::fpga : CostView::asic;
    CostReport const worst = evaluate(blocks, tables, expected_activity(config, blocks, link_rate), view);
    CostReport report = evaluate(blocks, tables, run_activity(stats, config), view);
    report.write_size(stats);
    report.write_power(stats, "run");
    worst.write_power(stats, "worst");
    return report;
}

}  // namespace netzip
