#include <bit>
#include <cmath>
#include <fstream>
#include <map>

#include "base/error.h"
#include "base/random.h"
#include "base/sha256.h"
#include "support/catch.h"
#include "support/temporary_directory.h"
#include "support/tensor_files.h"
#include "workloads/message_source.h"
#include "workloads/normal_bf16.h"
#include "workloads/recording.h"
#include "workloads/synthetic.h"

using namespace netzip;
using namespace netzip::literals;

namespace {

WorkloadConfig recorded() {
    WorkloadConfig config;
    config.files = {NETZIP_SOURCE_DIR "/workloads/recorded"};
    return config;
}

WorkloadConfig synthetic(SyntheticValues values, Bytes size) {
    WorkloadConfig config;
    config.source = WorkloadSource::synthetic;
    config.synthetic.values = values;
    config.synthetic.tensor_size = size;
    return config;
}

/// Resident pages of mapped files, in bytes (Linux).
std::uint64_t resident_file_bytes() {
    std::ifstream status("/proc/self/status");
    std::string line;
    while (std::getline(status, line)) {
        if (line.starts_with("RssFile:")) return std::stoull(line.substr(8)) * 1024;
    }
    return 0;
}

}  // namespace

TEST_CASE("the messages of a recording are its tensors cut into pieces, in order, every byte once", "[messages]") {
    WorkloadConfig config = recorded();
    config.message_size = 64_KiB;
    auto const source = make_message_source(config);
    Recording const recording = open_recording(config);
    Message message;
    std::uint64_t id = 0;
    for (TensorRef const& tensor : recording.tensors) {
        std::string bytes;
        while (bytes.size() < tensor.size) {
            REQUIRE(source->next(message));
            CHECK(message.id == id++);
            CHECK(message.name == tensor.name);
            CHECK(message.kind == tensor.kind);
            CHECK(message.layer == tensor.layer_id);
            CHECK(message.iteration == tensor.iteration);
            CHECK(message.tensor_offset == bytes.size());
            CHECK(message.bytes.size() <= 65536);
            CHECK(message.not_before == Duration::zero());
            bytes += as_text(message.bytes);
        }
        CHECK(bytes == as_text(tensor.load().bytes));
    }
    CHECK_FALSE(source->next(message));
    CHECK(source->totals().messages == id);
    CHECK(source->totals().bytes == Bytes{1344 * 4096});
}

TEST_CASE("a repeated recording counts its iterations on", "[messages]") {
    WorkloadConfig config = recorded();
    config.kinds = {"parameter"};
    config.phases = {"late"};
    config.repeat = 2;
    auto const source = make_message_source(config);
    Message message;
    std::vector<std::uint32_t> iterations;
    while (source->next(message)) iterations.push_back(message.iteration);
    CHECK(iterations == std::vector<std::uint32_t>{0, 1, 2, 3});
}

