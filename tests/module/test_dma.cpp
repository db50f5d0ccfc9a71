#include <cstring>
#include <map>

#include "base/error.h"
#include "nic/dma_reader.h"
#include "nic/dma_writer.h"
#include "nic/doorbell.h"
#include "nic/host_memory.h"
#include "support/stream_bench.h"

using namespace netzip;
using namespace netzip::literals;
using namespace netzip::test;

namespace {

constexpr Frequency kClock{1'000'000'000};

DmaConfig dma_config() {
    DmaConfig config;
    config.pcie.read_jitter = 0_ns;
    return config;
}

ByteBuffer pattern(std::size_t size, std::size_t seed = 1) {
    ByteBuffer bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>((i * 31 + seed * 17) >> 1);
    return bytes;
}

/// Ports stand in modules.
struct MemoryUser : sc_core::sc_module {
    MemoryPort port{"port"};
    explicit MemoryUser(sc_core::sc_module_name name) : sc_module(name) {}
};
struct Processor : sc_core::sc_module {
    Doorbell doorbell{"doorbell"};
    explicit Processor(sc_core::sc_module_name name) : sc_module(name) {}
};

struct ReadBench {
    Sim sim;
    HostConfig host;
    HostMemory memory;
    MemoryUser writes{"writes"};
    Processor processor{"processor"};
    Doorbell& doorbell = processor.doorbell;
    DmaReader reader;
    PacketSink sink{"sink"};
    std::vector<ByteBuffer> data;
    std::vector<ByteBuffer> entries;

    explicit ReadBench(DmaConfig const& config = dma_config())
        : memory("memory", host), reader("reader", config, kClock, 4096_B, sim.pool, true) {
        doorbell.bind(reader.doorbell);
        reader.memory.bind(memory.read_port);
        writes.port.bind(memory.write_port);
        reader.out.bind(sink.in);
        data.reserve(100);
        entries.reserve(100);
    }
    /// Registers a message and its descriptor; returns the descriptor's address.
    std::uint64_t post(std::size_t size, std::uint16_t queue_pair = 0) {
        std::uint64_t const n = data.size();
        data.push_back(pattern(size, n));
        WorkDescriptor descriptor;
        descriptor.source_address = memory.register_source(2 * n, data.back().data(), size);
        descriptor.target_address = 0x700000000 + n * 0x100000;
        descriptor.length = static_cast<std::uint32_t>(size);
        descriptor.message = static_cast<std::uint32_t>(n);
        descriptor.queue_pair = queue_pair;
        descriptor.tensor_offset = 8192;
        descriptor.compress = 1;
        descriptor.layer = 77;
        entries.emplace_back(WorkDescriptor::kBytes);
        descriptor.write_to(entries.back().data());
        return memory.register_source(2 * n + 1, entries.back().data(), entries.back().size());
    }
};

}  // namespace

TEST_CASE("a message becomes packets of the path MTU with its bytes, addresses and flags", "[dma]") {
    ReadBench bench;
    bench.doorbell.ring(bench.post(10000));
    bench.sim.run();
    REQUIRE(bench.sink.arrivals.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        Arrival const& packet = bench.sink.arrivals[i];
        std::size_t const size = i < 2 ? 4096 : 1808;
        ByteBuffer const& message = bench.data[0];
        CHECK(packet.data == ByteBuffer(message.begin() + static_cast<long>(i * 4096),
                                        message.begin() + static_cast<long>(i * 4096 + size)));
        CHECK(packet.tag.original_size == size);
        CHECK(packet.tag.index == i);
        CHECK(packet.tag.qp_sequence == i);
        CHECK(packet.tag.first_of_message == (i == 0));
        CHECK(packet.tag.last_of_message == (i == 2));
        CHECK(packet.tag.tensor_offset == 8192 + i * 4096);
        CHECK(packet.tag.target_address == 0x700000000 + i * 4096);
        CHECK(packet.tag.layer == 77);
        CHECK(packet.tag.compress);
        CHECK(packet.tag.birth == packet.head);
    }
}

// Doorbell, descriptor, then the packet's own read: the model of the link tells both, and they add up at clock edges.
TEST_CASE("an idle DMA engine takes a doorbell, a descriptor read and a packet read", "[dma]") {
    DmaConfig const config = dma_config();
    ReadBench bench(config);
    bench.doorbell.ring(bench.post(4096));
    bench.sim.run();
    PcieTimer pcie(config.pcie);
    ClockDomain const clock(kClock);
    Duration const ready = pcie.read(config.pcie.doorbell, config.pcie.descriptor, bench.host.read_latency).tail;
    TransferTimes const packet = pcie.read(ready, 4096_B, bench.host.read_latency);
    CHECK(bench.sink.arrivals.at(0).head == clock.edge_at_or_after(packet.head));
    CHECK(bench.sink.arrivals.at(0).tail == clock.edge_at_or_after(packet.tail));
    // A doorbell of 250 ns, twice 550 ns behind a request of 24 B, then 64 + 20 B, and 4096 + 16 * 20 B.
    double const bits = (2 * 24 + 84 + 4416) * 8;
    double const rate = static_cast<double>(config.pcie.packet_rate().count()) * 1e-9;
    CHECK(to_nanoseconds(packet.tail) == Approx(250 + 2 * 550 + bits / rate).margin(0.001));
}

TEST_CASE("a descriptor that comes with the doorbell saves its read", "[dma]") {
    auto const head = [](bool inline_descriptors) {
        DmaConfig config = dma_config();
        config.pcie.inline_descriptors = inline_descriptors;
        ReadBench bench(config);
        bench.doorbell.ring(bench.post(4096));
        bench.sim.run();
        return bench.sink.arrivals.at(0).head;
    };
    // 400 + 150 ns, a request of 24 B and a completion of 84 B at about 123 Gb/s.
    CHECK(to_nanoseconds(head(false) - head(true)) == Approx(550 + 108 * 8 / 123.0).margin(1.5));
}

TEST_CASE("queue pairs take turns, a packet each, and keep their own order", "[dma]") {
    ReadBench bench;
    for (std::uint16_t const pair : {3, 3, 5, 0}) bench.doorbell.ring(bench.post(64 * 4096, pair));
    bench.sim.run();
    REQUIRE(bench.sink.arrivals.size() == 256);
    std::map<int, std::uint64_t> next;
    for (Arrival const& packet : bench.sink.arrivals) CHECK(packet.tag.qp_sequence == next[packet.tag.queue_pair]++);
    // Once all descriptors are here the three queue pairs alternate.
    for (std::size_t i = 40; i < 120; ++i) {
        CHECK(bench.sink.arrivals[i].tag.queue_pair != bench.sink.arrivals[i + 1].tag.queue_pair);
    }
}

// The sink takes nothing for a millisecond: one packet is at its door, and the buffer fills behind it.
TEST_CASE("the DMA engine reads ahead as many packets as the transmit buffer holds", "[dma]") {
    for (std::uint64_t const buffer : {1, 2, 31}) {
        DmaConfig config = dma_config();
        config.tx_buffer = buffer;
        ReadBench bench(config);
        bench.sink.ready = [](std::size_t n) { return n == 1 ? 1_ms : 0_ns; };
        for (int i = 0; i < 2; ++i) bench.doorbell.ring(bench.post(64 * 4096));
        sc_core::sc_start(900, sc_core::SC_US);
        CHECK(bench.sim.pool.live() == buffer);
        bench.sim.run();
        CHECK(bench.sink.arrivals.size() == 128);
        CHECK(bench.reader.stats().most_inside <= buffer);
        CHECK(bench.reader.stats().inside == 0);
    }
}

TEST_CASE("an address that nobody registered stops the run with its name", "[dma]") {
    ReadBench bench;
    bench.doorbell.ring(0x123400000000);
    std::string message;
    try {
        sc_core::sc_start();
    } catch (sc_core::sc_report const& report) {
        message = report.get_msg();
    }
    CHECK(message.find("TLM_ADDRESS_ERROR_RESPONSE at address " + std::to_string(0x123400000000)) != std::string::npos);
}

TEST_CASE("host memory guards its regions and is open to loaders without time", "[dma]") {
    Sim sim;
    HostConfig config;
    HostMemory memory("memory", config);
    MemoryUser reader("reader");
    MemoryUser writer("writer");
    reader.port.bind(memory.read_port);
    writer.port.bind(memory.write_port);
    ByteBuffer source = pattern(256);
    ByteBuffer target(128);
    std::uint64_t const from = memory.register_source(4, source.data(), source.size());
    std::uint64_t const to = memory.register_target(9, target.data(), target.size());
    sc_core::sc_start(1, sc_core::SC_NS);

    ByteBuffer got(16);
    CHECK(reader.port.read(from + 100, got.data(), 16, 5_us) == config.read_latency);
    CHECK(std::memcmp(got.data(), source.data() + 100, 16) == 0);
    CHECK(writer.port.write(to + 112, got.data(), 16, now()) == config.write_latency);
    CHECK(std::memcmp(target.data() + 112, got.data(), 16) == 0);
    CHECK_THROWS_AS(writer.port.write(to + 113, got.data(), 16, now()), RunError);
    CHECK_THROWS_AS(writer.port.write(from, got.data(), 16, now()), RunError);  // only the host writes there
    CHECK_THROWS_AS(reader.port.read(from + 241, got.data(), 16, now()), RunError);

    tlm::tlm_generic_payload load;
    load.set_command(tlm::TLM_READ_COMMAND);
    load.set_address(to + 112);
    load.set_data_ptr(got.data());
    load.set_data_length(16);
    CHECK(reader.port->transport_dbg(load) == 16);
    memory.forget(9);
    CHECK(reader.port->transport_dbg(load) == 0);
    CHECK_THROWS_AS(writer.port.write(to, got.data(), 16, now()), RunError);
}

namespace {

struct WriteBench {
    Sim sim;
    HostConfig host;
    HostMemory memory;
    MemoryUser reads{"reads"};
    PacketSource source;
    ByteBuffer target;
    std::vector<Duration> complete;
    DmaWriter writer;

