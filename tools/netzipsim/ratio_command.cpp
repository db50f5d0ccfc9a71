#include <iostream>
#include <thread>

#include "base/error.h"
#include "base/progress.h"
#include "base/results/output_file.h"
#include "models/packet_codec.h"
#include "tools/netzipsim/command_line.h"
#include "tools/netzipsim/commands.h"
#include "tools/ratio/combination.h"
#include "tools/ratio/plot.h"
#include "tools/ratio/report.h"

namespace netzip {
namespace {

struct RatioRequest {
    WorkloadConfig workload;
    std::vector<std::string> combinations;
    std::string packet_size = "4 KiB";
    bool all = false;
    bool whole = false;
    bool artifact = false;
    bool layers = false;
    std::uint64_t threads = std::max(1u, std::thread::hardware_concurrency());
    std::string csv;
    std::string json;
    std::string plot;
};

bool read_command_line(Arguments arguments, RatioRequest& request) {
    CommandLine line("ratio",
                     "Compresses recorded tensors packet by packet with many combinations, decodes every packet "
                     "and compares every bit.");
    line.arguments("FILE...", request.workload.files,
                   "Directories, manifests or tensor files (safetensors, .npy, .npz, torch .pt, pickle).", 1, 100'000);
    line.texts("combo", request.combinations, "DELTA+GROUPING+CODEC[:POLICY]",
               "A combination to measure; may be given several times. Without it, a choice of the usual ones.");
    line.flag("all", request.all, "Every combination that makes sense.");
    line.text("packet-size", request.packet_size, "SIZE", "Payload of a packet (4 KiB when not given).");
    line.flag("whole", request.whole, "Whole tensors instead of packets.");
    line.flag("artifact", request.artifact, "The twelve rows of the NetZIP artifact: its orders, levels and deltas.");
    line.flag("layers", request.layers, "Print the ratios of every layer, too.");
    line.texts("kind", request.workload.kinds, "KIND", "Only tensors of this kind; may be given several times.");
    line.texts("phase", request.workload.phases, "PHASE", "Only tensors of this phase; may be given several times.");
    line.text("dtype", request.workload.dtype, "TYPE",
              "Element type of files that do not say (bf16, fp16, fp32, ...).");
    line.flag("verify", request.workload.verify, "Compare every tensor with the SHA-256 of its manifest first.");
    line.number("threads", request.threads, "N",
                "Threads (all cores when not given); the result does not depend on it.");
    line.text("csv", request.csv, "FILE", "Write all ratios as CSV.");
    line.text("json", request.json, "FILE", "Write all ratios as JSON.");
    line.text("plot", request.plot, "FILE", "Draw ratios against the floor (.svg or .html).");
    line.example("netzipsim ratio workloads/recorded", "What would the usual combinations do to these tensors?");
    line.example("netzipsim ratio workloads/recorded --combo min_previous+bit+lz4 --combo byte+zstd3:per_group_or_raw",
                 "How do two designs compare?");
    line.example("netzipsim ratio workloads/recorded --artifact",
                 "What did the NetZIP artifact measure, and what is lost?");
    if (!line.parse(arguments)) return false;
    request.workload.iterations = 1'000'000;
    return true;
}

std::uint64_t parse_packet_size(std::string const& text) {
    std::uint64_t constexpr kUnit = 4;  // the widest element: packets begin at whole values
    std::uint64_t size = 0;
    try {
        size = parse_bytes(text).count();
    } catch (UsageError const& e) {
        throw UsageError(std::string("--packet-size: ") + e.what());
    }
    if (size == 0 || size > kMaximumPacketBytes || size % kUnit != 0) {
        throw UsageError("--packet-size: expected a multiple of 4 B up to " + std::to_string(kMaximumPacketBytes) +
                         " B, got \"" + text + "\"");
    }
    return size;
}

std::vector<AlgorithmConfig> chosen_combinations(RatioRequest const& request) {
    std::vector<AlgorithmConfig> combinations;
    Problems problems;
    for (std::string const& text : request.combinations) {
        try {
            combinations.push_back(parse_combination(text));
        } catch (UsageError const& e) {
            problems.add(e.what());
        }
    }
    problems.throw_if_any<UsageError>();
    if (request.all) return all_combinations();
    if (!combinations.empty()) return combinations;
    combinations = default_combinations();
    if (request.whole) {
        std::erase_if(combinations, [](AlgorithmConfig const& algorithm) {
            return algorithm.codec == CodecKind::exponent_window || algorithm.codec == CodecKind::exponent_prefix;
        });
    }
    return combinations;
}

bool draws_html(std::string const& plot) {
    if (plot.ends_with(".html")) return true;
    if (plot.empty() || plot.ends_with(".svg")) return false;
    throw UsageError("--plot: expected a name that ends in .svg or .html, got \"" + plot + "\"");
}

int run_artifact(RatioRequest const& request, Recording const& recording, unsigned threads) {
    if (!request.combinations.empty() || request.all || request.whole || request.layers || !request.plot.empty()) {
        throw UsageError("--artifact: fixes what is measured; it goes with --csv and --json only");
    }
    ArtifactTable table;
    {
        Progress progress("ratio", artifact_work(recording) / 1'000'000, "MB");
        table = measure_artifact(recording, threads, [&](std::uint64_t done) { progress.update(done / 1'000'000); });
    }
    for (std::string const& note : recording.notes) std::cout << "note: " << note << "\n";
    std::cout << "Whole tensors, low byte and low plane first, coded bytes only, as the NetZIP artifact counts.\n\n"
              << artifact_table(table);
    if (!request.csv.empty()) write_file(request.csv, artifact_csv(table));
    if (!request.json.empty()) write_file(request.json, artifact_json(table));
    return 0;
}

/// A combination that calls itself lossless and is not must not end quietly.
void require_lossless(RatioResult const& result) {
    Problems problems;
    for (std::size_t c = 0; c < result.combinations.size(); ++c) {
        Measured const all = result.sum(c);
        if (!result.combinations[c].lossless() || all.lost == 0) continue;
        problems.add(result.combinations[c].name() + ": " + std::to_string(all.lost) + " of " +
                     std::to_string(all.values) + " values did not come back, expected all");
    }
    problems.throw_if_any<RunError>();
}

}  // namespace

int ratio_command(Arguments arguments) {
    RatioRequest request;
    if (!read_command_line(arguments, request)) return 0;
    RatioOptions options;
    options.packet_size = parse_packet_size(request.packet_size);
    options.whole = request.whole;
    options.threads = static_cast<unsigned>(std::clamp<std::uint64_t>(request.threads, 1, 1024));
    bool const html = draws_html(request.plot);
    std::vector<AlgorithmConfig> const combinations = chosen_combinations(request);

    Recording const recording = open_recording(request.workload);
    if (request.artifact) return run_artifact(request, recording, options.threads);
    RatioResult result;
    {
        Progress progress("ratio", ratio_work(recording, combinations.size()) / 1'000'000, "MB");
        result = measure_ratios(recording, combinations, options,
                                [&](std::uint64_t done) { progress.update(done / 1'000'000); });
    }
    std::cout << ratio_heading(recording, result, options) << "\n" << ratio_table(result);
    if (request.layers) std::cout << "\n" << ratio_layer_table(result);
    if (!request.csv.empty()) write_file(request.csv, ratio_csv(result));
    if (!request.json.empty()) write_file(request.json, ratio_json(recording, result, options));
    if (!request.plot.empty()) write_file(request.plot, html ? ratio_html(result) : ratio_svg(result));
    require_lossless(result);
    return 0;
}

}  // namespace netzip
