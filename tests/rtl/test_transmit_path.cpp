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
constexpr unsigned kZeros = 0, kNoise = 7, kNormal = 8;  // kinds of adversarial_packet
constexpr std::uint64_t kClearing = 1100;                // cycles until the engines' tables are clear

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
    bank.packer = none;
    bank.block_gap = none;
    c.merge = stage(3, Admission::cut_through, 4);  // base 1, read 1, select 1; packets of one row follow each other
    c.tx_slices = stage(0, Admission::cut_through, 1);
    c.tx_bypass = stage(3, Admission::cut_through, 32);  // write 1, read 1, select 1
    c.tx_mux = stage(0, Admission::cut_through, 1);
    return c;
}

struct PathPacket {
    StreamPacket stream;
    std::uint64_t tensor_offset = 0;
};

struct PathResult {
    std::vector<ByteBuffer> payloads;
    std::vector<bool> compressed;
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
            tag.compress = !p.stream.bypass;
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
        result.compressed.push_back(tag_of(payload).compressed);
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
    for (StreamPacket& s : streams) s.offer += kClearing;
    PathResult result;
    for (StreamResult const& r : run_stream(*dut, streams, {}, 1)) {
        result.payloads.push_back(r.data);
        result.compressed.push_back(r.compressed);
        result.tails.push_back(r.stamps.tail_out - kClearing);
    }
    return result;
}

/// What stands among the recorded packets, in 256ths of the packets.
struct Mix {
    unsigned noise = 0;   ///< random bytes, which do not shrink
    unsigned brief = 0;   ///< a recorded packet cut short, to any length
    unsigned bypass = 0;  ///< recorded packets that are not to be compressed
};

/// Packets of the second step of every tensor, after some of the first, which sets the base.
std::vector<PathPacket> recorded_run(std::uint64_t gap, Mix mix = {}) {
    std::vector<PathPacket> packets;
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
                if (random.chance(mix.noise)) p.stream.data = adversarial_packet(kNoise, kPacket, random);
                if (random.chance(mix.brief)) p.stream.data.resize(1 + random.below(kPacket));
                p.stream.bypass = random.chance(mix.bypass);
                p.stream.layer = layer;
                p.stream.new_iteration = at == 0;
                p.tensor_offset = at;
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

/// The packets as the C++ model sends them.
std::vector<EncodedPacket> encode(std::vector<StreamPacket> const& packets) {
    PacketEncoder encoder(rtl_design().algorithm);
    std::vector<EncodedPacket> all(packets.size());
    for (std::size_t n = 0; n < packets.size(); ++n) {
        StreamPacket const& p = packets[n];
        if (p.bypass) {
            all[n].payload = p.data;
            all[n].raw = true;
            continue;
        }
        PacketContext context;
        context.layer = p.layer;
        context.first_of_tensor = p.new_iteration;
        encoder.encode(context, p.data, all[n]);
    }
    return all;
}

/// Sends `packets` through the RTL; every byte and flag must be that of the C++ model. Returns how many went raw.
std::size_t check_bytes(std::vector<StreamPacket> packets, Stalls stalls) {
    for (StreamPacket& p : packets) p.offer = kClearing;
    auto const expected = encode(packets);
    auto const dut = std::make_unique<Vtransmit_path>();
    auto const out = run_stream(*dut, packets, stalls, 8);
    std::size_t wrong = 0, flags = 0, raw = 0;
    for (std::size_t n = 0; n < packets.size(); ++n) {
        wrong += out[n].data != expected[n].payload;
        flags += out[n].compressed == expected[n].raw;
        raw += expected[n].raw;
    }
    CHECK(wrong == 0);
    CHECK(flags == 0);
    return raw;
}

}  // namespace

// Packets of very different lengths are complete in another order than they came.
TEST_CASE("packets leave the RTL transmit path in order and as the C++ encoder sends them, whatever stalls",
          "[rtl][transmit]") {
    for (Stalls const stalls : {Stalls{0, 0}, Stalls{60, 120}}) {
        for (unsigned const bypass : {0U, 80U}) {
            Random random(52 + stalls.sink + bypass);
            std::vector<StreamPacket> packets(120);
            for (StreamPacket& p : packets) {
                std::size_t const size = random.chance(128) ? 1 + random.below(300) : 1 + random.below(kPacket);
                p.data = adversarial_packet(random.next(), size, random);
                p.layer = static_cast<std::uint16_t>(random.below(5));
                p.new_iteration = random.chance(60);
                p.bypass = random.chance(bypass);
            }
            std::size_t const raw = check_bytes(packets, stalls);
            CHECK(raw > 10);
            CHECK(raw < 110);
        }
    }
}

// write 1, read 1, select 1.
TEST_CASE("a bypassing packet leaves three cycles after it came, and while it comes", "[rtl][transmit]") {
    Random random(54);
    std::vector<StreamPacket> packets(40);
    for (std::size_t n = 0; n < packets.size(); ++n) {
        packets[n].data = adversarial_packet(kNoise, 1 + random.below(kPacket), random);
        packets[n].bypass = true;
        packets[n].offer = 100 * n;
    }
    auto const dut = std::make_unique<Vtransmit_path>();
    std::size_t late = 0;
    for (StreamResult const& r : run_stream(*dut, packets, {}, 9))
        late += r.stamps.head_out != r.stamps.head_in + 3 || r.stamps.tail_out != r.stamps.tail_in + 3;
    CHECK(late == 0);
    check_bytes(packets, {160, 60});
}