    WriteBench(DmaConfig const& config, std::vector<Offer> offers)
        : memory("memory", host),
          source("source", sim.pool, std::move(offers)),
          target(1 << 20),
          writer("writer", config, [this](Payload&, Duration at) { complete.push_back(at); }) {
        source.out.bind(writer.in);
        writer.memory.bind(memory.write_port);
        reads.port.bind(memory.read_port);
        memory.register_target(0, target.data(), target.size());
    }
};

Offer write_of(std::uint64_t address, Duration head, Duration tail) {
    Offer offer{head, tail, 4096};
    offer.tag.target_address = address;
    offer.data = pattern(4096, address / 4096);
    return offer;
}

}  // namespace

// 4096 B as 16 packets of 256 + 24 B at the rate of the link, then 200 ns to the memory and 100 ns in it.
TEST_CASE("a packet is complete when its last byte is visible in memory", "[dma]") {
    DmaConfig const config = dma_config();
    WriteBench bench(config, {write_of(0, 10_ns, 100_ns), write_of(4096, 100_ns, 164_ns)});
    bench.sim.run();
    // The engine starts a packet every 256 B at 128 Gb/s = 16 ns; the link takes longer: 280 B.
    Duration const packet = transfer_time(280_B, config.pcie.packet_rate());
    REQUIRE(packet > 16_ns);
    CHECK(bench.complete == std::vector{100_ns + packet * 16 + 300_ns, 100_ns + packet * 32 + 300_ns});
    for (std::uint64_t i = 0; i < 2; ++i) {
        ByteBuffer const expected = pattern(4096, i);
        CHECK(std::memcmp(bench.target.data() + i * 4096, expected.data(), 4096) == 0);
    }
    CHECK(bench.writer.stats().packets_out == 2);
}

TEST_CASE("a receive buffer holds up its sender when it is full", "[dma]") {
    for (std::uint64_t const buffer : {1, 2, 3, 7}) {
        DmaConfig config = dma_config();
        config.rx_buffer = buffer;
        std::vector<Offer> offers;
        for (std::uint64_t i = 0; i < 8; ++i) offers.push_back(write_of(i * 4096, 0_ns, 0_ns));
        WriteBench bench(config, offers);
        bench.sim.run();
        Duration const write = transfer_time(280_B, config.pcie.packet_rate()) * 16;
        for (std::uint64_t i = 0; i < 8; ++i) {
            CHECK(bench.source.sent[i] == (i < buffer ? 0_ns : write * (i - buffer + 1)));
            CHECK(bench.complete[i] == write * (i + 1) + 300_ns);
        }
    }
}

TEST_CASE("a pool hands out clean payloads, knows how many live, and copies deeply", "[pool]") {
    PayloadPool pool;
    Payload& first = pool.take();
    tag_of(first).queue_pair = 9;
    PayloadPool::bytes_of(first).current = pattern(100);
    PayloadPool::publish(first);
    Payload& copy = pool.clone(first);
    CHECK(pool.live() == 2);
    CHECK(tag_of(copy).queue_pair == 9);
    CHECK(copy.get_data_ptr() != first.get_data_ptr());
    CHECK(PayloadPool::bytes_of(copy).current == pattern(100));

    first.acquire();  // two keep it
    first.release();
    CHECK(pool.live() == 2);
    first.release();
    CHECK(pool.live() == 1);
    Payload& again = pool.take();
    CHECK(&again == &first);
    CHECK(tag_of(again).queue_pair == 0);
    CHECK(again.get_data_length() == 0);
    CHECK(PayloadPool::bytes_of(again).current.empty());
    // Without bytes only the size is copied.
    again.set_data_length(777);
    Payload& sized = pool.clone(again);
    CHECK(sized.get_data_length() == 777);
    for (Payload* payload : {&copy, &again, &sized}) payload->release();
    CHECK(pool.live() == 0);
}
