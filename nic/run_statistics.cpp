#include "nic/run_statistics.h"

#include <fmt/format.h>

#include "base/error.h"
#include "nic/two_node.h"

namespace netzip {
namespace {

double share(Duration part, Duration whole) {
    return whole == Duration::zero() ? 0.0 : static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

/// A stage of the data path with its place in the report.
struct PlacedStage {
    std::string place;  ///< "a.tx" and so on
    StageStats stats;
};

/// The stages that the workload passes, in order.
std::vector<PlacedStage> data_path(TwoNode const& system) {
    std::vector<PlacedStage> stages;
    for (StageStats& stage : system.nic_a.transmit_stats()) stages.push_back({"a.tx.", std::move(stage)});
    stages.push_back({"", system.link_ab.stats()});
    if (system.egress_ab() != nullptr) {
        stages.push_back({"", system.switch_ab()->stats()});
        StageStats egress = system.egress_ab()->stats();
        egress.name = "egress_link";
        stages.push_back({"", std::move(egress)});
    }
    for (StageStats& stage : system.nic_b.receive_stats()) stages.push_back({"b.rx.", std::move(stage)});
    return stages;
}

class Collector {
public:
    Collector(TwoNode const& system, ExperimentConfig const& config, WorkloadTotals const& expected)
        : system_(system),
          config_(config),
          expected_(expected),
          time_(system.receiver.last_complete()),
          end_(std::max(time_, last_bit())) {}

    StatsTable collect() {
        summary();
        rates();
        tallies();
        latency();
        stages();
        protocol();
        conservation();
        if (!problems_.empty()) throw RunError("the run does not hold together:\n" + problems_.joined());
        return std::move(table_);
    }

private:
    Duration last_bit() const {
        Duration const first = system_.link_ab.last_bit();
        return system_.egress_ab() == nullptr ? first : std::max(first, system_.egress_ab()->last_bit());
    }

    void summary() {
        TrafficTally const& all = system_.receiver.all();
        table_.set("summary.time", time_, Better::lower);
        table_.set("summary.packets", all.packets, "packets");
        table_.set("summary.messages", system_.sender.posted(), "messages");
        table_.set("summary.tensor_bytes", all.tensor_bytes);
        table_.set("summary.wire_payload_bytes", all.wire_payload, Better::lower);
        table_.set("summary.raw_packets", all.raw_packets, "packets", Better::lower);
        table_.set("summary.bypass_packets", all.bypass_packets, "packets");
        table_.set("summary.background_packets", system_.receiver.background().packets, "packets");
        ratio("summary.ratio", all);
        table_.set("summary.compared_values", system_.receiver.compared_values(), "values");
        table_.set("summary.mismatched_values", system_.receiver.mismatched_values(), "values", Better::lower);
        bool const equal = system_.receiver.mismatched_values() == 0;
        table_.set("summary.lossless", equal ? "yes" : "no", "");
        if (!equal && config_.nic.algorithm.lossless()) {
            problems_.add(fmt::format("{} of {} values did not come back; first: {}",
                                      system_.receiver.mismatched_values(), system_.receiver.compared_values(),
                                      system_.receiver.first_mismatch()));
        }
    }

    void ratio(std::string const& name, TrafficTally const& tally) {
        if (tally.tensor_bytes == Bytes::zero()) return;
        table_.set(name,
                   static_cast<double>(tally.wire_payload.count()) / static_cast<double>(tally.tensor_bytes.count()),
                   "1", Better::lower);
    }

    void rate(std::string const& name, Bytes bytes, Duration over, BitRate capacity) {
        double const value = mean_rate(bytes, over);
        table_.set("rate." + name, value, "b/s", Better::higher);
        // One part in 10^9 for the rounding of a double.
        if (value > static_cast<double>(capacity.count()) * (1 + 1e-9)) {
            problems_.add(fmt::format("rate.{}: {} b/s is above its capacity of {}", name, value, to_string(capacity)));
        }
    }

    void rates() {
        TrafficTally const& all = system_.receiver.all();
        table_.set("rate.tensor", mean_rate(all.tensor_bytes, time_), "b/s", Better::higher);
        rate("payload", all.wire_payload + system_.receiver.background().wire_payload, time_, config_.link.rate);
        rate("wire", system_.link_ab.wire_bytes(), end_, config_.link.rate);
        table_.set("rate.link", config_.link.rate, Better::none, Provenance::assumed);
    }

    void tallies() {
        for (auto const& [kind, tally] : system_.receiver.by_kind()) one_tally("kind." + kind, tally);
        for (auto const& [layer, tally] : system_.receiver.by_layer()) one_tally("layer." + layer, tally);
        WorkCounts<std::uint64_t> const& work = system_.receiver.work();
        table_.set("work.codec_bytes_in", Bytes{work.bytes_in});
        table_.set("work.codec_bytes_out", Bytes{work.bytes_out});
        table_.set("work.literals", Bytes{work.literals});
        table_.set("work.match_bytes", Bytes{work.match_bytes});
        table_.set("work.short_offset_bytes", Bytes{work.short_offset_bytes});
        table_.set("work.matches", work.matches, "matches");
        table_.set("work.escapes", work.escapes, "values");
    }

    void one_tally(std::string const& place, TrafficTally const& tally) {
        ratio(place + ".ratio", tally);
        table_.set(place + ".tensor_bytes", tally.tensor_bytes);
        table_.set(place + ".raw_packets", tally.raw_packets, "packets", Better::lower);
    }

    void latency() {
        LatencyTally const& tally = system_.receiver.latency();
        distribution("latency.packet", tally.packet);
        distribution("latency.compress_first_byte", tally.compress_first_byte);
        distribution("latency.decompress_first_byte", tally.decompress_first_byte);
        for (std::size_t i = 0; i < kStations; ++i) {
            LatencyTally::StationTally const& station = tally.stations[i];
            if (station.packets == 0) continue;
            std::string const place = std::string("latency.station.") + station_name(static_cast<Station>(i));
            table_.set(place + ".mean", to_nanoseconds(station.total) / static_cast<double>(station.packets), "ns",
                       Better::lower);
            table_.set(place + ".max", station.most, Better::lower);
        }
    }

    /// With quantiles below and between the usual ones, from which a reader can draw the distribution.
    void distribution(std::string const& name, Samples const& samples) {
        samples.write_times(table_, name);
        if (samples.count() == 0) return;
        for (std::uint64_t const percent : {1u, 5u, 10u, 25u, 75u, 95u}) {
            table_.set(fmt::format("{}.p{:02}", name, percent), Duration{samples.percentile(percent, 100)},
                       Better::lower);
        }
    }

    void stages() {
        Duration bound;
        std::string bottleneck;
        for (PlacedStage const& stage : data_path(system_)) {
            one_stage("stage." + stage.place + stage.stats.name, stage.stats);
            Duration const least{stage.stats.busy.count() / stage.stats.servers};
            if (least > bound) {
                bound = least;
                bottleneck = stage.place + stage.stats.name;
            }
        }
        table_.set("summary.bottleneck", bottleneck, "");
        table_.set("summary.bound", bound, Better::lower, Provenance::derived);
        table_.set("summary.bound_share", share(bound, time_), "1", Better::higher, Provenance::derived);
    }

    void one_stage(std::string const& place, StageStats const& stage) {
        Duration const capacity = end_ * stage.servers;
        double const busy = share(stage.busy, capacity);
        // What works on while it is held up is blocked at most when it is not busy.
        double const held = share(stage.blocked, end_);
        double const blocked = stage.overlaps ? std::min(held, 1.0 - busy) : held;
        if (stage.packets_in > 0 && busy + blocked > 1.0 + 1e-9) {
            problems_.add(fmt::format("{}: busy {} and blocked {} are more than the run", place, busy, blocked));
        }
        table_.set(place + ".packets", stage.packets_in, "packets");
        table_.set(place + ".bytes_in", stage.bytes_in);
        table_.set(place + ".bytes_out", stage.bytes_out);
        table_.set(place + ".busy", busy, "1");
        table_.set(place + ".blocked", blocked, "1", Better::lower);
        table_.set(place + ".starved", std::max(0.0, 1.0 - busy - blocked), "1");
        table_.set(place + ".occupancy_mean", share(stage.resident, end_), "packets");
        table_.set(place + ".occupancy_max", stage.most_inside, "packets");
        if (stage.busy > Duration::zero()) {
            Duration const least{stage.busy.count() / stage.servers};
            table_.set(place + ".capacity", mean_rate(system_.receiver.all().tensor_bytes, least), "b/s",
                       Better::higher, Provenance::derived);
        }
    }

    void protocol() {
        ProtocolEngine::Counters const& a = system_.nic_a.protocol.counters();
        ProtocolEngine::Counters const& b = system_.nic_b.protocol.counters();
        table_.set("protocol.frames_sent", a.frames_sent, "frames");
        table_.set("protocol.resent", a.resent, "frames", Better::lower);
        table_.set("protocol.timeouts", a.timeouts, "timeouts", Better::lower);
        table_.set("protocol.window_closed", a.window_closed, Better::lower);
        table_.set("protocol.acknowledgements", b.acknowledgements, "frames");
        table_.set("protocol.negative_acknowledgements", b.negative, "frames", Better::lower);
        table_.set("protocol.damaged", b.damaged + a.damaged, "frames", Better::lower);
        table_.set("protocol.duplicates", b.duplicates, "frames", Better::lower);
        table_.set("protocol.out_of_order", b.out_of_order, "frames", Better::lower);
        table_.set("link.lost", system_.link_ab.lost() + system_.link_ba.lost(), "frames", Better::lower);
        table_.set("link.wire_bytes", system_.link_ab.wire_bytes(), Better::lower);
    }

    void expect(char const* what, std::uint64_t found, std::uint64_t expected) {
        if (found != expected) problems_.add(fmt::format("{}: expected {}, found {}", what, expected, found));
    }

    void conservation() {
        TrafficTally const& all = system_.receiver.all();
        expect("messages posted", system_.sender.posted(), expected_.messages);
        expect("tensor bytes received", all.tensor_bytes.count(), expected_.bytes.count());
        expect("payloads alive at the end", system_.pool.live(), 0);
        expect("messages in use at the end", system_.messages.in_use(), 0);
        for (PlacedStage const& stage : data_path(system_)) {
            if (stage.stats.inside != 0) {
                problems_.add(fmt::format("{}{}: {} packets inside at the end", stage.place, stage.stats.name,
                                          stage.stats.inside));
            }
        }
        std::uint64_t const packets = all.packets + system_.receiver.background().packets;
        ProtocolEngine::Counters const& b = system_.nic_b.protocol.counters();
        ProtocolEngine::Counters const& a = system_.nic_a.protocol.counters();
        expect("packets read by the DMA engine", system_.nic_a.dma_reader.stats().packets_in, packets);
        expect("frames sent, less lost, damaged, duplicate and out of order",
               a.frames_sent - lost_frames() - b.damaged - b.duplicates - b.out_of_order, packets);
    }

    std::uint64_t lost_frames() const {
        return system_.link_ab.lost() + (system_.egress_ab() != nullptr ? system_.egress_ab()->lost() : 0);
    }

    TwoNode const& system_;
    ExperimentConfig const& config_;
    WorkloadTotals const& expected_;
    Duration time_;
    Duration end_;  ///< resends may still be on the wire after the last packet was complete
    StatsTable table_;
    Problems problems_;
};

}  // namespace

StatsTable collect_statistics(TwoNode const& system, ExperimentConfig const& config, WorkloadTotals const& expected) {
    return Collector(system, config, expected).collect();
}

}  // namespace netzip
