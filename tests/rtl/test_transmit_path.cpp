// The whole transmit path in RTL against the simulator's SystemC transmit path, on recorded packets.
#include <memory>
#include <numeric>

#include "Vtransmit_path.h"
#include "models/packet_codec.h"
#include "models/transform/delta.h"
#include "models/transform/grouping.h"
#include "nic/transmit_path.h"
#include "packets.h"
#include "pipeline/payload_work.h"
#include "support/catch.h"
#include "support/recordings.h"

using namespace netzip;
using namespace netzip::rtl;

namespace {

constexpr std::size_t kPacket = 4096;
constexpr std::uint64_t kEngines = 4;

/// The design of sv/transmit_path.sv as a configuration of the simulator.
NicConfig rtl_design() {
    auto const stage = [](std::uint64_t latency, Admission admission, std::uint64_t slots) {
        StageConfig config;
        config.latency = Cycles{latency};
        config.admission = admission;
        config.slots = slots;
        config.release_early = Cycles{0};
        return config;
    };
    NicConfig c;
    c.algorithm.delta = DeltaKind::min_previous;
    c.algorithm.grouping = GroupingKind::bit;
    c.algorithm.codec = CodecKind::lz4_hw;
    LzEngineConfig& lz = c.algorithm.lz;
    lz.hash_bits = 10;
    lz.candidates = 1;
    lz.candidate_bytes = 4;
    lz.history = Bytes{8192};
    lz.literal_fifo = Bytes{65536};
    lz.sequence_fifo = 256;
    lz.epoch_bits = 8;
    lz.tail_literals = Bytes{5};
    lz.minimum_distance = Bytes{1};

    Cycles const none{0};
    c.tx_demux = stage(0, Admission::cut_through, 1);
    c.delta_encoder = stage(5, Admission::cut_through, 1);
    c.staging_buffer = stage(3, Admission::store_and_forward, 2);
    c.staging_buffer.release_early = Cycles{3};
    c.grouper = stage(0, Admission::cut_through, 1);
    CompressorConfig& bank = c.compressor;
    bank.engines = kEngines;
    bank.order = ResultOrder::global;
    bank.distribute = Cycles{3};
    bank.window_fill = bank.match_filter = bank.booster = bank.sequence_split = bank.formatter = none;
    bank.matcher = Cycles{3};
    bank.lookahead = 3;
    bank.packer = none;  // the length before a payload delays its first byte by 2 cycles, seldom its last
    bank.block_gap = none;
    c.merge = stage(4, Admission::cut_through, 1);  // base 2, read 1, select 1
    c.tx_slices = stage(0, Admission::cut_through, 1);
    c.tx_mux = stage(0, Admission::cut_through, 1);
    return c;
}

struct PathPacket {
    StreamPacket stream;
    std::uint64_t tensor_offset = 0;
};

struct PathResult {
    std::vector<ByteBuffer> payloads;
    std::vector<std::uint64_t> tails;  ///< cycle after the last beat
};

class Source : public sc_core::sc_module, private StreamSource {
public:
    StreamOutput out{"out", *this};

    Source(sc_core::sc_module_name name, PayloadPool& pool, std::vector<PathPacket> const& packets,
           ClockDomain const& clock)
        : sc_module(name), pool_(pool), packets_(packets), clock_(clock) {
        SC_HAS_PROCESS(Source);
        SC_METHOD(offer);
    }

private:
    void offer() {
        for (; next_ < packets_.size(); ++next_) {
            PathPacket const& p = packets_[next_];
            Duration const at = clock_.edge(p.stream.offer);
            if (at > now()) return next_trigger(to_sc_time(at - now()));
            Payload& payload = pool_.take();
            PayloadPool::bytes_of(payload).current = p.stream.data;
            PayloadPool::publish(payload);
            PacketTag& tag = tag_of(payload);
            tag.serial = tag.qp_sequence = next_;
            tag.original_size = static_cast<std::uint32_t>(p.stream.data.size());
            tag.layer = p.stream.layer;
            tag.tensor_offset = p.tensor_offset;
            tag.compress = true;
            out.push(payload);
        }
    }
    Departure depart(StreamOutput&, Payload& payload, Duration sink_ready) override {
        std::uint64_t const offered = packets_[tag_of(payload).serial].stream.offer;
        std::uint64_t const head = std::max({offered, free_, clock_.index_at_or_after(sink_ready)});
        free_ = head + beats(payload.get_data_length(), kBeat).count();
        return {clock_.edge(head), clock_.edge(free_)};
    }

