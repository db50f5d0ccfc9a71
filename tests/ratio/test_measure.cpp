#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "models/packet_codec.h"
#include "support/catch.h"
#include "support/temporary_directory.h"
#include "support/tensor_files.h"
#include "tools/ratio/combination.h"
#include "tools/ratio/plot.h"
#include "tools/ratio/report.h"
#include "workloads/synthetic.h"

using namespace netzip;

namespace {

Recording shipped() {
    WorkloadConfig config;
    config.files = {NETZIP_SOURCE_DIR "/workloads/recorded"};
    return open_recording(config);
}

RatioResult measure(Recording const& recording, std::vector<std::string> const& combinations,
                    RatioOptions const& options = {}) {
    std::vector<AlgorithmConfig> algorithms;
    for (std::string const& text : combinations) algorithms.push_back(parse_combination(text));
    return measure_ratios(recording, algorithms, options, [](std::uint64_t) {});
}

/// A bf16 tensor of equal values per iteration.
Recording constants(std::vector<std::uint16_t> const& values, std::size_t count) {
    Recording recording;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        std::string bytes;
        for (std::size_t n = 0; n < count; ++n) bytes += little_endian(values[i], 2);
        std::vector<std::uint8_t> const raw(bytes.begin(), bytes.end());
        TensorRef tensor;
        tensor.name = "w";
        tensor.iteration = i;
        tensor.size = bytes.size();
        tensor.layer_id = 1;
        tensor.data = mapped_tensor(MappedFile::of_bytes("w", raw), 0);
        recording.tensors.push_back(tensor);
    }
    return recording;
}

Recording random_tensor(std::uint64_t bytes, std::uint64_t iterations) {
    SyntheticConfig config;
    config.values = SyntheticValues::random;
    config.tensors = 1;
    config.tensor_size = Bytes{bytes};
    return synthetic_recording(config, iterations);
}

}  // namespace

TEST_CASE("entropies agree with the independent reference, tensor by tensor", "[ratio][golden]") {
    nlohmann::json golden;
    std::ifstream(NETZIP_SOURCE_DIR "/tests/golden/public_small.json") >> golden;
    Recording const recording = shipped();
    RatioResult const result = measure(recording, {"none"});
    std::size_t found = 0;
    for (std::size_t i = 0; i < result.layers.size(); ++i) {
        RatioLayer const& layer = result.layers[i];
        for (auto const& entry : golden["tensors"]) {
            if (entry["name"] != layer.name || entry["kind"] != layer.kind || entry["phase"] != layer.phase) continue;
            ++found;
            // The reference has 6 decimals.
            CHECK(result.floors[i].exponent == Approx(entry["H_exponent"].get<double>()).margin(1e-6));
            CHECK(result.floors[i].sign_mantissa == Approx(entry["H_sign_mantissa"].get<double>()).margin(1e-6));
            CHECK(result.floors[i].high_byte == Approx(entry["H_high_byte"].get<double>()).margin(1e-6));
        }
    }
    CHECK(found == 23);
}

TEST_CASE("every lossless combination returns every bit of recorded tensors, and says when packets travel raw",
          "[ratio]") {
    WorkloadConfig config;
    config.files = {NETZIP_SOURCE_DIR "/workloads/recorded"};
    config.phases = {"ft"};
    config.kinds = {"gradient"};
    Recording const recording = open_recording(config);
    RatioOptions options;
    options.threads = 2;
    RatioResult const result = measure_ratios(recording, all_combinations(), options, [](std::uint64_t) {});
    for (std::size_t c = 0; c < result.combinations.size(); ++c) {
        Measured const all = result.sum(c);
        CAPTURE(result.combinations[c].name());
        CHECK(all.packets == 24);
        if (result.combinations[c].lossless()) CHECK(all.lost == 0);
        if (result.combinations[c].codec == CodecKind::none) {
            // Nothing shrinks: 4096 B and the 2-byte NetZIP header.
            CHECK(all.raw_packets == 24);
            CHECK(all.ratio() == 4098.0 / 4096.0);
        }
    }
}

