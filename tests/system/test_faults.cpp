#include "pipeline/payload_work.h"
#include "support/catch.h"
#include "support/experiment.h"

using namespace netzip;
using namespace netzip::literals;
using namespace netzip::test;

namespace {

using Values = std::vector<std::string>;

/// LZ4 engines, several queue pairs, uncompressed traffic beside them, a switch: everything that can wait for
/// something else.
ExperimentConfig crowded(std::vector<std::string> const& more = {}) {
    ExperimentConfig config = small_experiment(6);
    config.nic.algorithm = AlgorithmConfig{};
    config.workload.iterations = 2;
    config.workload.queue_pairs = 3;
    config.workload.message_size = 8_KiB;
    config.background.enabled = true;
    config.background.message_size = 10000_B;
    config.background.queue_pairs = 2;
    config.background.rate = 10_Gbps;
    config.network_switch.present = true;
    config.nic.protocol.timeout = 30_us;
    set(config, more);
    return config;
}

void check_whole(StatsTable const& stats) {
    CHECK(std::get<std::string>(stats.find("summary.lossless")->value) == "yes");
    CHECK(stats.number("summary.tensor_bytes") == 12 * 16 * 1024);
    CHECK(stats.number("summary.background_packets") > 0);
}

/// Flips one bit of one packet behind the delta decoder.
class Saboteur : public BytesWork {
public:
    explicit Saboteur(AlgorithmConfig const& algorithm, std::uint64_t packet)
        : BytesWork(algorithm, 32768), packet_(packet) {}
    void delta_decode(Payload& payload) override {
        BytesWork::delta_decode(payload);
        if (tag_of(payload).serial == packet_) PayloadPool::bytes_of(payload).current[101] ^= 0x10;
    }

private:
    std::uint64_t packet_;
};

}  // namespace

TEST_CASE("lost and damaged frames cost time and no bit", "[system][loss]") {
    double const calm = run_once(crowded()).number("summary.time");
    for (std::vector<std::string> const& trouble : {std::vector<std::string>{"link.loss=0.001"},
                                                    {"link.loss=0.01"},
                                                    {"link.loss=0.1"},
                                                    {"link.bit_error_rate=1e-7"},
                                                    {"link.bit_error_rate=1e-6"},
                                                    {"link.loss=0.02", "link.bit_error_rate=1e-6"}}) {
        for (char const* order : {"queue_pair", "global"}) {
            CAPTURE(trouble, order);
            ExperimentConfig config = crowded(trouble);
            set(config, {std::string("nic.compressor.order=") + order, std::string("nic.decompressor.order=") + order});
            StatsTable const stats = run_once(config);
            check_whole(stats);
            double const bad = stats.number("link.lost") + stats.number("protocol.damaged");
            if (bad > 4) CHECK(stats.number("protocol.resent") > 0);
            if (bad > 4) CHECK(stats.number("summary.time") > calm);
        }
    }
}

TEST_CASE("a link that loses everything ends with a clear error", "[system][loss]") {
    std::string const error = error_of(crowded({"link.loss=1", "background.enabled=false"}));
    INFO(error);
    CHECK(error.find("was not acknowledged after 7 time-outs of 30 us") != std::string::npos);
    CHECK(error.find("link's loss") != std::string::npos);
}

TEST_CASE("a bit that does not come back fails the run with tensor, packet, element and both values",
          "[system][lossless]") {
    ExperimentConfig config = small_experiment();
    SimulationHooks hooks;
    hooks.make_work = [&](bool sender) -> std::unique_ptr<PayloadWork> {
        if (sender) return std::make_unique<BytesWork>(config.nic.algorithm, 32768);
        return std::make_unique<Saboteur>(config.nic.algorithm, 6);
    };
    std::string const error = error_of(config, hooks);
    INFO(error);
    // Packet 6 is the third of the second tensor: its byte 101 is the high half of element 2 * 2048 + 50.
    CHECK(error.find("1 of 32768 values did not come back; first: tensor \"synthetic1\" (iteration 0), packet 2, "
                     "element 4146: sent 0x") != std::string::npos);
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    auto const at = error.find("sent 0x");
    REQUIRE(at != std::string::npos);
    CHECK(std::sscanf(error.c_str() + at, "sent 0x%lx, received 0x%lx", &sent, &received) == 2);
    CHECK((sent ^ received) == 0x1000);
    // The same work without the flipped bit is fine.
    hooks.make_work = [&](bool) { return std::make_unique<Saboteur>(config.nic.algorithm, 1'000'000); };
    CHECK(error_of(config, hooks).empty());
}

