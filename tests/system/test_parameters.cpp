#include <map>
#include <memory>

#include "base/config/unused.h"
#include "nic/run_experiment.h"
#include "support/catch.h"
#include "support/experiment.h"

using namespace netzip;
using namespace netzip::literals;
using namespace netzip::test;

namespace {

using Values = std::vector<std::string>;

/// What a run tells, or how it fails. Runs go on side by side; `outcome` waits.
class Run {
public:
    explicit Run(ExperimentConfig const& config)
        : child_("the run", [config] {
              try {
                  return simulate(config).to_json();
              } catch (Error const& error) {
                  return std::string("error: ") + error.what();
              }
          }) {}
    std::string const& outcome() {
        if (outcome_.empty()) outcome_ = child_.result();
        return outcome_;
    }

private:
    ChildProcess child_;
    std::string outcome_;
};

ExperimentConfig with(ExperimentConfig config, Values const& values) {
    set(config, values);
    return config;
}

/// Scenarios in which parameters show their effect, the most telling first.
std::vector<std::pair<std::string, ExperimentConfig>> scenarios() {
    ExperimentConfig lz = small_experiment(3);
    lz.nic.algorithm = AlgorithmConfig{};
    lz.workload.iterations = 2;
    lz.workload.queue_pairs = 2;
    set(lz, {"nic.algorithm.codec=lz4_hw", "background.enabled=true", "background.message_size=10000 B",
             "link.loss=0.01", "link.bit_error_rate=1e-7", "switch.present=true", "nic.dma.pcie.read_jitter=26 ns",
             "nic.protocol.timeout=20 us", "nic.compressor.engines=4", "nic.decompressor.engines=2",
             "link.rate=400 Gb/s", "nic.algorithm.group_policy=per_group_or_raw"});
    Values clocks;
    for (char const* stage : {"tx_demux", "staging_buffer", "compressor", "tx_slices", "tx_bypass", "rx_demux",
                              "ungrouping_buffer", "delta_decoder", "rx_bypass"}) {
        clocks.push_back(std::string("nic.") + stage + ".clock=900 MHz");
    }
    clocks.push_back("nic.tx_bypass.clock=800 MHz");
    clocks.push_back("nic.rx_bypass.clock=800 MHz");
    Values stored;
    for (char const* stage :
         {"tx_demux", "delta_encoder", "staging_buffer", "grouper", "merge", "tx_slices", "tx_mux", "tx_bypass",
          "rx_demux", "ungrouping_buffer", "ungrouper", "delta_decoder", "rx_slices", "rx_mux", "rx_bypass"}) {
        stored.push_back(std::string("nic.") + stage + ".admission=store_and_forward");
        stored.push_back(std::string("nic.") + stage + ".slots=1");
        stored.push_back(std::string("nic.") + stage + ".width=16 B");
    }
    stored.push_back("background.rate=100 Gb/s");
    std::vector<std::pair<std::string, ExperimentConfig>> result;
    result.emplace_back("lz", lz);
    result.emplace_back("clocks", with(lz, clocks));
    result.emplace_back("stored", with(lz, stored));
    ExperimentConfig short_packets = small_experiment(9);
    short_packets.nic.algorithm = AlgorithmConfig{};
    result.emplace_back(
        "short packets",
        with(short_packets, {"workload.queue_pairs=3", "workload.synthetic.tensor_size=5 KiB",
                             "workload.synthetic.zero_share=0.9", "nic.compressor.engines=4",
                             "nic.decompressor.engines=4", "link.rate=400 Gb/s", "nic.dma.pcie.read_jitter=26 ns"}));
    result.emplace_back("one engine", with(lz, {"nic.compressor.engines=1", "nic.decompressor.engines=1",
                                                "nic.compressor.in_flight=3", "nic.decompressor.in_flight=3",
                                                "nic.algorithm.codec=lz4", "workload.synthetic.zero_share=0.5"}));
    result.emplace_back("slow link", with(lz, {"link.rate=2 Gb/s", "nic.protocol.tx_buffer=2", "link.loss=0",
                                               "link.bit_error_rate=0", "workload.iterations=4"}));
    result.emplace_back("slow receiver",
                        with(lz, {"nic.rx_slices.width=2 B", "nic.protocol.rx_buffer=4", "link.loss=0",
                                  "link.bit_error_rate=0", "nic.rx_bypass.slots=1", "workload.iterations=4"}));
    result.emplace_back("slow write", with(lz, {"nic.dma.pcie.write_engine=1 Gb/s", "nic.dma.rx_buffer=2",
                                                "nic.rx_mux.slots=2", "link.loss=0", "link.bit_error_rate=0"}));
    result.emplace_back("slow multiplexer", with(lz, {"nic.tx_mux.width=2 B", "link.loss=0", "link.bit_error_rate=0",
                                                      "background.rate=100 Gb/s", "workload.iterations=4"}));
    result.emplace_back("slow engines of one sequence",
                        with(lz, {"nic.algorithm.lz.sequence_fifo=2", "nic.algorithm.lz.history=64 B",
                                  "nic.algorithm.lz.literal_fifo=64 B", "nic.algorithm.lz.epoch_bits=2",
                                  "nic.algorithm.lz.flush_per_block=false", "nic.compressor.engines=1",
                                  "nic.algorithm.group_policy=one_block"}));
    result.emplace_back("zstd", with(lz, {"nic.algorithm.codec=zstd", "nic.algorithm.group_policy=one_block"}));
    result.emplace_back("deflate", with(lz, {"nic.algorithm.codec=deflate", "nic.algorithm.group_policy=one_block"}));
    Values const plain_algorithm{"nic.algorithm.delta=none", "nic.algorithm.grouping=none",
                                 "nic.algorithm.group_policy=one_block"};
    for (char const* codec : {"exponent_window", "exponent_prefix", "exponent_huffman"}) {
        ExperimentConfig config = with(lz, plain_algorithm);
        set(config, {std::string("nic.algorithm.codec=") + codec, "nic.decompressor.engines=1",
                     "nic.decompressor.exponent.bytes_per_cycle=16"});
        result.emplace_back(codec, config);
    }
    // The emitter is the slowest loop of an encoder when there are many lanes.
    result.emplace_back(
        "many lanes",
        with(lz, {"nic.algorithm.delta=none", "nic.algorithm.grouping=none", "nic.algorithm.group_policy=one_block",
                  "nic.algorithm.codec=exponent_prefix", "nic.algorithm.lanes=64", "nic.compressor.engines=1",
                  "nic.compressor.exponent.slots=4", "nic.compressor.clock=100 MHz"}));
    result.emplace_back("open", with(lz, {"workload.replay=open", "workload.rate=3 Gb/s"}));
    result.emplace_back("one message", with(lz, {"workload.outstanding=1", "background.enabled=false",
                                                 "workload.message_size=4 KiB", "nic.protocol.window=2"}));
    result.emplace_back("raw", with(lz, {"workload.synthetic.values=random"}));
    result.emplace_back("shared registers", with(lz, {"nic.algorithm.delta=min_previous", "workload.iterations=3"}));
    result.emplace_back("nothing arrives", with(lz, {"link.loss=1"}));
    result.emplace_back("standstill", with(lz, {"nic.compressor.clock=1 kHz", "nic.protocol.retries=100000"}));
    result.emplace_back(
        "recording", with(lz, {"workload.source=recorded", "workload.iterations=1",
                               "workload.files=" NETZIP_SOURCE_DIR "/workloads/recorded", "workload.kinds=parameter"}));
    return result;
}

/// Other values of a parameter, within its range.
Values others(Parameter const& parameter) {
    std::string const now = plain_text(parameter);
    Values result;
    if (parameter.path == "workload.kinds") return {"gradient", "activation"};
    if (parameter.type == ParameterType::boolean) return {now == "true" ? "false" : "true"};
    if (parameter.type == ParameterType::choice) {
        for (std::string const& choice : parameter.choices) {
            if (choice != now) result.push_back(choice);
        }
        return result;
    }
    auto const space = now.find(' ');
    std::string const unit = space == std::string::npos ? "" : now.substr(space);
    double const value = std::stod(now);
    bool const whole = parameter.type == ParameterType::integer || parameter.type == ParameterType::bytes ||
                       parameter.type == ParameterType::cycles;
    auto const spell = [&](double number) {
        char text[40];
        std::snprintf(text, sizeof text, whole ? "%.0f" : "%.9g", number);
        return text + unit;
    };
    // Clocks "of the NIC" are 0 Hz.
    if (value == 0 && parameter.type == ParameterType::frequency) return {"700 MHz"};
    if (value == 0) return {spell(1), spell(50), parameter.type == ParameterType::number ? "0.3" : spell(5)};
    return {spell(value * 2), spell(whole ? std::max(1.0, std::floor(value / 2)) : value / 2), spell(1),
            spell(value + 1), spell(value * 4)};
}

/// Parameters whose effect is not in the statistics of a simulation, each with the place that has its test.
std::map<std::string, std::string> const kElsewhere{
    {"run.question", "printed above the answer"},
    {"run.compare_plain", "adds a second run; run_experiment"},
    {"run.payload", "by design no effect: sizes give the numbers of the bytes"},
    {"run.cache", "by design no effect on numbers"},
    {"nic.technology", "chooses cost tables"},
    {"nic.decompressor.history", "memory of an engine; cost"},
    {"background.seed", "bytes that are compared, never counted"},
    {"workload.files", "which recording"},
    {"workload.phases", "selects tensors as workload.kinds does; unit tests of recordings"},
    {"workload.dtype", "files that do not say; unit tests of recordings"},
    {"workload.verify", "checks a recording, changes nothing; unit tests of recordings"},
    {"workload.header_limit", "accepts or refuses a file; unit tests of recordings"},
    {"workload.allow_trailing", "accepts or refuses a file; unit tests of recordings"},
};

struct Scenario {
    std::string name;
    ExperimentConfig config;
    std::string baseline;
};

/// One other value, under way.
struct Trial {
    bool said_unused;
    std::string value;
    std::unique_ptr<Run> run;
};
constexpr std::size_t kSideBySide = 2;

void check(std::vector<Trial>& trials, Scenario const& scenario, std::string const& path, bool& effect) {
    for (Trial& trial : trials) {
        bool const moved = trial.run->outcome() != scenario.baseline;
        if (moved && trial.said_unused) {
            FAIL_CHECK(path << " = " << trial.value << " is said to have no effect, and has one in \"" << scenario.name
                            << "\"");
        }
        effect = effect || moved;
    }
    trials.clear();
}

}  // namespace