TEST_CASE("all element types and odd sizes come back, in packets and as whole tensors", "[ratio]") {
    TemporaryDirectory const directory;
    std::string data;
    for (int i = 0; i < 40'000; ++i) data += static_cast<char>(i * i >> (i % 7));
    auto const file = [&](std::string const& type, std::size_t bytes, std::size_t element) {
        return safetensors_file(R"({")" + type + R"(":{"dtype":")" + type + R"(","shape":[)" +
                                    std::to_string(bytes / element) + R"(],"data_offsets":[0,)" +
                                    std::to_string(bytes) + "]}}",
                                data.substr(0, bytes));
    };
    WorkloadConfig config;
    config.files.clear();
    for (char const* step : {"1", "2"}) {
        config.files.push_back(directory.write(std::string(step) + "/a.safetensors", file("BF16", 9002, 2)));
        config.files.push_back(directory.write(std::string(step) + "/b.safetensors", file("F16", 4098, 2)));
        config.files.push_back(directory.write(std::string(step) + "/c.safetensors", file("F32", 8204, 4)));
        config.files.push_back(directory.write(std::string(step) + "/d.safetensors", file("F8_E4M3", 4097, 1)));
        config.files.push_back(directory.write(std::string(step) + "/e.safetensors", file("F8_E5M2", 1, 1)));
    }
    Recording const recording = open_recording(config);
    std::vector<std::string> const combinations{"min_previous+bit+lz4", "p1_previous+byte+zstd1:per_group_or_raw",
                                                "true_xor+bit+snappy:per_group", "true_integer+deflate1"};
    for (bool const whole : {false, true}) {
        RatioOptions options;
        options.whole = whole;
        RatioResult const result = measure(recording, combinations, options);
        CHECK(result.layers.size() == 5);
        for (std::size_t c = 0; c < combinations.size(); ++c) {
            CHECK(result.sum(c).lost == 0);
            CHECK(result.sum(c).original == 9002 + 4098 + 8204 + 4097 + 1);
            // Equal iterations: the true deltas leave zeros, and most of what is counted is headers.
            if (c >= 2) CHECK(result.sum(c).ratio() < 0.1);
        }
    }
}

TEST_CASE("the result does not depend on the number of threads", "[ratio]") {
    Recording const recording = shipped();
    RatioOptions options;
    std::string const one =
        ratio_json(recording, measure(recording, {"bit+lz4", "float_p1+bit+lz4"}, options), options);
    options.threads = 5;
    CHECK(ratio_json(recording, measure(recording, {"bit+lz4", "float_p1+bit+lz4"}, options), options) == one);
}

TEST_CASE("a float delta loses what its rounding swallows and nothing else", "[ratio]") {
    // 2^-20 - 1 rounds to -1 in bf16 (8 bits of significand), and -1 + 1 is 0: every value is lost.
    RatioResult const all = measure(constants({0x3f80, 0x3580}, 4096), {"float_p1+bit+lz4"});
    CHECK(all.sum(0).lost == 4096);
    CHECK(all.sum(0).lost_share() == 1);
    // x - 0 is x.
    CHECK(measure(constants({0, 0x3580}, 4096), {"float_p1+bit+lz4"}).sum(0).lost == 0);
    CHECK(measure(constants({0x3f80, 0x3580}, 4096), {"min_previous+bit+lz4"}).sum(0).lost == 0);
}

TEST_CASE("one iteration alone is counted with a neutral base and the heading says so", "[ratio]") {
    Recording const one = random_tensor(8192, 1);
    RatioResult const result = measure(one, {"min_previous+bit+lz4"});
    CHECK(result.sum(0).packets == 2);
    CHECK_THAT(ratio_heading(one, result, {}), Catch::Contains("1 tensor with one iteration only"));
    Recording const two = random_tensor(8192, 2);
    RatioResult const second = measure(two, {"min_previous+bit+lz4"});
    CHECK(second.sum(0).packets == 2);
    CHECK_THAT(ratio_heading(two, second, {}), Catch::Contains("The first iteration feeds the deltas"));
}

TEST_CASE("whole tensors go through library codecs only", "[ratio][bad-input]") {
    RatioOptions options;
    options.whole = true;
    CHECK_THROWS_WITH(measure(random_tensor(4096, 1), {"exponent_window3"}, options),
                      "--whole: exponent_window (exponent_window3_best_of_packet) is a format for packets; whole "
                      "tensors go through none, lz4, snappy, zstd or deflate");
}

// LZ4 frame of incompressible bytes: magic 4, descriptor 2, content size 8, header checksum 1; per block of 64 KiB its
// length, 4; the bytes; the end mark, 4. 98,304 B are two blocks.
TEST_CASE("the artifact's table has twelve rows, and its LZ4 is the frame format", "[ratio]") {
    ArtifactTable const table = measure_artifact(random_tensor(98'304, 2), 2, [](std::uint64_t) {});
    CHECK(table.rows.front() == "LZ4");
    CHECK(table.rows.back() == "bit + Zstd");
    CHECK(table.cells[0][0].compressed == 15 + 2 * 4 + 98'304 + 4);
    for (auto const& row : table.cells) {
        for (Measured const& cell : row) CHECK(cell.original == 98'304);
    }
    CHECK(table.deltas[0].lost == 0);
    CHECK(table.deltas[2].lost == 0);
    CHECK(table.deltas[1].lost > 0);
}

TEST_CASE("the entropies of a coin, of nothing and of a mix are those of the formula", "[ratio]") {
    FloorCounter coin(DataType::bf16);
    std::vector<std::uint8_t> const two{0x80, 0x3f, 0x80, 0x40};  // 1.0 and 4.0: exponents 127 and 129
    coin.add(two);
    CHECK(coin.floor().exponent == 1);
    CHECK(coin.floor().sign_mantissa == 0);
    CHECK(coin.floor().high_byte == 1);
    // (1 + 8) / 16 with sign and mantissa raw.
    CHECK(coin.floor().exponent_coded() == 9.0 / 16);
    CHECK(FloorCounter(DataType::fp32).floor().exponent == 0);
    Floor const mean = mean_floor({{1, 0, 0, 16, 1, 8}, {4, 0, 0, 16, 2, 8}});
    CHECK(mean.exponent == Approx(3));
}

TEST_CASE("a job that throws stops the others and its error comes out", "[ratio]") {
    CHECK_THROWS_WITH(run_jobs(
                          100, 4,
                          [](std::size_t i) {
                              if (i == 3) throw InputError("three");
                          },
                          [] {}),
                      "three");
}

TEST_CASE("the picture has a bar and a label per combination, and every column of the CSV is documented", "[ratio]") {
    RatioResult const result = measure(random_tensor(8192, 2), {"lz4", "bit+zstd1", "float_p1+bit+lz4"});
    std::string const svg = ratio_svg(result);
    for (AlgorithmConfig const& algorithm : result.combinations)
        CHECK_THAT(svg, Catch::Contains(">" + algorithm.name() + "<"));
    CHECK(ratio_html(result).find(svg) != std::string::npos);

    std::string const csv = ratio_csv(result);
    // Header; per combination one line in all, one for its kind, one for its layer.
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 3 * 3);
    std::ifstream file(NETZIP_SOURCE_DIR "/docs/ratio.md");
    std::string const docs{std::istreambuf_iterator<char>(file), {}};
    std::string const header = csv.substr(0, csv.find('\n')) + ",";
    for (std::size_t at = 0, end = 0; (end = header.find(',', at)) != std::string::npos; at = end + 1) {
        std::string const column = header.substr(at, end - at);
        CAPTURE(column);
        CHECK_THAT(docs, Catch::Contains("`" + column + "`"));
    }
}