    PayloadPool& pool_;
    std::vector<PathPacket> const& packets_;
    ClockDomain const& clock_;
    std::size_t next_ = 0;
    std::uint64_t free_ = 0;
};

class Sink : public sc_core::sc_module, private StreamSink {
public:
    StreamInput in{"in", *this};
    PathResult result;

    Sink(sc_core::sc_module_name name, ClockDomain const& clock) : sc_module(name), clock_(clock) {}

private:
    void arrived(StreamInput&, Payload& payload, Duration head) override {
        result.payloads.push_back(PayloadPool::bytes_of(payload).current);
        result.tails.push_back(clock_.index_at_or_after(tag_of(payload).tail_at));
        payload.release();
        in.release(head);
    }
    ClockDomain const& clock_;
};

PathResult simulate(std::vector<PathPacket> const& packets) {
    sc_core::sc_get_curr_simcontext()->reset();
    set_time_resolution();
    NicConfig const config = rtl_design();
    ClockDomain const clock(config.clock);
    PayloadPool pool;
    BytesWork work(config.algorithm, config.base_registers);
    PathResult result;
    {
        Source source("source", pool, packets, clock);
        TransmitPath path("path", config, work);
        Sink sink("sink", clock);
        source.out.bind(path.in());
        path.out().bind(sink.in);
        sc_core::sc_start();
        result = sink.result;
    }
    CHECK(pool.live() == 0);
    return result;
}

PathResult run_rtl(std::vector<PathPacket> const& packets) {
    std::vector<StreamPacket> streams;
    for (PathPacket const& p : packets) streams.push_back(p.stream);
    auto const dut = std::make_unique<Vtransmit_path>();
    dut->s_by_bit = 1;
    constexpr std::uint64_t kClearing = 1100;
    for (StreamPacket& s : streams) s.offer += kClearing;
    PathResult result;
    for (StreamResult const& r : run_stream(*dut, streams, {}, 1)) {
        result.payloads.push_back(r.data);
        result.tails.push_back(r.stamps.tail_out - kClearing);
    }
    return result;
}

/// Packets of the second step of every tensor, after some of the first, which sets the base; only such as shrink.
std::vector<PathPacket> recorded_run(std::uint64_t gap) {
    std::vector<PathPacket> packets;
    PacketEncoder encoder(rtl_design().algorithm);
    std::uint16_t layer = 0;
    std::uint64_t offer = 0;
    Random random(51);
    for (RecordedPair const& pair : read_recordings(small_recordings())) {
        for (RecordedTensor const* tensor : {&pair.previous, &pair.current}) {
            for (std::size_t at = 0; at + kPacket <= std::min<std::size_t>(tensor->bytes.size(), 5 * kPacket);
                 at += kPacket) {
                PathPacket p;
                auto const begin = tensor->bytes.begin() + static_cast<std::ptrdiff_t>(at);
                p.stream.data.assign(begin, begin + kPacket);
                p.stream.layer = layer;
                p.stream.new_iteration = at == 0;
                p.tensor_offset = at;
                PacketContext context;
                context.layer = layer;
                context.first_of_tensor = at == 0;
                EncodedPacket encoded;
                encoder.encode(context, p.stream.data, encoded);
                REQUIRE_FALSE(encoded.raw);
                offer += gap == 0 ? 0 : gap / 2 + random.below(static_cast<std::uint32_t>(gap));
                p.stream.offer = offer;
                packets.push_back(std::move(p));
            }
        }
        ++layer;
    }
    return packets;
}

double mean_latency(std::vector<PathPacket> const& packets, std::vector<std::uint64_t> const& tails) {
    double sum = 0;
    for (std::size_t n = 0; n < packets.size(); ++n) sum += static_cast<double>(tails[n] - packets[n].stream.offer);
    return sum / static_cast<double>(packets.size());
}

}  // namespace

