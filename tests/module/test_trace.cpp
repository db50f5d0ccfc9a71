#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "pipeline/trace/pcap_writer.h"
#include "pipeline/trace/timeline_writer.h"
#include "pipeline/trace/vcd_writer.h"
#include "support/catch.h"
#include "support/temporary_directory.h"

using namespace netzip;
using namespace netzip::literals;
using nlohmann::json;

namespace {

std::string read_file(std::string const& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Output of a command line, or nothing when the program is not installed.
bool run(std::string const& program, std::string const& arguments, std::string& output) {
    if (std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) != 0) {
        std::cout << "skipped: " << program << " is not installed\n";
        return false;
    }
    std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen((program + " " + arguments + " 2>/dev/null").c_str(), "r"),
                                               ::pclose);
    std::array<char, 4096> buffer;
    std::size_t n = 0;
    while ((n = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0) output.append(buffer.data(), n);
    return true;
}

std::size_t count(std::string const& text, std::string const& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++n;
    return n;
}

/// Three packets, of which the first two overlap in the stage, and a FIFO.
void feed(Trace& trace) {
    trace.span("a.tx.grouper", "packet 0", 100_ns, 300_ns);
    trace.span("a.tx.grouper", "packet 1", 200_ns, 400_ns);
    trace.span("a.tx.grouper", "packet 2", 300_ns, Duration{500'000'001});
    trace.span("b.rx.demux", "pack\"et 0", 350_ns, 360_ns);
    trace.level("a.tx.fifo", 50_ns, 2);
    trace.level("a.tx.fifo", 250_ns, 7);
    trace.level("a.tx.fifo", 150_ns, 3);
}

/// What the trace event format asks of each kind of event.
void check_schema(json const& trace) {
    REQUIRE(trace.at("traceEvents").is_array());
    std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> rows;
    for (json const& e : trace.at("traceEvents")) {
        std::string const ph = e.at("ph");
        REQUIRE(e.at("pid").is_number_unsigned());
        REQUIRE(e.at("tid").is_number_unsigned());
        REQUIRE(e.at("name").is_string());
        REQUIRE((ph == "X" || ph == "C" || ph == "M"));
        if (ph == "M") continue;
        REQUIRE(e.at("ts").is_number());
        if (ph == "C") {
            REQUIRE(e.at("args").at("value").is_number_unsigned());
        } else {
            rows[{e.at("pid"), e.at("tid")}].emplace_back(e.at("ts"), double(e.at("ts")) + double(e.at("dur")));
        }
    }
    for (auto& [row, spans] : rows) {
        std::sort(spans.begin(), spans.end());
        for (std::size_t i = 1; i < spans.size(); ++i) CHECK(spans[i].first >= spans[i - 1].second - 1e-9);
    }
}

WireFrame write_frame(std::uint32_t psn, Duration time, std::vector<std::uint8_t> const& payload) {
    WireFrame frame;
    frame.time = time;
    frame.psn = psn;
    frame.queue_pair = 17;
    frame.address = 0x7F0012345678;
    frame.message_bytes = 16384;
    frame.payload = payload;
    frame.payload_bytes = static_cast<std::uint32_t>(payload.size());
    return frame;
}

}  // namespace

TEST_CASE("a timeline is a Chrome trace in which the spans of a row never overlap", "[trace]") {
    TemporaryDirectory const directory;
    std::string const path = directory.path() + "/timeline.json";
    TimelineWriter writer(path);
    feed(writer);
    CHECK(writer.close().empty());
    std::string const text = read_file(path);
    json const trace = json::parse(text);
    check_schema(trace);
    CHECK(count(text, "\"ph\":\"X\"") == 4);
    CHECK(count(text, "\"ph\":\"C\"") == 3);
    CHECK(text.find("\"ts\":0.300000000,\"dur\":0.200000001") != std::string::npos);
    CHECK(text.find("tx.grouper [2]") != std::string::npos);
    CHECK(text.find("tx.grouper [3]") == std::string::npos);  // packet 2 takes the row that packet 0 has left
}

TEST_CASE("a timeline keeps to its window, and shows a counter's value at its begin", "[trace]") {
    TemporaryDirectory const directory;
    std::string const path = directory.path() + "/timeline.json";
    TimelineWriter writer(path, {200_ns, 320_ns, 1u << 20});
    feed(writer);
    CHECK(writer.close().empty());
    json const trace = json::parse(read_file(path));
    check_schema(trace);
    std::vector<double> counters;
    std::size_t spans = 0;
    for (json const& e : trace.at("traceEvents")) {
        spans += e.at("ph") == "X";
        if (e.at("ph") == "C") counters.push_back(e.at("args").at("value"));
    }
    CHECK(spans == 3);
    CHECK(counters == std::vector<double>{7, 3});
}

TEST_CASE("a timeline that reaches its limit stops, stays readable and says so", "[trace]") {
    TemporaryDirectory const directory;
    std::string const path = directory.path() + "/timeline.json";
    TimelineWriter writer(path, {Duration{0}, Duration::max(), 4096});
    for (std::uint64_t n = 0; n < 1000; ++n) writer.span("a.stage", "packet", 1_ns * n, 1_ns * (n + 1));
    std::string const note = writer.close();
    json const trace = json::parse(read_file(path));
    check_schema(trace);
    std::uint64_t const left_out = trace.at("otherData").at("events_left_out");
    CHECK(left_out > 900);
    CHECK(note.find(std::to_string(left_out)) != std::string::npos);
    CHECK(std::filesystem::file_size(path) < 4096 + 512);
}

