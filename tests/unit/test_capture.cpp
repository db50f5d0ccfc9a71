#include "base/error.h"
#include "base/random.h"
#include "support/capture_files.h"
#include "support/catch.h"
#include "support/temporary_directory.h"
#include "support/tensor_files.h"
#include "workloads/capture_source.h"
#include "workloads/readers/capture.h"

using namespace netzip;
using namespace netzip::literals;

namespace {

std::span<std::uint8_t const> span_of(std::string const& text) {
    return {reinterpret_cast<std::uint8_t const*>(text.data()), text.size()};
}

struct Replayed {
    std::vector<std::string> bytes;
    std::vector<Duration> times;
    std::vector<std::uint32_t> queue_pairs;
    std::vector<std::string> notes;
};

Replayed replay(std::string const& file) {
    WorkloadConfig config;
    config.files = {"c.pcap"};
    auto const source = make_capture_source(config, span_of(file));
    Replayed replayed{{}, {}, {}, source->notes()};
    Message message;
    Bytes sum;
    while (source->next(message)) {
        replayed.bytes.push_back(as_text(message.bytes));
        replayed.times.push_back(message.not_before);
        replayed.queue_pairs.push_back(message.queue_pair);
        sum += Bytes{message.bytes.size()};
    }
    CHECK(source->totals().messages == replayed.bytes.size());
    CHECK(source->totals().bytes == sum);
    return replayed;
}

std::string refusal(std::string const& file) {
    try {
        replay(file);
    } catch (Error const& e) {
        return e.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("the four kinds of pcap and pcapng at any resolution give the same messages at the same times", "[capture]") {
    std::string const expected = std::string(8, 'a') + std::string(8, 'b') + "cccc";
    std::uint64_t const second = 1'000'000'000;
    std::vector<std::string> const files{pcap_file(two_messages(), 1, false),
                                         pcap_file(two_messages(), 1, true),
                                         pcap_file(two_messages(), 1000, false),
                                         pcap_file(two_messages(), 1000, true),
                                         pcapng_file(two_messages(), 9, second),
                                         pcapng_file(two_messages(), 6, 1'000'000),
                                         pcapng_file(two_messages(), 0x80 | 30, 1u << 30)};
    for (std::size_t i = 0; i < files.size(); ++i) {
        CAPTURE(i);
        Replayed const replayed = replay(files[i]);
        CHECK(replayed.bytes == std::vector<std::string>{expected, "xyz"});
        CHECK(replayed.queue_pairs == std::vector<std::uint32_t>{0, 1});
        REQUIRE(replayed.times.size() == 2);
        CHECK(replayed.times[0] == Duration::zero());
        // A clock of 2^-30 s ticks each 0.93 ns.
        CHECK(to_nanoseconds(replayed.times[1]) == Approx(2000).margin(1.5));
        if (i != 6) CHECK(replayed.times[1] == 2_us);
    }
}

TEST_CASE("VLAN tags, IPv6 and immediate data stand before the payload and are not part of it", "[capture]") {
    Frame frame{kOnlyImmediate, 1, 1, "payload", 7};
    CHECK(replay(pcap_file({{0, frame}}, 1, false)).bytes.at(0) == "payload");
    frame.vlan = true;
    CHECK(replay(pcap_file({{0, frame}}, 1, false)).bytes.at(0) == "payload");
    frame.ipv6 = true;
    CHECK(replay(pcap_file({{0, frame}}, 1, false)).bytes.at(0) == "payload");
}

TEST_CASE("packets that are no RDMA write are skipped and counted", "[capture]") {
    auto packets = two_messages();
    Frame other = packets[3].frame;
    other.port = 53;
    packets.push_back({3000, other});
    packets.push_back({3001, {0x11, 0x12, 103, "acknowledge"}});
    CHECK(replay(pcap_file(packets, 1, false)).notes.at(0) == "c.pcap: 2 packets skipped: no RDMA write over RoCEv2");
}

TEST_CASE("a packet that is sent again counts once, wherever the retransmission begins", "[capture]") {
    auto packets = two_messages();
    // 101 is lost on the wire: 102 is behind it, then 101 and 102 come again, and 100 once too often.
    std::vector<Timed> const retransmitted{packets[0], packets[2], packets[1], packets[0], packets[2], packets[3]};
    Replayed const replayed = replay(pcap_file(retransmitted, 1, false));
    CHECK(replayed.bytes == replay(pcap_file(packets, 1, false)).bytes);
    CHECK(replayed.notes.at(0) == "c.pcap: 1 packets skipped: sent again although captured before");
    CHECK(replayed.notes.at(1) == "c.pcap: 1 packets skipped: behind a lost one, sent again later");
}

TEST_CASE("a message whose packets the capture lost is left out and counted, later ones go on", "[capture]") {
    auto packets = two_messages();
    packets.erase(packets.begin() + 2);
    Replayed const replayed = replay(pcap_file(packets, 1, false));
    CHECK(replayed.bytes == std::vector<std::string>{"xyz"});
    CHECK(replayed.notes.at(0) == "c.pcap: 1 messages left out: not all of their packets were captured");
    CHECK(replayed.times.at(0) == Duration::zero());
}

TEST_CASE("interleaved queue pairs keep the order in which their messages began", "[capture]") {
    std::vector<Timed> const packets{{0, {kFirst, 1, 1, "aaaa", 8}},
                                     {10, {kOnly, 2, 1, "bbbb", 4}},
                                     {20, {kLast, 1, 2, "AAAA"}},
                                     {5, {kOnly, 2, 2, "cccc", 4}}};
    Replayed const replayed = replay(pcap_file(packets, 1, false));
    CHECK(replayed.bytes == std::vector<std::string>{"aaaaAAAA", "bbbb", "cccc"});
    // The last one is stamped before its predecessor; time never goes back.
    CHECK(replayed.times == std::vector<Duration>{0_ns, 10_ns, 10_ns});
}

TEST_CASE("sequence numbers wrap at 24 bits", "[capture]") {
    std::vector<Timed> const packets{{0, {kFirst, 1, 0xffffff, "aaaa", 8}}, {20, {kLast, 1, 0, "AAAA"}}};
    CHECK(replay(pcap_file(packets, 1, false)).bytes == std::vector<std::string>{"aaaaAAAA"});
}

TEST_CASE("a capture that cannot be replayed is refused in one line", "[capture][bad-input]") {
    std::string const good = pcap_file(two_messages(), 1, false);
    CHECK(refusal("") == "c.pcap: the file is empty");
    CHECK_THAT(refusal("no capture at all, only some text"),
               Catch::StartsWith("c.pcap: not a pcap or pcapng capture ("));
    std::string other_link = good;
    other_link[20] = 101;
    CHECK(refusal(other_link) == "c.pcap: expected a capture of Ethernet frames, found link type RAW");
    CHECK_THAT(refusal(good.substr(0, good.size() - 1)), Catch::StartsWith("c.pcap: packet 4: truncated dump file"));
    std::string cut = pcap_file({{0, {kOnly, 1, 1, std::string(64, 'x'), 64}}}, 1, false);
    cut[24 + 8] = 96;
    cut.resize(24 + 16 + 96);
    CHECK(refusal(cut) ==
          "c.pcap: packet 1: only 96 of 138 B were captured, a replay needs whole packets (snap length)");
    CHECK(refusal(pcap_file({{0, {kMiddle, 1, 1, "abcd"}}}, 1, false)) ==
          "c.pcap: no whole RDMA write message among 1 packets (0 others, 0 incomplete messages)");
    WorkloadConfig config;
    config.source = WorkloadSource::capture;
    config.files = {"a", "b"};
    CHECK_THROWS_WITH(make_message_source(config), "workload.files: expected one capture, got 2 files");
    config.files = {"/none/there.pcap"};
    CHECK_THROWS_WITH(make_message_source(config), "/none/there.pcap: cannot be read: No such file or directory");
}

TEST_CASE("no corruption of a capture does worse than an input error", "[capture][bad-input]") {
    std::string const pcap = pcap_file(two_messages(), 1, false);
    std::string const pcapng = pcapng_file(two_messages(), 9, 1'000'000'000);
    CounterRandom const random(5);
    WorkloadConfig const config;
    for (std::uint64_t i = 0; i < 2000; ++i) {
        std::string bad = i % 2 == 0 ? pcap : pcapng;
        CounterRandom const draw = random.stream(i);
        for (std::uint64_t n = 0; n <= i % 3; ++n)
            bad[draw.at(2 * n) % bad.size()] = static_cast<char>(draw.at(2 * n + 1));
        if (i % 5 == 0) bad.resize(draw.at(99) % bad.size());
        try {
            auto const source = make_capture_source(config, span_of(bad));
            Message message;
            while (source->next(message)) {
            }
        } catch (InputError const&) {
        }
    }
}

TEST_CASE("a capture is read from a file, too", "[capture]") {
    TemporaryDirectory const directory;
    WorkloadConfig config;
    config.source = WorkloadSource::capture;
    config.files = {directory.write("c.pcap", pcap_file(two_messages(), 1, false))};
    CHECK(make_message_source(config)->totals().messages == 2);
}
