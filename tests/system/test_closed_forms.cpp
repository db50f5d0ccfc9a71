#include "models/timing/pcie.h"
#include "support/catch.h"
#include "support/experiment.h"

using namespace netzip;
using namespace netzip::literals;
using namespace netzip::test;

namespace {

ExperimentConfig one_packet(ExperimentConfig config) {
    config.workload.synthetic.tensors = 1;
    config.workload.synthetic.tensor_size = 4096_B;
    return config;
}

Duration up_to_edge(Duration time) {
    return ClockDomain(1_GHz).edge_at_or_after(time);
}

/// Head to tail of 4096 B out of the DMA engine: eight completions of 512 + 2 * 20 B; both ends at edges of its clock.
Duration dma_stream(ExperimentConfig const& config) {
    PcieTimer pcie(config.nic.dma.pcie);
    Duration const ready = pcie.read(config.nic.dma.pcie.doorbell, 64_B, config.host.read_latency).tail;
    TransferTimes const read = pcie.read(ready, 4096_B, config.host.read_latency);
    return up_to_edge(read.tail) - up_to_edge(read.head);
}

/// 4096 B as 16 writes of 256 + 24 B, 200 ns to the memory, 100 ns in it.
Duration dma_write(ExperimentConfig const& config) {
    return transfer_time(280_B, config.nic.dma.pcie.packet_rate()) * 16 + 200_ns + 100_ns;
}

}  // namespace

TEST_CASE("a packet through two idle plain NICs takes the sum of its terms", "[system][latency]") {
    ExperimentConfig const config = one_packet(plain_experiment());
    StatsTable const stats = run_once(config);
    Duration const stream = dma_stream(config);
    Duration const frame = transfer_time(Bytes{4096 + 16 + 82}, 50_Gbps);  // 671.04 ns, slower than the DMA engine
    REQUIRE(stream < frame);
    Duration const on_wire = 30_ns + frame;                        // headers, 30 cycles; serialisation
    Duration const checked = up_to_edge(on_wire + 25_ns) + 30_ns;  // flight; whole packet, then 30 cycles
    Duration const in_nic = checked + 64_ns;                       // 64 beats
    CHECK(stats.number("latency.packet.max") == Approx(to_nanoseconds(in_nic + dma_write(config))).margin(1e-6));
    CHECK(stats.number("latency.station.protocol_rx.mean") == to_nanoseconds(in_nic - on_wire - 25_ns));
}

TEST_CASE("a packet through two idle NetZIP NICs takes the sum of its terms", "[system][latency]") {
    ExperimentConfig const config = one_packet(small_experiment());
    StatsTable const stats = run_once(config);
    REQUIRE(stats.number("summary.raw_packets") == 0);
    auto const payload = static_cast<std::uint64_t>(stats.number("summary.wire_payload_bytes"));  // with 2 B of header
    std::uint64_t const small = beats(payload - 2, 64).count();
    auto const cycles = [](std::uint64_t n) { return 1_ns * n; };

    // Transmit. Cut-through stages add their depth to head and tail; the staging buffer waits for the tail.
    Duration tail = dma_stream(config) + cycles(4 + 10);  // demultiplexer, delta encoder
    Duration head = tail + cycles(6 + 6);                 // staging buffer, grouper
    tail = head + cycles(64);
    // To the engine; packet in 64, window known 6; codes of 64 rows; 6 until the header leaves, then 32 pieces of
    // rests, 12 of codes and the escapes; 4 from the first complete beat, 5 to the end of the last one.
    Duration const header = tail + cycles(8 + 6 + 64 + 6);
    std::uint64_t const block = payload - 4;  // without the headers of the packet and of the block
    std::uint64_t const fixed = 2 + 2048 + 768;
    std::uint64_t const last = (block - fixed) % 64;
    REQUIRE(last > 0);
    bool const overflow = (block - last) % 64 + last > 64;
    Duration const complete =
        header + cycles(32 + 12 + beats(block - fixed, 64).count()) + cycles(4 + 1 + (overflow ? 1 : 0));
    Duration const merged = complete + cycles(small) + cycles(9);  // collected; size check
    CHECK(stats.number("latency.compress_first_byte.max") == to_nanoseconds(header + cycles(1 + 4)));
    head = merged + cycles(12 + 4 + 30);  // slices, multiplexer, headers
    // The wire.
    Bytes const frame{(payload + 3) / 4 * 4 + 16 + 82};
    Duration const arrived = up_to_edge(head + transfer_time(frame, 50_Gbps) + 25_ns);
    // Receive: check of the whole; demultiplexer.
    head = arrived + cycles(30 + 4);
    tail = head + cycles(small);
    // The engine takes the whole block, then restores 64 B per cycle; the packet leaves when it is complete.
    Duration const restored = tail + cycles(4) + cycles(64) + cycles(5);
    CHECK(stats.number("latency.decompress_first_byte.max") == to_nanoseconds(cycles(4 + 4 + small + 5)));
    head = restored + cycles(64) + cycles(6);  // ungrouping buffer
    head += cycles(6 + 6 + 4 + 4);             // ungrouper, delta decoder, slices, multiplexer
    tail = head + cycles(64);
    CHECK(stats.number("latency.packet.max") == Approx(to_nanoseconds(tail + dma_write(config))).margin(1e-6));
}

