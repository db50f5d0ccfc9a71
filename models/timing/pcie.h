#pragma once

#include <cstdint>
#include <vector>

#include "base/config/range.h"

namespace netzip {

/// The PCIe link of a NIC and the DMA engine at its end.
struct PcieConfig {
    std::uint64_t generation = 3;
    std::uint64_t lanes = 16;
    Bytes mps{256};
    Bytes mrrs{512};
    std::uint64_t tags = 256;
    Duration read_latency{400'000'000};
    Duration read_jitter{26'000'000};
    Duration write_latency{200'000'000};
    std::uint64_t seed = 1;
    Duration doorbell{250'000'000};
    bool inline_descriptors = false;
    Bytes descriptor{64};
    Bytes completion{64};
    Bytes request_header{24};
    Bytes write_header{24};
    Bytes completion_header{20};
    Bytes dllp{8};
    Duration read_setup{0};
    Duration write_setup{0};
    BitRate read_engine{128'000'000'000};
    BitRate write_engine{128'000'000'000};

    template <class V>
    void fields(V& v) {
        v("generation", generation, between(3, 5), "PCI Express generation; 8, 16 or 32 GT/s per lane, 128b/130b.",
          "Alveo U280: Gen3 x16");
        v("lanes", lanes, between(1, 16), "Lanes: 1, 2, 4, 8 or 16.", "Alveo U280: Gen3 x16");
        v("mps", mps, between(Bytes{128}, Bytes{4096}), "Maximum payload of a packet.",
          "ConnectX-5 and Corundum on most hosts: 256");
        v("mrrs", mrrs, between(Bytes{128}, Bytes{4096}), "Maximum read request.", "Corundum: 512");
        v("tags", tags, between(1, 4096), "Read requests in flight.", "Corundum (U280, 100G): 256");
        v("read_latency", read_latency, any(),
          "Read request to the first byte of its completion, memory access excluded.",
          "PCIe-bench (SIGCOMM 2018): 546 to 600 ns for 64 B on Xeon, less 150 ns of memory");
        v("read_jitter", read_jitter, any(), "What a read in a thousand takes longer; the rest by a fixed table.",
          "PCIe-bench (SIGCOMM 2018): median 600 ns, 99.9 % 626 ns; the shape is an assumption");
        v("write_latency", write_latency, any(), "Last byte of a write on the link until it is at the memory.",
          "PCIe-bench (SIGCOMM 2018): write and read 800 ns, read 600 ns");
        v("seed", seed, any(), "Seed of the jitter.", "fixed, so that runs repeat");
        v("doorbell", doorbell, any(), "Write of the processor to the NIC's register.",
          "half of a round trip: 240 to 260 ns");
        v("inline_descriptors", inline_descriptors, any(), "The doorbell carries the descriptor: no descriptor read.",
          "assumption: off; ConnectX calls it BlueFlame");
        v("descriptor", descriptor, between(Bytes{1}, Bytes{4096}), "Bytes of a descriptor, read per message.",
          "ConnectX: work queue element of 64 B");
        v("completion", completion, between(Bytes{0}, Bytes{4096}), "Bytes of a completion entry, written per message.",
          "ConnectX: completion queue element of 64 B");
        v("request_header", request_header, between(Bytes{16}, Bytes{64}),
          "A read request on the link, framing and sequence included.",
          "PCIe base specification, 64-bit address: 8 + 4 + 12");
        v("write_header", write_header, between(Bytes{16}, Bytes{64}), "What a write packet adds to its payload.",
          "PCIe base specification, 64-bit address: 8 + 4 + 12");
        v("completion_header", completion_header, between(Bytes{16}, Bytes{64}),
          "What a completion adds to its payload.", "PCIe base specification: 8 + 4 + 8");
        v("dllp", dllp, between(Bytes{0}, Bytes{64}), "An acknowledgement or credit update on the link.",
          "PCIe base specification: 2 + 4 + 2; sent at the rates of its tables");
        v("read_setup", read_setup, any(), "Time of the DMA engine per read request, beside its rate.",
          "assumption: pipelined; an NFP-6000 fits 8.6 ns");
        v("write_setup", write_setup, any(), "Time of the DMA engine per write packet, beside its rate.",
          "assumption: pipelined; an NFP-6000 fits 15.8 ns");
        v("read_engine", read_engine, above(BitRate::zero()), "Rate of the DMA engine's read side.",
          "Corundum: 512 bits at 250 MHz; an NFP-6000 fits 60.6 Gb/s");
        v("write_engine", write_engine, above(BitRate::zero()), "Rate of the DMA engine's write side.",
          "Corundum: 512 bits at 250 MHz; an NFP-6000 fits 97 Gb/s");
    }

    /// The rate of the link before encoding is taken off: generation times lanes.
    BitRate symbol_rate() const;
    /// What is left for transaction-layer packets: 128b/130b, acknowledgements and credit updates at the rates that
    /// the specification recommends, and skip ordered sets.
    BitRate packet_rate() const;
    /// Bytes on the link to write `bytes`, towards the host.
    Bytes write_bytes(Bytes bytes) const;
    /// Bytes on the link to ask for `bytes`, towards the host.
    Bytes request_bytes(Bytes bytes) const;
    /// Bytes on the link of the completions, towards the NIC.
    Bytes completion_bytes(Bytes bytes) const;
    /// Payload bits per second of an endless row of writes of `bytes`; with the DMA engine's own limit.
    double write_bandwidth(Bytes bytes) const;
    /// The same for reads with enough tags; `round_trip` zero leaves the tags out.
    double read_bandwidth(Bytes bytes, Duration round_trip = Duration{0}) const;
};

/// When a transfer was on the link, seen from the NIC.
struct TransferTimes {
    Duration head{0};  ///< read: first byte is in the NIC; write: first byte leaves the NIC
    Duration tail{0};  ///< last byte
    Duration done{0};  ///< write: at the memory; read: as tail
};

/// Both directions of the link, the tags, and the DMA engine, transfer by transfer, in order of their issue times.
///
/// Models:          serialisation of requests and writes towards the host and of completions towards the NIC, headers
///                  per packet, tags in flight, and the engine's own interval per request.
/// Approximates:    a slow read delays its own bytes and tag, not the completions behind it; addresses are aligned to
///                  the read completion boundary; acknowledgements and credit updates lower the rate evenly.
/// Does not model:  credits that run out, IOMMU misses, replay.
class PcieTimer {
public:
    explicit PcieTimer(PcieConfig const& config);

    /// Reads `bytes`; all requests are issued from `issue` on, in order of the calls. `memory` is the access time
    /// behind the root complex. Heads and tails come in order.
    TransferTimes read(Duration issue, Bytes bytes, Duration memory);
    /// Writes `bytes` that are in the NIC from `issue` on.
    TransferTimes write(Duration issue, Bytes bytes, Duration memory);

    Duration doorbell() const { return config_.doorbell; }
    /// Time in which completions, or requests and writes, were on the link.
    Duration busy_down() const { return busy_down_; }
    Duration busy_up() const { return busy_up_; }

private:
    struct Chunk {
        Bytes bytes{0};
        Duration engine{0};  ///< of the DMA engine
        Duration link{0};    ///< of payload and headers
    };
    Chunk read_chunk(Bytes bytes) const;
    Chunk write_chunk(Bytes bytes) const;
    Duration jitter();

    PcieConfig config_;
    BitRate rate_;
    Chunk full_read_;
    Chunk full_write_;
    Duration request_;  ///< of one read request on the link
    Duration up_free_{0};
    Duration down_free_{0};
    Duration read_engine_free_{0};
    Duration write_engine_free_{0};
    Duration last_head_{0};
    Duration last_tail_{0};
    Duration busy_up_{0};
    Duration busy_down_{0};
    std::vector<Duration> tags_;  ///< ring: when each tag is free
    std::size_t tag_at_ = 0;
    std::uint64_t random_;
};

}  // namespace netzip
