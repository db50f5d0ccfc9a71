// The simulator's stage recurrence against the blocks of 64 B per cycle: every stamp of every packet, whole packets
// admitted, both ends holding packets back at random.
#include <algorithm>

#include "Vdelta_decoder.h"
#include "Vdelta_encoder.h"
#include "Vgrouper.h"
#include "Vungrouper.h"
#include "models/timing/group_slots.h"
#include "models/timing/stage_timing.h"
#include "packets.h"
#include "support/catch.h"

using namespace netzip;
using namespace netzip::rtl;

namespace {

constexpr std::size_t kPackets = 10000;
constexpr std::uint64_t kBeats = 64;
Frequency const kClock = Frequency{300'000'000};

/// The slots of a packet at both sides of a stage.
struct Service {
    std::uint64_t arrive = 0;  ///< cycles from the first beat to the end of the last one, at the input
    std::uint64_t in = 0;
    std::uint64_t out = 0;
    std::uint64_t gather = 0;
};

/// Mostly whole packets, back to back or with gaps; the sink holds some back for up to four packet times.
std::vector<StreamPacket> timed_packets(std::uint64_t seed) {
    Random random(seed);
    std::vector<StreamPacket> packets(kPackets);
    std::uint64_t offer = 0;
    std::uint64_t ready = 0;
    for (StreamPacket& p : packets) {
        std::size_t const size = random.chance(200)   ? 4096
                                 : random.chance(128) ? 1 + random.below(4096)
                                                      : 1 + random.below(400);
        p.data.assign(size, static_cast<std::uint8_t>(random.next()));
        p.by_bit = random.chance(160);
        bool const busy = random.chance(180);
        offer += busy ? random.below(80) : random.below(300);
        ready = std::max(ready, offer);
        if (random.chance(60)) ready += random.below(4 * kBeats);
        p.offer = offer;
        p.sink_ready = ready;
        if (random.chance(20)) offer = std::max(offer, ready);
    }
    return packets;
}

struct Difference {
    std::size_t head_in = 0;
    std::size_t head_out = 0;
    std::size_t tail_out = 0;
    bool operator==(Difference const&) const = default;
};
std::ostream& operator<<(std::ostream& os, Difference const& d) {
    return os << "{head_in " << d.head_in << ", head_out " << d.head_out << ", tail_out " << d.tail_out << "}";
}

/// Number of stamps that the recurrence and the block do not share. `compare_head_in`: a block without a buffer takes
/// the first beats of a packet that the sink still refuses; the stage admits the packet as a whole.
template <class Cost>
Difference compare(std::vector<StreamPacket> const& packets, std::vector<StreamResult> const& rtl,
                   StageConfig const& config, Cost cost, bool compare_head_in) {
    StageTimer timer(config, kClock);
    ClockDomain const clock(kClock);
    auto const index = [&](Duration t) { return clock.index_at_or_after(t); };
    Difference difference;
    std::uint64_t input_free = 0;
    for (std::size_t n = 0; n < packets.size(); ++n) {
        StreamPacket const& p = packets[n];
        Service const s = cost(p);
        std::uint64_t const head_in = std::max({p.offer, input_free, index(timer.next_slot())});
        std::uint64_t const tail_in = head_in + s.arrive;
        input_free = tail_in;
        Cycles const gather{s.gather};
        std::size_t const width = config.width.count();
        StageTimes times =
            timer.admit(clock.edge(head_in), clock.edge(tail_in), s.in * width, s.out * width, Cycles{0}, gather);
        times = timer.depart(times, s.out * width, clock.edge(p.sink_ready), gather);
        Stamps const& r = rtl[n].stamps;
        if (compare_head_in) difference.head_in += head_in != r.head_in;
        difference.head_out += index(times.head_out) != r.head_out;
        difference.tail_out += index(times.tail_out) != r.tail_out;
    }
    return difference;
}

std::uint64_t beats_of(StreamPacket const& p) {
    return (p.data.size() + kBeat - 1) / kBeat;
}
Service plain(StreamPacket const& p) {
    return {beats_of(p), beats_of(p), beats_of(p), 0};
}
GroupSlots slots_of(StreamPacket const& p) {
    return group_slots(p.by_bit ? GroupingKind::bit : GroupingKind::byte, p.data.size());
}
Service grouping(StreamPacket const& p) {
    GroupSlots const slots = slots_of(p);
    return {beats_of(p), slots.group, slots.group - slots.head + 1, slots.head - 1};
}
Service ungrouping(StreamPacket const& p) {
    return {slots_of(p).ungroup, beats_of(p), beats_of(p), 0};
}

/// A pipeline without a buffer holds as many one-beat packets as it has registers, and one waits before it.
StageConfig stage(std::uint64_t latency, Admission admission, std::uint64_t release_early = 0) {
    StageConfig config;
    config.latency = Cycles{latency};
    config.admission = admission;
    config.slots = admission == Admission::cut_through ? latency + 1 : 2;
    config.release_early = Cycles{release_early};
    return config;
}

/// The configuration is right, and each of its constants matters.
template <class Dut, class Cost>
void check_stage(StageConfig const& config, Cost cost, bool buffered) {
    std::vector<StreamPacket> const packets = timed_packets(config.latency.count());
    Dut dut;
    auto const rtl = run_stream(dut, packets, {}, 1);
    CHECK(compare(packets, rtl, config, cost, buffered) == Difference{});

    StageConfig wrong = config;
    wrong.latency = Cycles{config.latency.count() + 1};
    CHECK(compare(packets, rtl, wrong, cost, buffered).head_out > kPackets / 10);
    if (!buffered) return;
    wrong = config;
    wrong.release_early = Cycles{config.release_early.count() + 1};
    CHECK(compare(packets, rtl, wrong, cost, buffered).head_in > kPackets / 100);
}

}  // namespace