TEST_CASE("a stage that stands still is named with what it holds and whom the others wait for", "[system][watchdog]") {
    Values const still{"nic.compressor.clock=1 kHz", "run.watchdog=200 us"};
    ExperimentConfig config = crowded(still);
    set(config, {"nic.compressor.engines=1", "nic.compressor.in_flight=2", "workload.outstanding=100"});
    std::string const error = error_of(config);
    INFO(error);
    CHECK(error.find("was completed for 200 us") != std::string::npos);
    CHECK(error.find("a.compressor: ") != std::string::npos);
    CHECK(error.find("a.grouper: 4 packets inside (4 slots)") != std::string::npos);
    CHECK(error.find("waits for system.nic_a.tx.compressor") != std::string::npos);
    // Background traffic that goes on does not hide that the workload does not.
    std::string const hidden = error_of(crowded(still));
    INFO(hidden);
    CHECK(hidden.find("no packet of the workload was completed for 200 us") != std::string::npos);
}

TEST_CASE("no buffer of one, two or one less than its packets loses anything or stops", "[system][depth]") {
    ExperimentConfig const base = crowded();
    ExperimentConfig listed = base;
    ConfigRegistry registry = registry_of(listed);
    std::vector<std::string> buffers;
    for (Parameter const& parameter : registry.parameters()) {
        for (char const* key : {"slots", "tx_buffer", "rx_buffer", "engine_slots", "in_flight", "engines", "window",
                                "outstanding", "sequence_fifo", "tags"}) {
            if (parameter.key() == key) buffers.push_back(parameter.path);
        }
    }
    REQUIRE(buffers.size() >= 25);
    std::vector<std::vector<std::string>> settings;
    for (std::string const& buffer : buffers) {
        std::uint64_t const present = std::stoull(plain_text(*registry.find(buffer)));
        for (std::uint64_t const depth : {std::uint64_t{1}, std::uint64_t{2}, present - 1}) {
            if (depth >= 1 && depth < present) settings.push_back({buffer + "=" + std::to_string(depth)});
        }
    }
    // All of them at once, too.
    for (char const* depth : {"=1", "=2", "=3"}) {
        std::vector<std::string> all;
        for (std::string const& buffer : buffers) all.push_back(buffer + depth);
        settings.push_back(all);
        all.push_back("link.loss=0.05");
        settings.push_back(all);
    }
    for (auto const& values : settings) {
        CAPTURE(values.front(), values.size());
        ExperimentConfig config = base;
        set(config, values);
        check_whole(run_once(config));
    }
}

TEST_CASE("a run repeats to the byte", "[system][repeat]") {
    for (bool const trouble : {false, true}) {
        ExperimentConfig const config =
            crowded(trouble ? std::vector<std::string>{"link.loss=0.05", "nic.dma.pcie.read_jitter=50 ns"}
                            : std::vector<std::string>{});
        CHECK(run_once(config).to_json() == run_once(config).to_json());
    }
}

TEST_CASE("sizes and work counts alone give the numbers of the bytes", "[system][sizes]") {
    for (char const* codec : {"lz4", "zstd"}) {
        ExperimentConfig config = crowded({std::string("nic.algorithm.codec=") + codec});
        StatsTable const bytes = run_once(config);
        config.run.payload = PayloadMode::sizes;
        CHECK(run_once(config).to_json() == bytes.to_json());
    }
}