// Packets of very different lengths are complete in another order than they came.
TEST_CASE("payloads leave the RTL transmit path whole and in packet order, whatever stalls", "[rtl][transmit]") {
    AlgorithmConfig const algorithm = rtl_design().algorithm;
    for (Stalls const stalls : {Stalls{0, 0}, Stalls{60, 120}}) {
        Random random(52 + stalls.sink);
        std::vector<StreamPacket> packets(120);
        DeltaEncoder delta(algorithm.delta);
        PacketCompressor compressor(algorithm);
        std::vector<ByteBuffer> expected;
        for (StreamPacket& p : packets) {
            std::size_t const size = random.chance(128) ? 1 + random.below(300) : 1 + random.below(kPacket);
            p.data = adversarial_packet(random.next(), size, random);
            p.layer = static_cast<std::uint16_t>(random.below(5));
            p.new_iteration = random.chance(60);
            p.offer = 1100;
            PacketContext context;
            context.layer = p.layer;
            context.first_of_tensor = p.new_iteration;
            ByteBuffer data = p.data;
            DeltaBase const base = delta.encode(context, data);
            ByteBuffer grouped(data.size());
            group(algorithm.grouping, algorithm.group_order, DataType::bf16, data, grouped);
            CodecWork work;
            compressor.compress(context, grouped, base, expected.emplace_back(), work);
        }
        auto const dut = std::make_unique<Vtransmit_path>();
        dut->s_by_bit = 1;
        auto const out = run_stream(*dut, packets, stalls, 8);
        std::size_t wrong = 0;
        for (std::size_t n = 0; n < packets.size(); ++n) wrong += out[n].data != expected[n];
        CHECK(wrong == 0);
    }
}

TEST_CASE("the RTL transmit path and the SystemC transmit path agree on recorded packets within 1 %",
          "[rtl][transmit][timing]") {
    // Saturated, then at a mean gap of 1,500 cycles: about 70 % of what four engines take.
    for (std::uint64_t const gap : {0, 1500}) {
        std::vector<PathPacket> const packets = recorded_run(gap);
        REQUIRE(packets.size() > 150);
        PathResult const rtl = run_rtl(packets);
        PathResult const model = simulate(packets);
        REQUIRE(model.tails.size() == packets.size());
        std::size_t different = 0, same_time = 0, worst = 0;
        for (std::size_t n = 0; n < packets.size(); ++n) {
            different += rtl.payloads[n] != model.payloads[n];
            std::uint64_t const off = std::max(rtl.tails[n], model.tails[n]) - std::min(rtl.tails[n], model.tails[n]);
            same_time += off == 0;
            worst = std::max<std::size_t>(worst, off);
        }
        CHECK(different == 0);
        double const rtl_time = static_cast<double>(rtl.tails.back() - packets.front().stream.offer);
        double const model_time = static_cast<double>(model.tails.back() - packets.front().stream.offer);
        double const rtl_latency = mean_latency(packets, rtl.tails);
        double const model_latency = mean_latency(packets, model.tails);
        WARN("mean gap " << gap << ": " << packets.size() << " packets, " << rtl_time << " cycles in RTL, "
                         << model_time << " in SystemC; mean latency " << rtl_latency << " and " << model_latency
                         << "; " << same_time << " packets end in the same cycle, the others at most " << worst
                         << " apart");
        CHECK(model_time == Approx(rtl_time).epsilon(0.01));
        CHECK(model_latency == Approx(rtl_latency).epsilon(0.01));
    }
}
