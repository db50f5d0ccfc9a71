#include <cstring>
#include <deque>

#include "base/error.h"
#include "nic/dma_reader.h"
#include "nic/receiver.h"
#include "nic/sender.h"
#include "support/stream_bench.h"

using namespace netzip;
using namespace netzip::literals;
using namespace netzip::test;

namespace {

ByteBuffer const kBytes(16 * 4096, 0x5a);

/// Messages of one packet, at given times.
class ListSource : public MessageSource {
public:
    explicit ListSource(std::vector<Duration> times) : times_(std::move(times)) {}
    bool next(Message& message) override {
        if (given_ == times_.size()) return false;
        message = Message{};
        message.id = given_;
        message.name = "weights";
        message.kind = "gradient";
        message.iteration = 3;
        message.not_before = times_[given_++];
        message.bytes = std::span(kBytes).first(4096);
        return true;
    }
    WorkloadTotals totals() const override { return {times_.size(), Bytes{4096 * times_.size()}, 1}; }

private:
    std::vector<Duration> times_;
    std::size_t given_ = 0;
};

/// A sender in front of a NIC that only notes the times of its doorbells.
struct SenderBench {
    struct Bell : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
        tlm::tlm_target_socket<64> in{"in"};
        std::vector<Duration> rung;
        explicit Bell(sc_core::sc_module_name name) : sc_module(name) { in.bind(*this); }
        tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& write, tlm::tlm_phase&,
                                           sc_core::sc_time&) override {
            rung.push_back(now());
            write.set_response_status(tlm::TLM_OK_RESPONSE);
            return tlm::TLM_COMPLETED;
        }
        void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
        bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
        unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
    };
    struct NoMemory : sc_core::sc_module {
        MemoryPort port{"port"};
        explicit NoMemory(sc_core::sc_module_name name) : sc_module(name) {}
    };

    Sim sim;
    MessageTable table;
    ListSource source;
    ListSource background_source;
    Bell bell{"bell"};
    NoMemory reads{"reads"};
    NoMemory writes{"writes"};
    Sender sender;

    SenderBench(WorkloadConfig const& workload, std::vector<Duration> times, std::vector<Duration> background = {})
        : source(std::move(times)),
          background_source(std::move(background)),
          sender("sender", no_latency(), workload, 4096_B, source, &background_source, table,
                 [](std::uint32_t) { return std::uint64_t{0}; }) {
        sender.doorbell.bind(bell.in);
        reads.port.bind(sender.memory.read_port);
        writes.port.bind(sender.memory.write_port);
    }
    static HostConfig no_latency() {
        HostConfig host;
        host.write_latency = 0_ns;
        return host;
    }
    void run_until(Duration time) { sc_core::sc_start(to_sc_time(time - now())); }
    void acknowledge(std::uint32_t slot, Duration seen) {
        PacketTag tag;
        tag.message = slot;
        sender.acknowledged(tag, seen);
        sender.finished(slot);
    }
};

}  // namespace

TEST_CASE("closed replay posts the next message when a completion is seen", "[host]") {
    WorkloadConfig workload;
    workload.outstanding = 2;
    SenderBench bench(workload, std::vector<Duration>(5));
    bench.run_until(10_ns);
    CHECK(bench.bell.rung == std::vector{0_ns, 0_ns});
    // Two acknowledgements at once: each completion lets one message go, at its own time.
    bench.acknowledge(0, 110_ns);
    bench.acknowledge(1, 150_ns);
    bench.run_until(109_ns);
    CHECK(bench.bell.rung.size() == 2);
    bench.run_until(149_ns);
    CHECK(bench.bell.rung == std::vector{0_ns, 0_ns, 110_ns});
    bench.run_until(200_ns);
    CHECK(bench.bell.rung == std::vector{0_ns, 0_ns, 110_ns, 150_ns});
    CHECK(bench.sender.outstanding() == 2);
    CHECK_FALSE(bench.sender.done());
    bench.acknowledge(0, 300_ns);
    bench.acknowledge(1, 300_ns);
    bench.run_until(400_ns);
    CHECK(bench.bell.rung.size() == 5);
    CHECK(bench.sender.posted() == 5);
    CHECK(bench.sender.posted_bytes() == Bytes{5 * 4096});
    bench.acknowledge(0, 500_ns);
    bench.run_until(600_ns);
    CHECK(bench.sender.done());
    CHECK(bench.table.in_use() == 0);
}

