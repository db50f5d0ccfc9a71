#include "tools/netzipsim/run_report.h"

#include <fmt/format.h>
#include <vector>

namespace netzip {
namespace {

/// Numbers of the table in the units people read.
class Report {
public:
    Report(ExperimentConfig const& config, StatsTable const& stats) : config_(config), stats_(stats) {}

    std::string text() {
        question();
        answer();
        ratios();
        latency();
        stages();
        network();
        cost();
        return out_;
    }

private:
    bool has(std::string const& name) const { return stats_.find(name) != nullptr; }
    double number(std::string const& name) const { return has(name) ? stats_.number(name) : 0.0; }
    std::string word(std::string const& name) const {
        Stat const* stat = stats_.find(name);
        auto const* text = stat != nullptr ? std::get_if<std::string>(&stat->value) : nullptr;
        return text != nullptr ? *text : "-";
    }
    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        out_ += fmt::format(format, std::forward<Args>(args)...);
        out_ += '\n';
    }
    static std::string time(double ns) {
        if (ns >= 1e6) return fmt::format("{:.3f} ms", ns * 1e-6);
        if (ns >= 1e3) return fmt::format("{:.3f} us", ns * 1e-3);
        return fmt::format("{:.1f} ns", ns);
    }
    static std::string rate(double bits) { return fmt::format("{:.2f} Gb/s", bits * 1e-9); }

    void question() {
        NicConfig const& nic = config_.nic;
        WorkloadConfig const& load = config_.workload;
        if (!config_.run.question.empty()) line("Question   {}", config_.run.question);
        line("Design     {} at {}, {}", nic.accelerator ? "NetZIP NIC in " + enum_name(nic.technology) : "plain NIC",
             to_string(nic.clock),
             nic.accelerator ? fmt::format("{}, {} compression and {} decompression engines", nic.algorithm.name(),
                                           nic.compressor.engines, nic.decompressor.engines)
                             : "no accelerator");
        line("Link       {}, path MTU {}", to_string(config_.link.rate), to_string(nic.protocol.path_mtu));
        std::string const replay = load.replay == ReplayMode::closed
                                       ? fmt::format("closed replay, {} messages outstanding", load.outstanding)
                                       : fmt::format("open replay at {}", to_string(load.rate));
        line("Traffic    {:.0f} messages, {:.0f} packets, {:.2f} MB of tensors, {}", number("summary.messages"),
             number("summary.packets"), number("summary.tensor_bytes") * 1e-6, replay);
    }

    void answer() {
        line("");
        if (has("summary.speedup")) {
            line("Time       {} with compression, {} without: {:.3f} times as fast", time(number("summary.time")),
                 time(number("summary.time_plain")), number("summary.speedup"));
        } else {
            line("Time       {}", time(number("summary.time")));
        }
        line("Ratio      {:.4f} (bytes behind the transport header / tensor bytes; smaller is better)",
             number("summary.ratio"));
        lossless();
        line("Rates      {} of tensors, {} of payload, {} on the wire", rate(number("rate.tensor")),
             rate(number("rate.payload")), rate(number("rate.wire")));
        line("Packets    {:.0f} compressed, {:.0f} sent raw because they did not shrink, {:.0f} bypassed",
             number("summary.packets") - number("summary.raw_packets") - number("summary.bypass_packets"),
             number("summary.raw_packets"), number("summary.bypass_packets"));
        line("Bottleneck {}: alone it needs {}, {:.1f} % of the run", word("summary.bottleneck"),
             time(number("summary.bound")), 100 * number("summary.bound_share"));
    }

    void lossless() {
        std::string const verdict = word("summary.lossless");
        if (verdict == "yes") {
            line("Lossless   yes: all {:.0f} values arrived bit for bit", number("summary.compared_values"));
        } else {
            line("Lossless   NO: {:.0f} of {:.0f} values ({:.1f} %) did not come back; the delta is marked lossy",
                 number("summary.mismatched_values"), number("summary.compared_values"),
                 100 * number("summary.mismatched_values") / number("summary.compared_values"));
        }
    }

    void ratios() {
        line("");
        line("{:<28} {:>8} {:>12} {:>8}", "Tensor kind", "ratio", "MB", "raw");
        for (auto const& [name, stat] : stats_.entries()) {
            constexpr std::string_view kPrefix = "kind.";
            constexpr std::string_view kSuffix = ".ratio";
            if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
            std::string const kind = name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
            line("{:<28} {:>8.4f} {:>12.3f} {:>8.0f}", kind, number(name),
                 number("kind." + kind + ".tensor_bytes") * 1e-6, number("kind." + kind + ".raw_packets"));
        }
    }