// 100 ns: one packet, 200: two, 300: 0 leaves and 2 comes, 400: 1 leaves, 500.000001: none.
TEST_CASE("waves show how many packets a stage holds, in order of time", "[trace]") {
    TemporaryDirectory const directory;
    std::string const path = directory.path() + "/waves.vcd";
    VcdWriter writer(path);
    feed(writer);
    CHECK(writer.close().empty());
    std::string const text = read_file(path);
    CHECK(text.find("$timescale 1 fs $end") != std::string::npos);
    CHECK(count(text, "$scope") == count(text, "$upscope"));
    std::vector<std::uint64_t> times;
    for (std::size_t at = text.find("\n#"); at != std::string::npos; at = text.find("\n#", at + 1)) {
        times.push_back(std::stoull(text.substr(at + 2)));
    }
    CHECK(std::is_sorted(times.begin(), times.end()));
    CHECK(times == std::vector<std::uint64_t>{0, 50'000'000, 100'000'000, 150'000'000, 200'000'000, 250'000'000,
                                              350'000'000, 360'000'000, 400'000'000, 500'000'001});
}

TEST_CASE("waves are read by a program that is not ours", "[trace]") {
    TemporaryDirectory const directory;
    std::string const path = directory.path() + "/waves.vcd";
    VcdWriter writer(path, {120_ns, 450_ns, 1u << 20});
    feed(writer);
    writer.close();
    std::string output;
    if (!run("vcd2fst", path + " " + directory.path() + "/waves.fst", output)) return;
    CHECK(std::filesystem::file_size(directory.path() + "/waves.fst") > 0);
    output.clear();
    if (!run("fst2vcd", directory.path() + "/waves.fst", output)) return;
    // Through the other format and back: the same changes at the same times.
    CHECK(output.find("#120000000") != std::string::npos);
    CHECK(output.find("#200000000") != std::string::npos);
    CHECK(output.find("0111 ") != std::string::npos);
    CHECK(output.find("#500000001") == std::string::npos);
    CHECK(count(output, "$var") == 5);
}

// A congestion notification captured from a ConnectX-4 Lx (public test vectors of scapy's RoCE layer): the CRC that the
// adapter sent is 82 fd 00 2a.
TEST_CASE("the invariant CRC is the one that an adapter computed", "[trace]") {
    std::vector<std::uint8_t> packet{0x45, 0xc2, 0x00, 0x3c, 0x71, 0x8c, 0x40, 0x00, 0x40, 0x11, 0x91, 0x61, 0x0a, 0x00,
                                     0x11, 0x01, 0x0a, 0x00, 0x12, 0x01, 0x00, 0x00, 0x12, 0xb7, 0x00, 0x28, 0x00, 0x00,
                                     0x81, 0x00, 0xff, 0xff, 0x40, 0x00, 0x01, 0x18, 0x00, 0x00, 0x00, 0x00};
    std::vector<std::uint8_t> const header(packet.begin(), packet.begin() + 20);
    CHECK(internet_checksum(header) == 0);  // with its own checksum in place the sum is zero
    packet.resize(packet.size() + 16, 0);
    CHECK(invariant_crc(packet) == 0x2a00fd82);
}

// 14 + 20 + 8 + 12 + 16 + 4096 + 4 B; middle packets lack the 16; an acknowledgement is 14 + 20 + 8 + 12 + 4 + 4 B.
// With 24 B of preamble, frame check sequence and gap these are 98, 82 and 86 B of overhead on the wire.
TEST_CASE("a capture is RoCEv2 that tshark reads without a malformed packet", "[trace]") {
    TemporaryDirectory const directory;
    std::string const path = directory.path() + "/wire.pcap";
    PcapWriter writer(path);
    std::vector<std::uint8_t> payload(4096);
    for (std::size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<std::uint8_t>(i * 7);
    for (std::uint32_t n = 0; n < 4; ++n) {
        WireFrame frame = write_frame(n, 1_us * n, payload);
        frame.first = n == 0;
        frame.last = n == 3;
        frame.ask_acknowledgement = n == 3;
        writer.frame(frame);
    }
    std::vector<std::uint8_t> odd(payload.begin(), payload.begin() + 1001);  // padded by three bytes
    writer.frame(write_frame(4, 5_us, odd));
    WireFrame sizes = write_frame(5, 6_us, {});
    sizes.payload_bytes = 2000;
    writer.frame(sizes);
    for (bool negative : {false, true}) {
        WireFrame answer;  // reported late, and written in its place
        answer.time = 3500_ns;
        answer.from = 1;
        answer.to = 0;
        answer.psn = 3;
        answer.queue_pair = 17;
        answer.acknowledgement = true;
        answer.negative = negative;
        writer.frame(answer);
    }
    CHECK(writer.close().empty());
    CHECK(std::filesystem::file_size(path) == 24 + 8 * 16 + (4170 + 3 * 4154) + (74 + 1004) + (74 + 2000) + 2 * 62);

    std::string output;
    if (!run("tshark", "-r " + path + " -Y _ws.malformed", output)) return;
    CHECK(output.empty());
    run("tshark",
        "-r " + path +
            " -o ip.check_checksum:TRUE -T fields -e frame.time_epoch -e ip.checksum.status -e infiniband.bth.opcode"
            " -e infiniband.bth.psn -e infiniband.bth.padcnt -e frame.len -E separator=,",
        output);
    CHECK(output ==
          "0.000000000,1,6,0,0,4170\n0.000001000,1,7,1,0,4154\n0.000002000,1,7,2,0,4154\n0.000003000,1,8,3,0,4154\n"
          "0.000003500,1,17,3,0,62\n0.000003500,1,17,3,0,62\n0.000005000,1,10,4,3,1078\n0.000006000,1,10,5,0,2074\n");
}