// A stage of w bytes per cycle needs ceil(4096 / w) ns per packet at 1 GHz. All others need at most 64 ns, the link
// 82 ns at 400 Gb/s; PCI Express of generation 5 reads and writes a packet in 70 to 80 ns.
TEST_CASE("throughput is that of the slowest stage", "[system][throughput]") {
    ExperimentConfig base = small_experiment();
    set(base, {"link.rate=400 Gb/s", "nic.dma.pcie.generation=5", "nic.dma.pcie.mps=512 B", "nic.dma.pcie.mrrs=4096 B",
               "nic.dma.pcie.read_engine=800 Gb/s", "nic.dma.pcie.write_engine=800 Gb/s", "nic.protocol.window=1000",
               "workload.outstanding=32"});
    for (char const* stage : {"delta_encoder", "staging_buffer", "grouper", "ungrouping_buffer", "ungrouper",
                              "delta_decoder", "rx_slices", "rx_mux", "tx_demux"}) {
        for (std::uint64_t const width : {15, 4}) {
            CAPTURE(stage, width);
            ExperimentConfig config = base;
            set(config, {"nic." + std::string(stage) + ".width=" + std::to_string(width) + " B"});
            double const expected = 4.0 * static_cast<double>(beats(4096, width).count());
            CHECK(time_per_tensor(config, 16, 48) == Approx(expected).epsilon(0.002));
        }
    }
    // One engine of an exponent codec at 4 B/cycle; two of them.
    for (std::uint64_t const engines : {1, 2}) {
        ExperimentConfig config = base;
        set(config, {"nic.compressor.exponent.bytes_per_cycle=4", "nic.compressor.exponent.slots=4",
                     "nic.compressor.engines=" + std::to_string(engines)});
        // The coder takes a cycle per row and one per packet.
        CHECK(time_per_tensor(config, 16, 48) == Approx(4.0 * 1025 / static_cast<double>(engines)).epsilon(0.002));
    }
}

// A block of 4096 B takes an engine 4096 + 69 cycles at 1 B/cycle: at 300 MHz 22 engines carry
// 22 * 4096 * 8 * 300e6 / 4165 = 51.93 Gb/s, 21 carry 49.57 Gb/s. Random bits are all literals: one run, whose token is
// known when it has ended. With a literal FIFO of just that run the next block waits for the token: 69 + 14 + 8 + 5 + 3
// cycles of matching, 1 + 17 bytes of token; 51.33 and 48.9996 Gb/s.
TEST_CASE("22 engines at 300 MHz carry 50 Gb/s and 21 do not", "[system][throughput]") {
    auto const rate = [](std::uint64_t engines, Bytes literal_fifo) {
        ExperimentConfig config;
        config.link.rate = 400_Gbps;
        config.nic.compressor.engines = engines;
        config.nic.algorithm.lz.literal_fifo = literal_fifo;
        config.workload.source = WorkloadSource::synthetic;
        config.workload.iterations = 1;
        config.workload.synthetic.values = SyntheticValues::random;
        config.workload.synthetic.tensor_size = Bytes{16 * 1024};
        config.workload.outstanding = 64;
        return 16 * 1024 * 8 / time_per_tensor(config, engines * 2, engines * 6);
    };
    CHECK(rate(22, 8_KiB) == Approx(22 * 4096 * 8 * 0.3 / (4096 + 69)).epsilon(0.001));
    CHECK(rate(21, 8_KiB) == Approx(21 * 4096 * 8 * 0.3 / (4096 + 69)).epsilon(0.001));
    CHECK(rate(22, 4_KiB) == Approx(22 * 4096 * 8 * 0.3 / (4096 + 99 + 18)).epsilon(0.001));
    CHECK(rate(21, 4_KiB) == Approx(21 * 4096 * 8 * 0.3 / (4096 + 99 + 18)).epsilon(0.001));
}