// 256 KiB in 64 KiB messages at 50 Gb/s: 65536 * 8 / 50e9 s = 10.48576 us apart.
TEST_CASE("open replay offers bytes at the rate asked for", "[messages]") {
    WorkloadConfig config = synthetic(SyntheticValues::zeros, 256_KiB);
    config.message_size = 64_KiB;
    config.replay = ReplayMode::open;
    config.rate = 50_Gbps;
    auto const source = make_message_source(config);
    Message message;
    for (std::uint64_t i = 0; source->next(message); ++i) CHECK(message.not_before == Duration{10'485'760'000} * i);
}

TEST_CASE("a layer stays on one queue pair and all queue pairs are used", "[messages]") {
    WorkloadConfig config = recorded();
    config.queue_pairs = 3;
    auto const source = make_message_source(config);
    Message message;
    std::map<std::uint16_t, std::uint32_t> queue_pair;
    std::map<std::uint32_t, int> used;
    while (source->next(message)) {
        CHECK(queue_pair.try_emplace(message.layer, message.queue_pair).first->second == message.queue_pair);
        ++used[message.queue_pair];
    }
    CHECK(used.size() == 3);
}

TEST_CASE("replay holds no more of a file in memory than its messages do", "[messages]") {
    TemporaryDirectory const directory;
    // 256 MiB, sparse: one tensor of bf16 zeros.
    std::uint64_t const size = 256ull << 20;
    std::string header = R"({"w":{"dtype":"BF16","shape":[134217728],"data_offsets":[0,268435456]}})";
    std::string const length(1, static_cast<char>(header.size()));
    std::string const file = directory.write("big.safetensors", length + std::string(7, '\0') + header);
    std::filesystem::resize_file(file, 8 + header.size() + size);
    WorkloadConfig config;
    config.files = {file};
    config.message_size = 1024_KiB;
    auto const source = make_message_source(config);
    std::uint64_t const before = resident_file_bytes();
    std::uint64_t peak = 0;
    std::uint64_t sum = 0;
    Message message;
    for (std::uint64_t i = 0; source->next(message); ++i) {
        for (std::size_t at = 0; at < message.bytes.size(); at += 512) sum += message.bytes[at];
        if (i % 16 == 0) peak = std::max(peak, resident_file_bytes());
    }
    CHECK(sum == 0);
    CHECK(peak < before + (16u << 20));
}

TEST_CASE("synthetic bytes depend on seed, tensor, iteration and position only", "[synthetic]") {
    for (SyntheticValues const values : {SyntheticValues::normal, SyntheticValues::random}) {
        WorkloadConfig config = synthetic(values, Bytes{1001});
        Recording const recording = synthetic_recording(config.synthetic, 2);
        REQUIRE(recording.tensors.size() == 8);
        std::map<std::string, int> different;
        for (TensorRef const& tensor : recording.tensors) {
            std::string const whole = as_text(tensor.load().bytes);
            ++different[whole];
            CHECK(as_text(tensor.load(333, 500).bytes) == whole.substr(333, 500));
        }
        CHECK(different.size() == 8);
    }
}

TEST_CASE("normal values have the mean, deviation and exponent entropy of a normal variable", "[synthetic]") {
    // Exponent entropy of N(0, s^2) in octaves: 2.54 bits averaged over the fraction of log2 s (ZipCCL);
    // for s = 2^-10 exactly it is sum over e of -p log2 p with p = 2 (Phi(2^(e+1)) - Phi(2^e)).
    double expected = 0;
    for (int e = -40; e < 4; ++e) {
        double const p = std::erf(std::ldexp(M_SQRT1_2, e + 1)) - std::erf(std::ldexp(M_SQRT1_2, e));
        if (p > 0) expected -= p * std::log2(p);
    }
    NormalBf16 const normal(std::ldexp(1.0, -10));
    CounterRandom const random(1);
    std::uint64_t const n = 200'000;
    std::map<int, double> exponents;
    double sum = 0;
    double squares = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        std::uint16_t const bits = normal(static_cast<std::uint32_t>(random.at(i)));
        double const value = std::bit_cast<float>(std::uint32_t{bits} << 16);
        sum += value;
        squares += value * value;
        exponents[bits >> 7 & 255] += 1.0 / static_cast<double>(n);
    }
    double entropy = 0;
    for (auto const& [exponent, p] : exponents) entropy -= p * std::log2(p);
    double const sigma = std::sqrt(squares / static_cast<double>(n));
    // Standard errors: sigma / sqrt(n) = 0.0022 sigma for the mean, sigma / sqrt(2 n) = 0.0016 sigma.
    CHECK(std::abs(sum / static_cast<double>(n)) < 0.01 * sigma);
    CHECK(sigma == Approx(std::ldexp(1.0, -10)).epsilon(0.006));
    CHECK(entropy == Approx(expected).margin(0.01));
}

TEST_CASE("the share of zeros is what was asked for", "[synthetic]") {
    WorkloadConfig config = synthetic(SyntheticValues::normal, Bytes{200'000});
    config.synthetic.zero_share = 0.63;
    Recording const recording = synthetic_recording(config.synthetic, 1);
    TensorBytes const loaded = recording.tensors[0].load();
    std::uint64_t zeros = 0;
    for (std::size_t i = 0; i < loaded.bytes.size(); i += 2) zeros += loaded.bytes[i] == 0 && loaded.bytes[i + 1] == 0;
    // Standard error sqrt(.63 * .37 / 1e5) = 0.0015.
    CHECK(static_cast<double>(zeros) / 100'000 == Approx(0.63).margin(0.006));
}

TEST_CASE("background messages come at their rate on queue pairs of their own, without a flag", "[messages]") {
    BackgroundConfig config;
    config.queue_pairs = 2;
    config.message_size = 1000_B;
    config.rate = 8_Gbps;
    auto const source = make_background_source(config, 5);
    Message message;
    for (std::uint64_t i = 0; i < 10; ++i) {
        REQUIRE(source->next(message));
        CHECK_FALSE(message.compress);
        CHECK(message.queue_pair == 5 + i % 2);
        CHECK(message.not_before == 1_us * i);
        CHECK(message.bytes.size() == 1000);
    }
}

TEST_CASE("a message size that cuts elements is refused", "[messages][bad-input]") {
    WorkloadConfig config = recorded();
    config.message_size = 1000_B;
    CHECK_THROWS_WITH(make_message_source(config), "workload.message_size: expected a multiple of 64 B, got 1 kB");
}

// FIPS 180-4 test vectors: the empty string, "abc", a million times "a".
TEST_CASE("SHA-256 gives the published digests", "[sha256]") {
    CHECK(sha256_hex({}) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    std::vector<std::uint8_t> const abc{'a', 'b', 'c'};
    CHECK(sha256_hex(abc) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    std::vector<std::uint8_t> const million(1'000'000, 'a');
    Sha256 pieces;
    for (std::size_t at = 0; at < million.size(); at += 1000) {
        pieces.add(std::span(million).subspan(at, 1000));
    }
    CHECK(pieces.hex() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