TEST_CASE("open replay posts at the messages' own times, whatever the NIC does", "[host]") {
    WorkloadConfig workload;
    workload.replay = ReplayMode::open;
    workload.outstanding = 1;
    SenderBench bench(workload, {5_ns, 5_ns, 1_us, 2_us});
    bench.run_until(1_ms);
    CHECK(bench.bell.rung == std::vector{5_ns, 5_ns, 1_us, 2_us});
    CHECK_FALSE(bench.sender.done());
}

TEST_CASE("background traffic does not count as outstanding and ends with the workload", "[host]") {
    WorkloadConfig workload;
    workload.outstanding = 1;
    SenderBench bench(workload, {0_ns}, {0_ns, 1_us, 2_us, 3_us, 4_us});
    bench.run_until(1500_ns);
    CHECK(bench.sender.posted() == 1);
    CHECK(bench.bell.rung.size() == 3);
    CHECK(bench.table.in_use() == 3);
    // The workload's message ends at 2.5 us: nothing more comes from the background.
    bench.acknowledge(bench.table.at(0).background ? 1 : 0, 2500_ns);
    bench.run_until(10_us);
    CHECK(bench.bell.rung == std::vector{0_ns, 0_ns, 1_us, 2_us});
    CHECK(bench.sender.done());
}

namespace {

struct ReceiverBench {
    Sim sim;
    MessageTable table;
    Receiver receiver;
    std::uint32_t slot;

    ReceiverBench() : receiver("receiver", {}, table, 4096_B, nullptr), slot(table.take()) {
        Message& message = table.at(slot).message;
        message.name = "weights";
        message.kind = "gradient";
        message.iteration = 3;
        message.bytes = kBytes;
        receiver.prepare(slot);
    }
    ~ReceiverBench() { CHECK(sim.pool.live() == 0); }

    void arrive(std::uint32_t index) {
        Payload& payload = sim.pool.take();
        PacketTag& tag = tag_of(payload);
        tag.message = slot;
        tag.index = index;
        tag.tensor_offset = 65536 + index * 4096;
        tag.original_size = 4096;
        payload.set_data_length(4096);
        tag.compress = true;
        receiver.packet_done(payload, 0_ns);
        payload.release();
    }
    void receive(std::uint32_t index) {
        std::memcpy(table.at(slot).received.data() + index * 4096, kBytes.data(), 4096);
        arrive(index);
    }
};

}  // namespace

TEST_CASE("a receiver compares every value and names the first that differs", "[host]") {
    ReceiverBench bench;
    bench.receive(0);
    CHECK(bench.receiver.mismatched_values() == 0);
    std::memcpy(bench.table.at(bench.slot).received.data() + 4096, kBytes.data(), 4096);
    bench.table.at(bench.slot).received[4096 + 7] ^= 0x80;
    bench.arrive(1);
    CHECK(bench.receiver.mismatched_values() == 1);
    CHECK(bench.receiver.compared_values() == 4096);
    // Byte 65536 + 4096 + 7 of the tensor: element 34819, the high byte; packet 17 of the tensor.
    CHECK(bench.receiver.first_mismatch() ==
          "tensor \"weights\" (iteration 3), packet 17, element 34819: sent 0x5a5a, received 0xda5a");
    // A packet of which nothing reached memory differs everywhere.
    bench.arrive(2);
    CHECK(bench.receiver.mismatched_values() == 1 + 2048);
}

TEST_CASE("a message that arrives twice or in another size is an error", "[host]") {
    ReceiverBench bench;
    for (std::uint32_t i = 0; i < 16; ++i) {
        CHECK_FALSE(bench.receiver.complete(bench.slot));
        bench.receive(i);
    }
    CHECK(bench.receiver.complete(bench.slot));
    bench.receive(0);
    CHECK_THROWS_AS(bench.receiver.complete(bench.slot), RunError);

    Payload& payload = bench.sim.pool.take();
    tag_of(payload).original_size = 4096;
    payload.set_data_length(4095);
    CHECK_THROWS_WITH(bench.receiver.packet_done(payload, 0_ns),
                      Catch::Contains("came back as 4095 B, expected 4096 B"));
    payload.release();
}
