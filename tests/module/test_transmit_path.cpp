#include <random>

#include "models/timing/lz_engine.h"
#include "nic/transmit_path.h"
#include "pipeline/sized_work.h"
#include "support/catch.h"
#include "support/documented_table.h"
#include "support/stream_ends.h"

using namespace netzip;
using namespace netzip::literals;
using namespace netzip::test;

namespace {

BeatStage beat_stage(StageConfig const& config) {
    return {config.width.count(), config.latency.count(), config.slots,
            config.admission == Admission::store_and_forward, config.release_early.count()};
}

/// The transmit path of a configuration, place by place.
std::vector<BeatStage> beat_path(NicConfig const& c) {
    BeatBankConfig bank;
    bank.engines = c.compressor.engines;
    bank.in_flight = c.compressor.in_flight;
    BeatStage compressor;
    compressor.width = c.compressor.input_width;
    compressor.bank = bank;
    return {beat_stage(c.tx_demux),
            beat_stage(c.delta_encoder),
            beat_stage(c.staging_buffer),
            beat_stage(c.grouper),
            compressor,
            beat_stage(c.merge),
            beat_stage(c.tx_slices),
            beat_stage(c.tx_mux)};
}

/// A block of random sequences that cover `bytes`.
BlockWork random_work(std::uint64_t bytes, std::mt19937_64& random) {
    BlockWork work;
    work.bytes_in = static_cast<std::uint32_t>(bytes);
    std::uint64_t left = bytes;
    std::uint64_t const longest = 1 + random() % 400;
    while (left > 80 + longest) {
        LzSequence s;
        s.literals = static_cast<std::uint16_t>(random() % longest);
        s.match_length = static_cast<std::uint16_t>(4 + random() % 60);
        s.offset = 20;
        left -= s.literals + s.match_length;
        work.sequences.push_back(s);
    }
    work.sequences.push_back({static_cast<std::uint16_t>(left), 0, 0});
    for (LzSequence const& s : work.sequences)
        work.bytes_out += static_cast<std::uint32_t>(sequence_bytes(LzFormat::lz4, s));
    return work;
}

}  // namespace

// Demux, delta encoder, staging buffer, grouper, bank of LZ4 engines, merge, slices and mux, with every byte counted in
// every cycle, against the SystemC modules.
TEST_CASE("the whole transmit path has the times of a loop over cycles", "[timing][pipeline]") {
    std::size_t packets_compared = 0;
    std::size_t stamps = 0;
    std::size_t different = 0;
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        std::mt19937_64 random(seed);
        NicConfig config;
        config.clock = 1_GHz;
        config.algorithm.codec = CodecKind::lz4_hw;
        config.algorithm.grouping = GroupingKind::none;
        config.compressor.engines = 1 + random() % 8;
        config.compressor.engine_slots = 1;
        config.compressor.in_flight = 1 + random() % 12;

        std::vector<BeatPacket> packets;
        std::vector<BlockWork> works;
        CodecTrace trace;
        std::uint64_t time = 0;
        std::uint64_t ready = 0;
        for (int n = 0; n < 50; ++n) {
            time += random() % 3 == 0 ? random() % 6000 : 0;
            ready = std::max(ready, time) + (seed % 2 == 1 && random() % 6 == 0 ? random() % 8000 : 0);
            std::uint64_t const bytes = random() % 3 == 0 ? 1 + random() % 4096 : 4096;
            works.push_back(random_work(bytes, random));
            packets.push_back({time, 64, bytes, 0, n == 0 ? 0 : ready, works.back().bytes_out});
            PacketTrace packet;
            packet.attempt_size = works.back().bytes_out;
            packet.compress.blocks.push_back(works.back());
            trace.packets.push_back(std::move(packet));
        }
        auto const expected = BeatChain(beat_path(config), packets, works).run();

        sc_core::sc_get_curr_simcontext()->reset();
        set_time_resolution();
        PayloadPool pool;
        SizedWork work(trace);
        {
            Source source("source", pool, packets, seed % 4 < 2);
            TransmitPath path("path", config, work);
            Sink sink("sink", packets, seed % 3 == 0);
            source.out.bind(path.in());
            path.out().bind(sink.in);
            sc_core::sc_start();
            REQUIRE(sink.stamps.size() == packets.size());
            for (std::size_t n = 0; n < packets.size(); ++n) {
                for (auto [a, b] : {std::pair{expected.front()[n], source.stamps[n]},
                                    std::pair{expected.back()[n], sink.stamps[n]}}) {
                    different += (a.head != b.head) + (a.tail != b.tail);
                    stamps += 2;
                }
            }
        }
        CHECK(pool.live() == 0);
        packets_compared += packets.size();
    }
    CHECK(different == 0);
    check_documented("validation.md", "| whole transmit path | " + std::to_string(packets_compared) + " | " +
                                          std::to_string(stamps) + " | " + std::to_string(different) + " |\n");
}
