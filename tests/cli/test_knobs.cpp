#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/config/load.h"
#include "base/process/child_process.h"
#include "nic/experiment_config.h"
#include "nic/simulation.h"
#include "support/catch.h"

using namespace netzip;

namespace {

using Words = std::vector<std::string>;

/// A small run in which everything is present: a switch, losses, background traffic, two queue pairs.
Words const kGeneral{"workload.source=synthetic",
                     "workload.synthetic.tensors=3",
                     "workload.synthetic.tensor_size=48 KiB",
                     "workload.message_size=32 KiB",
                     "workload.queue_pairs=2",
                     "workload.outstanding=2",
                     "switch.present=true",
                     "background.enabled=true",
                     "background.message_size=4 KiB",
                     "link.loss=0.01",
                     "link.bit_error_rate=1e-7"};

Words with(Words const& more) {
    Words words = kGeneral;
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

Words with_codec(std::string const& codec) {
    return with({"nic.algorithm.codec=" + codec});
}

/// Exponent codecs take neither delta nor grouping.
Words with_exponents(std::string const& codec) {
    return with({"nic.algorithm.codec=" + codec, "nic.algorithm.delta=none", "nic.algorithm.grouping=none"});
}

/// Both ends are held up, so that every slot of every stage fills; all stages have clocks of their own and wait for
/// whole packets.
Words held_up() {
    Words words = with({"link.rate=20 Gb/s", "nic.dma.pcie.write_engine=15 Gb/s", "workload.outstanding=8",
                        "workload.synthetic.tensor_size=256 KiB"});
    int megahertz = 290;
    for (char const* stage :
         {"tx_demux", "delta_encoder", "staging_buffer", "grouper", "merge", "tx_slices", "tx_mux", "tx_bypass",
          "rx_demux", "ungrouping_buffer", "ungrouper", "delta_decoder", "rx_slices", "rx_mux", "rx_bypass"}) {
        std::string const place = std::string("nic.") + stage;
        words.push_back(place + ".clock=" + std::to_string(megahertz++) + " MHz");
        words.push_back(place + ".admission=store_and_forward");
    }
    return words;
}

/// What has no effect on the statistics of a simulation by design, and where it is tested instead.
std::array const kExceptions{
    "run.question",              // a text
    "run.compare_plain",         // a second simulation
    "run.payload",               // equal numbers either way is the point of it
    "run.cache",                 // where traces are kept
    "run.watchdog",              // a limit
    "nic.technology",            // cost
    "workload.files",            // recordings
    "workload.kinds",            //
    "workload.phases",           //
    "workload.dtype",            //
    "workload.verify",           //
    "workload.header_limit",     //
    "workload.allow_trailing",   //
    "background.seed",           // random bytes do not compress, whichever they are
    "cost.",                     // cost
    "nic.decompressor.history",  // cost
    // Both directions have a struct of this kind; this half uses the rest of it.
    "nic.compressor.exponent.decode_bytes_per_lane",
};

bool is_exception(std::string const& path) {
    // Seen only where a double buffer is what limits the run; the tests of the stages vary it.
    if (path.ends_with(".release_early")) return true;
    return std::any_of(kExceptions.begin(), kExceptions.end(),
                       [&](std::string const& exception) { return path.starts_with(exception); });
}

/// Runs in which a parameter is expected to matter, likeliest first.
std::vector<Words> scenarios(std::string const& path) {
    auto const speaks_of = [&](char const* word) { return path.find(word) != std::string::npos; };
    if (speaks_of("zstd") || speaks_of("entropy") || speaks_of("level"))
        return {with_codec("zstd"), with_codec("deflate")};
    if (speaks_of("deflate")) return {with_codec("deflate")};
    if (speaks_of("window_b")) return {with_exponents("exponent_window")};
    if (speaks_of("anchor")) return {with_exponents("exponent_prefix")};
    if (speaks_of("exponent") || speaks_of("lanes")) return {with_exponents("exponent_prefix"), kGeneral};
    if (speaks_of("algorithm.lz"))
        return {with_codec("lz4_hw"), with({"nic.algorithm.codec=lz4_hw", "workload.synthetic.values=zeros"}),
                kGeneral};
    if (speaks_of("clear_per_cycle")) return {with({"nic.algorithm.lz.flush_per_block=true"})};
    if (path == "workload.rate") return {with({"workload.replay=open"})};
    if (path == "nic.protocol.retries") return {with({"link.loss=0.6"})};
    if (path == "nic.protocol.timeout") return {with({"link.loss=0.1"})};
    if (speaks_of("order") || path == "workload.queue_pairs") {
        return {kGeneral, with({"workload.outstanding=16", "workload.synthetic.tensors=8", "nic.algorithm.codec=lz4_hw",
                                "workload.synthetic.zero_share=0.5", "workload.queue_pairs=4"})};
    }
    if (speaks_of("slots")) {
        return {held_up(), kGeneral,
                with({"link.rate=2 Gb/s", "nic.protocol.tx_buffer=1", "workload.outstanding=64",
                      "workload.synthetic.tensor_size=1 MiB"})};
    }
    return {kGeneral, held_up(), with({"link.rate=400 Gb/s", "nic.algorithm.codec=none", "nic.algorithm.delta=none"})};
}

/// Values that differ from the present one; some may be refused.
Words alternatives(Parameter const& parameter) {
    std::string const text = plain_text(parameter);
    Words result;
    switch (parameter.type) {
        case ParameterType::choice:
            for (std::string const& choice : parameter.choices) {
                if (choice != text) result.push_back(choice);
            }
            return result;
        case ParameterType::boolean:
            return {text == "true" ? "false" : "true"};
        case ParameterType::number:
            return {std::to_string(std::stod(text) * 2 + 0.1), std::to_string(std::stod(text) / 2)};
        case ParameterType::integer: {
            auto const value = std::stoull(text);
            return {std::to_string(value * 2), std::to_string(value / 2), std::to_string(value + 1), "1"};
        }
        default:
            break;
    }
    auto const space = text.find(' ');
    if (space == std::string::npos) return {};
    auto const value = std::stod(text.substr(0, space));
    std::string const unit = text.substr(space);
    if (value == 0) return {"100" + (unit == " Hz" ? std::string(" MHz") : unit)};
    bool const whole = parameter.type == ParameterType::cycles;
    auto const spelled = [&](double v) { return whole ? std::to_string(static_cast<int>(v)) : std::to_string(v); };
    Words values{spelled(value * 2) + unit, spelled(value / 2) + unit};
    // The bounds are counts of the base unit.
    bool const bytes = parameter.type == ParameterType::bytes;
    if (bytes && parameter.range.low)
        values.push_back(to_string(Bytes{static_cast<std::uint64_t>(*parameter.range.low)}));
    return values;
}

/// Statistics of a run, or how it failed; empty when the values are refused.
std::string outcome(Words const& sets) {
    ExperimentConfig config;
    ConfigRegistry registry = registry_of(config);
    Problems problems;
    load(registry, {}, sets, problems);
    if (!problems.empty()) return "";
    try {
        return run_in_process("the run", [&] { return simulate(config).to_json(); });
    } catch (Error const& error) {
        return error.status() == ExitStatus::run_failed ? error.what() : "";
    }
}

bool has_effect(std::string const& path) {
    for (Words const& scenario : scenarios(path)) {
        ExperimentConfig config;
        ConfigRegistry registry = registry_of(config);
        load(registry, {}, scenario);
        std::string const before = outcome(scenario);
        for (std::string const& value : alternatives(*registry.find(path))) {
            Words changed = scenario;
            changed.push_back(path + "=" + value);
            std::string const after = outcome(changed);
            if (!after.empty() && after != before) return true;
        }
    }
    return false;
}

}  // namespace

// A parameter that is read and never used makes a sweep flat without a word.
TEST_CASE("every parameter of an experiment changes a statistic in some run", "[knobs]") {
    ExperimentConfig config;
    ConfigRegistry const registry = registry_of(config);
    for (Parameter const& parameter : registry.parameters()) {
        if (is_exception(parameter.path)) continue;
        INFO(parameter.path);
        CHECK(has_effect(parameter.path));
    }
}