TEST_CASE("the stage recurrence predicts every stamp of the delta encoder", "[rtl][timing]") {
    check_stage<Vdelta_encoder>(stage(5, Admission::cut_through), plain, false);
}

TEST_CASE("the stage recurrence predicts every stamp of the delta decoder", "[rtl][timing]") {
    check_stage<Vdelta_decoder>(stage(1, Admission::cut_through), plain, false);
}

TEST_CASE("the stage recurrence predicts every stamp of the grouper", "[rtl][timing]") {
    check_stage<Vgrouper>(stage(3, Admission::store_and_forward, 3), grouping, true);
}

TEST_CASE("the stage recurrence predicts every stamp of the ungrouper", "[rtl][timing]") {
    check_stage<Vungrouper>(stage(2, Admission::store_and_forward, 2), ungrouping, true);
}

namespace {

/// How much later than the recurrence says the last beat of a packet leaves, when beats are refused inside packets.
/// The recurrence gets the stamps at which the block really took the packet and sent its first beat.
template <class Dut, class Cost>
std::vector<std::int64_t> pause_errors(StageConfig const& config, Cost cost, Stalls stalls, Difference& head) {
    std::vector<StreamPacket> packets(1000);
    for (StreamPacket& p : packets) p.data.assign(4096, 7);
    Dut dut;
    auto const rtl = run_stream(dut, packets, stalls, 3);
    StageTimer timer(config, kClock);
    ClockDomain const clock(kClock);
    std::vector<std::int64_t> errors;
    for (std::size_t n = 0; n < packets.size(); ++n) {
        Service const s = cost(packets[n]);
        Stamps const& r = rtl[n].stamps;
        std::size_t const width = config.width.count();
        StageTimes times = timer.admit(clock.edge(r.head_in), clock.edge(r.tail_in), s.in * width, s.out * width,
                                       Cycles{0}, Cycles{s.gather});
        bool const sink_refuses = stalls.sink > 0;
        times = timer.depart(times, s.out * width, sink_refuses ? clock.edge(r.head_out) : Duration::zero(),
                             Cycles{s.gather});
        head.head_out += clock.index_at_or_after(times.head_out) != r.head_out;
        errors.push_back(static_cast<std::int64_t>(r.tail_out) -
                         static_cast<std::int64_t>(clock.index_at_or_after(times.tail_out)));
    }
    std::sort(errors.begin(), errors.end());
    return errors;
}

}  // namespace

// A beat refused by the sink holds everything behind it: of 64 beats at a share p of refusals, 64 p / (1 - p) cycles.
TEST_CASE("pauses of the source inside a packet cost nothing more, those of the sink what they last", "[rtl][timing]") {
    StageConfig const config = stage(3, Admission::store_and_forward, 3);
    for (unsigned const share : {32u, 64u, 128u}) {
        Difference head;
        auto const source = pause_errors<Vgrouper>(config, grouping, {share, 0}, head);
        CHECK(head.head_out == 0);
        CHECK(source.front() == 0);
        CHECK(source.back() == 0);
        auto const sink = pause_errors<Vgrouper>(config, grouping, {0, share}, head);
        double const refused = share / 256.0;
        double const expected = 63 * refused / (1 - refused);
        auto const at = [&](std::size_t percent) { return sink[(sink.size() - 1) * percent / 100]; };
        WARN("sink refuses " << share << " of 256 cycles: the last beat leaves " << at(0) << " / " << at(5) << " / "
                             << at(50) << " / " << at(95) << " / " << at(100)
                             << " cycles later (minimum / 5 % / median / 95 % / maximum)");
        CHECK(static_cast<double>(at(50)) == Approx(expected).epsilon(0.15));
        CHECK(sink.front() >= 0);
    }
}