// A knob that turns nothing is worse than none: every parameter of `describe` changes a number of some scenario, and
// where the configuration says that it has no effect, it has none.
TEST_CASE("every documented parameter changes a number, unless the configuration says why not", "[system][knobs]") {
    std::vector<Scenario> all;
    for (auto& [name, config] : scenarios()) {
        Run run(config);
        all.push_back({name, config, run.outcome()});
        INFO(name << ": " << all.back().baseline.substr(0, 300));
        CHECK(all.back().baseline.starts_with("error") == (name == "nothing arrives" || name == "standstill"));
    }
    ExperimentConfig listed;
    std::size_t alive = 0;
    ConfigRegistry const described = registry_of(listed);
    for (Parameter const& parameter : described.parameters()) {
        std::string const path = parameter.path;
        if (kElsewhere.count(path) != 0 || path.starts_with("cost.")) continue;
        bool effect = false;
        bool unused_checked = false;  // once is enough
        for (auto scenario = all.begin(); scenario != all.end() && !effect; ++scenario) {
            ExperimentConfig config = scenario->config;
            ConfigRegistry registry = registry_of(config);
            Parameter const& present = *registry.find(path);
            std::vector<Trial> trials;
            for (std::string const& value : others(present)) {
                ExperimentConfig changed = scenario->config;
                ConfigRegistry changed_registry = registry_of(changed);
                Problems problems;
                load(changed_registry, {}, {path + "=" + value}, problems);
                if (!problems.empty()) continue;  // out of range, or no sense together with the rest
                bool said = false;
                for (std::string const& line : changed_registry.without_effect()) {
                    said = said || line.find(": " + path + " = ") != std::string::npos;
                }
                if (said && unused_checked) continue;
                unused_checked = unused_checked || said;
                trials.push_back({said, value, std::make_unique<Run>(changed)});
                if (trials.size() == kSideBySide) check(trials, *scenario, path, effect);
                if (effect) break;
            }
            check(trials, *scenario, path, effect);
        }
        if (!effect) FAIL_CHECK(path << " changes no number of any scenario");
        alive += effect;
    }
    CHECK(alive > 180);
}