// 128 packets of 4096 + 82 B and one extended header of 16 B per message of 512 KiB.
TEST_CASE("goodput is the line rate less 82 B per packet and 16 B per message", "[system][throughput]") {
    for (Frequency const clock : {300_MHz, 1_GHz}) {
        ExperimentConfig config = plain_experiment();
        config.nic.clock = clock;
        config.nic.protocol.window = 1000;
        config.workload.synthetic.tensor_size = Bytes{512 * 1024};
        double const expected = (128 * (4096 + 82) + 16) * 8 / 50.0;
        CHECK(time_per_tensor(config, 4, 10) == Approx(expected).epsilon(1e-5));
    }
}

TEST_CASE("the same design at two clocks takes the same cycles and times in proportion", "[system][clock]") {
    // Everything that is a time or a rate is halved or doubled with the clock; latencies are cycles.
    ExperimentConfig slow = small_experiment();
    slow.nic.algorithm = AlgorithmConfig{};  // LZ4 engines, whose cycles depend on the data
    set(slow, {"nic.clock=250 MHz", "link.rate=25 Gb/s", "link.propagation=48 ns", "host.read_latency=200 ns",
               "host.write_latency=120 ns", "nic.dma.pcie.doorbell=400 ns", "nic.dma.pcie.read_latency=400 ns",
               "nic.dma.pcie.write_latency=200 ns", "nic.dma.pcie.generation=3", "nic.dma.pcie.read_engine=64 Gb/s",
               "nic.dma.pcie.write_engine=64 Gb/s", "nic.protocol.ack_delay=2 us"});
    ExperimentConfig fast = slow;
    set(fast, {"nic.clock=500 MHz", "link.rate=50 Gb/s", "link.propagation=24 ns", "host.read_latency=100 ns",
               "host.write_latency=60 ns", "nic.dma.pcie.doorbell=200 ns", "nic.dma.pcie.read_latency=200 ns",
               "nic.dma.pcie.write_latency=100 ns", "nic.dma.pcie.generation=4", "nic.dma.pcie.read_engine=128 Gb/s",
               "nic.dma.pcie.write_engine=128 Gb/s", "nic.protocol.ack_delay=1 us"});
    StatsTable const a = run_once(slow);
    StatsTable const b = run_once(fast);
    std::size_t times = 0;
    for (auto const& [name, stat] : a.entries()) {
        if (stat.unit == "ns") {
            INFO(name);
            // A femtosecond of rounding per transfer.
            CHECK(a.number(name) == Approx(2 * b.number(name)).epsilon(1e-6));
            ++times;
        } else if (stat.unit == "1") {
            INFO(name);
            CHECK(a.number(name) == Approx(b.number(name)).epsilon(1e-6));
        }
    }
    CHECK(times > 30);
}

TEST_CASE("a long fibre adds its flight to the latency and takes nothing from the throughput", "[system][throughput]") {
    ExperimentConfig config = small_experiment();
    config.nic.protocol.window = 10000;
    config.nic.protocol.timeout = 1_ms;
    config.workload.outstanding = 1000;
    double const near = time_per_tensor(config, 16, 64);
    double const near_latency = run_once(config).number("latency.packet.min");
    config.link.propagation = 100_us;
    config.run.watchdog = 10_ms;
    CHECK(time_per_tensor(config, 16, 64) == Approx(near).epsilon(1e-4));
    CHECK(run_once(config).number("latency.packet.min") == Approx(near_latency + 100'000 - 25).margin(1.0));
}

TEST_CASE("identical tensors on an idle pipeline have identical latency", "[system][latency]") {
    ExperimentConfig config = one_packet(small_experiment());
    config.workload.synthetic.tensors = 20;
    config.workload.synthetic.values = SyntheticValues::zeros;
    config.workload.replay = ReplayMode::open;
    config.workload.rate = BitRate{4096 * 8 * 100'000ull};  // a packet every 10 us
    StatsTable const stats = run_once(config);
    CHECK(stats.number("latency.packet.count") == 20);
    CHECK(stats.number("latency.packet.min") == stats.number("latency.packet.max"));
}
