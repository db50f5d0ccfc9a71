#pragma once

#include <string>

#include "nic/cost_config.h"
#include "nic/nic_config.h"
#include "workloads/background_config.h"
#include "workloads/workload_config.h"

namespace netzip {

/// One direction of a point-to-point link; both directions are alike.
struct LinkConfig {
    BitRate rate{50'000'000'000};
    Duration propagation{25'000'000};
    Bytes frame_overhead{82};
    double loss = 0.0;
    double bit_error_rate = 0.0;
    std::uint64_t seed = 1;

    template <class V>
    void fields(V& v) {
        v("rate", rate, above(BitRate::zero()), "Line rate of one direction.",
          "NetZIP paper (MICRO 2025): clusters at 10 to 50 Gb/s gain most");
        v("propagation", propagation, any(), "Flight time from end to end.", "5 ns/m of cable, 5 m");
        v("frame_overhead", frame_overhead, any(), "Preamble, headers, check sums and gap, per frame.",
          "RoCEv2 over Ethernet: 8 + 14 + 20 + 8 + 12 + 4 + 4 + 12 B");
        v("loss", loss, between(0.0, 1.0), "Probability that a frame is lost.", "assumption: a lossless fabric");
        v("bit_error_rate", bit_error_rate, between(0.0, 1.0), "Probability that a bit of a frame is wrong.",
          "assumption: corrected by FEC");
        v("seed", seed, any(), "Seed of losses and errors.", "fixed, so that runs repeat");
    }

    void unused(std::string const& place, UnusedParameters& unused) const;
};

/// A switch between the nodes.
struct SwitchConfig {
    bool present = false;
    bool cut_through = true;
    Duration latency{400'000'000};

    template <class V>
    void fields(V& v) {
        v("present", present, any(), "Put one switch between the nodes.", "assumption: back to back");
        v("cut_through", cut_through, any(), "False: a frame is received whole before it is sent on.",
          "data-centre switches of the Tomahawk class");
        v("latency", latency, any(), "First bit in to first bit out.",
          "published cut-through latencies of 200 to 800 ns");
    }

    void unused(std::string const& place, UnusedParameters& unused) const;
};

/// Host memory of each node.
struct HostConfig {
    Duration read_latency{150'000'000};
    Duration write_latency{100'000'000};

    template <class V>
    void fields(V& v) {
        v("read_latency", read_latency, any(), "Memory access behind the root complex, read.",
          "assumption: the rest of the read round trip is in nic.dma.pcie");
        v("write_latency", write_latency, any(), "Until a posted write is visible.", "assumption");
    }
};

enum class PayloadMode {
    bytes,  ///< bytes travel and are compared
    sizes,  ///< only sizes and work counts travel, from one pass of the codecs over the recording
};

template <>
struct EnumNames<PayloadMode> {
    static constexpr std::array values{std::pair{PayloadMode::bytes, "bytes"}, std::pair{PayloadMode::sizes, "sizes"}};
};

/// How the run is carried out.
struct RunConfig {
    std::string question;
    bool compare_plain = true;
    PayloadMode payload = PayloadMode::bytes;
    std::string cache;
    Duration watchdog{1'000'000'000'000};

    template <class V>
    void fields(V& v) {
        v("question", question, any(), "What this experiment asks, in a sentence; printed above the answer.", "-");
        v("compare_plain", compare_plain, any(), "Also send the same traffic without the accelerator.",
          "every report has a baseline");
        v("payload", payload, any(), "Whether bytes travel, or sizes and work counts alone.",
          "bytes: every bit is compared");
        v.file("cache", cache, any(),
               "Directory that keeps, for other runs, the numbers of the plain NIC and what the codecs did in runs of "
               "sizes; empty: none. Several runs at a time may use it.",
               "-");
        v("watchdog", watchdog, above(Duration::zero()), "Simulated time without progress after which the run fails.",
          "assumption: ten retransmission time-outs");
    }

    void unused(std::string const& place, UnusedParameters& unused) const;
};

/// Two nodes with the same NIC, a link between them, and what is sent.
struct ExperimentConfig {
    RunConfig run;
    NicConfig nic;
    HostConfig host;
    LinkConfig link;
    SwitchConfig network_switch;
    WorkloadConfig workload;
    BackgroundConfig background;
    CostConfig cost;

    template <class V>
    void fields(V& v) {
        v.section("run", run, "How the run is carried out.");
        v.section("nic", nic, "The NIC of both nodes.");
        v.section("host", host, "Host memory of both nodes.");
        v.section("link", link, "The link between them, one direction; both are alike.");
        v.section("switch", network_switch, "A switch between the nodes.");
        v.section("workload", workload, "What node A sends to node B.");
        v.section("background", background, "Uncompressed traffic that shares the NIC.");
        v.section("cost", cost, "What the accelerator is made of.");
    }

    /// Combinations of values that are each legal and together are not.
    void check(std::string const& place, Problems& problems) const;
    void unused(std::string const& place, UnusedParameters& unused) const;
};

}  // namespace netzip