TEST_CASE("more of a resource is never slower", "[system][metamorphic]") {
    struct Row {
        char const* path;
        Values values;  ///< from little to much
        Values also{};
    };
    std::vector<Row> const rows{
        {"nic.compressor.engines", {"1", "2", "3", "4", "8", "22"}},
        {"nic.compressor.bytes_per_cycle", {"1", "2", "4", "8"}},
        {"nic.decompressor.engines", {"1", "2", "3", "4"}},
        {"nic.decompressor.bytes_per_cycle", {"2", "4", "8", "16"}},
        {"nic.grouper.width", {"4 B", "16 B", "32 B", "64 B"}},
        {"nic.rx_mux.width", {"2 B", "8 B", "64 B", "128 B"}},
        {"nic.dma.pcie.tags", {"1", "2", "8", "64", "256"}},
        {"nic.dma.pcie.lanes", {"1", "2", "4", "8", "16"}},
        {"nic.dma.pcie.generation", {"3", "4", "5"}, {"nic.dma.pcie.lanes=2"}},
        {"nic.dma.tx_buffer", {"1", "2", "8", "32"}},
        {"nic.dma.rx_buffer", {"1", "2", "8", "32"}},
        {"nic.protocol.window", {"1", "2", "4", "16", "64"}},
        {"nic.compressor.in_flight", {"1", "2", "8", "64"}},
        {"nic.clock", {"100 MHz", "200 MHz", "400 MHz", "800 MHz"}},
        {"link.rate", {"1 Gb/s", "10 Gb/s", "50 Gb/s", "100 Gb/s", "400 Gb/s"}},
        {"workload.outstanding", {"1", "2", "4", "8", "16"}},
    };
    ExperimentConfig base = small_experiment(8);
    base.nic.algorithm = AlgorithmConfig{};
    base.nic.compressor.engines = 6;
    base.workload.message_size = 8_KiB;
    for (Row const& row : rows) {
        double before = 1e300;
        for (std::string const& value : row.values) {
            CAPTURE(row.path, value);
            ExperimentConfig config = with(base, row.also);
            set(config, {std::string(row.path) + "=" + value});
            double const time = run_once(config).number("summary.time");
            // A cycle or two of another arbitration.
            CHECK(time <= before * 1.0005 + 4);
            before = std::min(before, time);
        }
    }
}