    void percentiles(char const* label, std::string const& name) {
        if (number(name + ".count") == 0) return;
        line("{:<28} {:>10} {:>10} {:>10} {:>10} {:>10}", label, time(number(name + ".p50")),
             time(number(name + ".p90")), time(number(name + ".p99")), time(number(name + ".p999")),
             time(number(name + ".max")));
    }

    void latency() {
        line("");
        line("{:<28} {:>10} {:>10} {:>10} {:>10} {:>10}", "Latency", "p50", "p90", "p99", "p99.9", "max");
        percentiles("packet, head in to complete", "latency.packet");
        percentiles("first byte, compression", "latency.compress_first_byte");
        percentiles("first byte, decompression", "latency.decompress_first_byte");
    }

    void stages() {
        line("");
        line("{:<26} {:>6} {:>8} {:>8} {:>12} {:>13} {:>12}", "Stage", "busy", "starved", "blocked", "packets held",
             "mean latency", "could carry");
        for (std::string const& stage : order()) {
            std::string const place = "stage." + stage;
            std::string const station = stage.substr(stage.rfind('.') + 1);
            std::string const mean = "latency.station." + station + ".mean";
            line("{:<26} {:>5.1f}% {:>7.1f}% {:>7.1f}% {:>12.2f} {:>13} {:>12}", stage, 100 * number(place + ".busy"),
                 100 * number(place + ".starved"), 100 * number(place + ".blocked"), number(place + ".occupancy_mean"),
                 has(mean) ? time(number(mean)) : "-",
                 has(place + ".capacity") ? rate(number(place + ".capacity")) : "-");
        }
    }

    /// The stages in the order of the data path, as far as the run has them.
    std::vector<std::string> order() const {
        std::vector<std::string> found;
        for (char const* stage : {"a.tx.dma_read",
                                  "a.tx.tx_demux",
                                  "a.tx.delta_encoder",
                                  "a.tx.staging_buffer",
                                  "a.tx.grouper",
                                  "a.tx.compressor",
                                  "a.tx.merge",
                                  "a.tx.tx_slices",
                                  "a.tx.tx_bypass",
                                  "a.tx.tx_mux",
                                  "a.tx.protocol_tx",
                                  "link",
                                  "switch",
                                  "egress_link",
                                  "b.rx.protocol_rx",
                                  "b.rx.rx_demux",
                                  "b.rx.decompressor",
                                  "b.rx.ungrouping_buffer",
                                  "b.rx.ungrouper",
                                  "b.rx.delta_decoder",
                                  "b.rx.rx_slices",
                                  "b.rx.rx_bypass",
                                  "b.rx.rx_mux",
                                  "b.rx.dma_write"}) {
            if (number(std::string("stage.") + stage + ".packets") > 0) found.emplace_back(stage);
        }
        return found;
    }

    void network() {
        if (number("protocol.resent") + number("link.lost") + number("protocol.damaged") == 0) return;
        line("");
        line("Network    {:.0f} frames lost, {:.0f} damaged, {:.0f} sent again, {:.0f} time-outs", number("link.lost"),
             number("protocol.damaged"), number("protocol.resent"), number("protocol.timeouts"));
    }

    std::string ranged(std::string const& name, char const* unit) const {
        return fmt::format("{:.3g} {} ({:.3g} .. {:.3g})", number(name), unit, number(name + ".low"),
                           number(name + ".high"));
    }

    void cost() {
        if (!config_.nic.accelerator || !has("cost.asic.area")) return;
        line("");
        auto const share = [&](char const* resource) {
            return 100 * number(std::string("cost.fpga.") + resource + ".share");
        };
        line("Cost       FPGA: LUT {:.1f} %, FF {:.1f} %, BRAM {:.1f} %, URAM {:.1f} % of {}", share("lut"),
             share("ff"), share("bram36"), share("uram"), word("cost.device"));
        line("           ASIC: {}, {:.0f} % of it SRAM; assumed, low .. high of the sources",
             ranged("cost.asic.area", "mm2"), 100 * number("cost.asic.area.sram") / number("cost.asic.area"));
        std::string const technology = enum_name(config_.nic.technology);
        line("Power      {} as {}, {} of tensors; assumed", ranged("cost.run." + technology + ".power", "W"),
             technology == "fpga" ? "an FPGA" : "an ASIC",
             ranged("cost.run." + technology + ".energy_per_bit", "pJ/b"));
        line("           at worst {}", ranged("cost.worst." + technology + ".power", "W"));
        if (!word("cost.warnings").empty()) line("           note: {}", word("cost.warnings"));
    }

    ExperimentConfig const& config_;
    StatsTable const& stats_;
    std::string out_;
};

}  // namespace

std::string run_report(ExperimentConfig const& config, StatsTable const& stats) {
    return Report(config, stats).text();
}

}  // namespace netzip