TEST_CASE("recorded packets with noise and bypassing ones among them leave the RTL transmit path whole",
          "[rtl][transmit]") {
    std::vector<StreamPacket> packets;
    for (PathPacket const& p : recorded_run(0, {64, 64, 64})) packets.push_back(p.stream);
    packets.resize(80);
    std::size_t const raw = check_bytes(packets, {100, 100});
    CHECK(raw > 20);
    CHECK(raw < 60);
}

// A sink that opens late fills what is in front of it: the ring with 32 packets of 4 KiB or 64 packets; the engines
// with 8 packets each; the row of results.
TEST_CASE("a full RTL transmit path loses nothing", "[rtl][transmit]") {
    for (std::size_t const size : {std::size_t{1}, std::size_t{65}, kPacket}) {
        for (unsigned const kind : {kZeros, kNormal, kNoise}) {
            for (unsigned const bypass : {0U, 128U, 256U}) {
                Random random(size + kind + bypass);
                std::vector<StreamPacket> packets(size == kPacket ? 45 : 150);
                for (StreamPacket& p : packets) {
                    p.data = adversarial_packet(kind, size, random);
                    p.bypass = random.chance(bypass);
                }
                packets[0].sink_ready = 2000 + 8 * size;
                check_bytes(packets, {});
            }
        }
    }
}

/// Payload of a packet that is the first of its layer: length 2, block, base 2.
std::size_t payload_bytes(ByteBuffer const& data) {
    PacketEncoder encoder(rtl_design().algorithm);
    PacketContext context;
    context.first_of_tensor = true;
    EncodedPacket encoded;
    encoder.encode(context, data, encoded);
    return encoded.work.blocks[0].bytes_out + 4;
}

TEST_CASE("a payload as long as its packet goes raw, one a byte shorter does not", "[rtl][transmit]") {
    Random random(53);
    for (int const shorter : {0, 1}) {
        std::vector<StreamPacket> packets;
        while (packets.size() < 40) {
            StreamPacket p;
            p.data = adversarial_packet(9, 24 + random.below(600), random);
            // Noise at the end: the size is met exactly.
            std::size_t const zeros = random.below(static_cast<std::uint32_t>(p.data.size()));
            for (std::size_t i = zeros; i < p.data.size(); ++i) p.data[i] = static_cast<std::uint8_t>(random.next());
            if (payload_bytes(p.data) + static_cast<std::size_t>(shorter) != p.data.size()) continue;
            p.layer = static_cast<std::uint16_t>(packets.size());
            p.new_iteration = true;
            packets.push_back(std::move(p));
        }
        CHECK(check_bytes(packets, {}) == (shorter == 0 ? packets.size() : 0));
    }
}

TEST_CASE("the RTL transmit path and the SystemC transmit path agree within 1 %, without raw packets to the cycle",
          "[rtl][transmit][timing]") {
    struct Run {
        char const* what;
        std::uint64_t gap;
        Mix mix;
    };
    // Saturated, or at a mean gap of 1,500 cycles: about 70 % of what four engines take.
    for (Run const& run : {Run{"saturated", 0, {}}, Run{"gaps", 1500, {}}, Run{"saturated, noise", 0, {64, 0, 0}},
                           Run{"gaps, noise", 1500, {64, 0, 0}}, Run{"saturated, bypass", 0, {0, 0, 64}},
                           Run{"saturated, mixed", 0, {64, 64, 64}}, Run{"gaps, mixed", 1500, {64, 64, 64}}}) {
        std::vector<PathPacket> const packets = recorded_run(run.gap, run.mix);
        REQUIRE(packets.size() > 150);
        PathResult const rtl = run_rtl(packets);
        PathResult const model = simulate(packets);
        REQUIRE(model.tails.size() == packets.size());
        std::size_t different = 0, raw = 0, bypass = 0, same = 0;
        std::int64_t earliest = 0, latest = 0;
        for (std::size_t n = 0; n < packets.size(); ++n) {
            different += rtl.payloads[n] != model.payloads[n] || rtl.compressed[n] != model.compressed[n];
            bypass += packets[n].stream.bypass;
            raw += !rtl.compressed[n] && !packets[n].stream.bypass;
            auto const off = static_cast<std::int64_t>(model.tails[n]) - static_cast<std::int64_t>(rtl.tails[n]);
            same += off == 0;
            earliest = std::min(earliest, off);
            latest = std::max(latest, off);
        }
        CHECK(different == 0);
        double const rtl_time = static_cast<double>(rtl.tails.back() - packets.front().stream.offer);
        double const model_time = static_cast<double>(model.tails.back() - packets.front().stream.offer);
        double const rtl_latency = mean_latency(packets, rtl.tails);
        double const model_latency = mean_latency(packets, model.tails);
        WARN(run.what << ": " << packets.size() << " packets, " << raw << " raw, " << bypass << " bypass; " << rtl_time
                      << " cycles in RTL, " << model_time << " in SystemC; mean latency " << rtl_latency << " and "
                      << model_latency << "; " << same << " packets end in the same cycle, SystemC is " << earliest
                      << " to " << latest << " cycles late");
        CHECK(model_time == Approx(rtl_time).epsilon(0.01));
        CHECK(model_latency == Approx(rtl_latency).epsilon(0.01));
        // In SystemC a raw packet crosses to the merge as the payload it did not become, which has a row more.
        CHECK(earliest == 0);
        CHECK(latest <= (raw == 0 ? 0 : 4));
    }
}
