#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "base/config/range.h"
#include "models/algorithm.h"
#include "models/timing/compressor_bank.h"
#include "models/timing/pcie.h"
#include "models/timing/stage_timing.h"

namespace netzip {

class UnusedParameters;

/// What the NIC is built in; decides which cost tables apply.
enum class Technology { fpga, asic };

template <>
struct EnumNames<Technology> {
    static constexpr std::array values{std::pair{Technology::fpga, "fpga"}, std::pair{Technology::asic, "asic"}};
};

/// A stage of 64 B per cycle with the given pipeline depth.
inline StageConfig stage_of(std::uint64_t latency, Admission admission = Admission::cut_through,
                            std::uint64_t slots = 4) {
    StageConfig config;
    config.latency = Cycles{latency};
    config.admission = admission;
    config.slots = slots;
    return config;
}

/// Descriptor fetch, reads and writes of host memory.
struct DmaConfig {
    PcieConfig pcie;
    std::uint64_t tx_buffer = 32;
    std::uint64_t rx_buffer = 32;
    Bytes width{64};

    template <class V>
    void fields(V& v) {
        v("width", width, between(Bytes{1}, Bytes{1024}), "Bytes per cycle out of the transmit buffer.",
          "Corundum: 512-bit data path");
        v.section("pcie", pcie, "The link to the host.");
        v("tx_buffer", tx_buffer, between(1, 65536), "Packets read ahead into the transmit buffer.",
          "Corundum (U280, 100G): 128 KiB of transmit RAM");
        v("rx_buffer", rx_buffer, between(1, 65536), "Received packets held until they are written to the host.",
          "Corundum (U280, 100G): 128 KiB of receive RAM");
    }

    void unused(std::string const& place, UnusedParameters& unused) const;
};

/// RoCEv2 reliable connections.
struct ProtocolConfig {
    Bytes path_mtu{4096};
    std::uint64_t window = 64;
    std::uint64_t ack_every = 4;
    Duration ack_delay{1'000'000'000};
    Duration timeout{100'000'000'000};
    std::uint64_t retries = 7;
    Cycles latency{30};
    std::uint64_t tx_buffer = 8;
    Bytes width{64};
    Bytes reth{16};
    Bytes ack_frame{86};
    std::uint64_t rx_buffer = 32;

    template <class V>
    void fields(V& v) {
        v("path_mtu", path_mtu, between(Bytes{256}, Bytes{16384}),
          "Tensor bytes per packet, before compression and headers.",
          "InfiniBand architecture: 4096 is the largest MTU");
        v("window", window, between(1, 1'000'000), "Packets of a queue pair sent and not yet acknowledged.",
          "assumption");
        v("ack_every", ack_every, between(1, 1024), "Packets answered by one acknowledgement.",
          "assumption: hardware coalesces 1 per 2 to 16");
        v("ack_delay", ack_delay, above(Duration::zero()), "Longest wait of a coalesced acknowledgement.",
          "assumption");
        v("timeout", timeout, above(Duration::zero()), "Go back to the oldest packet after this long without progress.",
          "assumption: far below the 67 ms default of InfiniBand drivers, so that losses do not hide the rest");
        v("retries", retries, between(1, 1'000'000), "Time-outs in a row after which the run fails.",
          "InfiniBand architecture: the retry count of a queue pair has 3 bits");
        v("latency", latency, any(), "Pipeline depth of headers and check sums, each direction.", "assumption");
        v("tx_buffer", tx_buffer, between(1, 65536), "Packets that wait for the link or for the window.",
          "Corundum (U280, 100G): 32 KiB of transmit FIFO");
        v("width", width, between(Bytes{1}, Bytes{1024}), "Bytes per cycle of the engine.",
          "Corundum: 512-bit data path");
        v("reth", reth, any(), "Extended header of the first packet of a message.",
          "InfiniBand architecture: RETH 16 B");
        v("ack_frame", ack_frame, above(Bytes::zero()), "Bytes of an acknowledgement on the wire, gap included.",
          "RoCEv2: 14 + 20 + 8 + 12 + AETH 4 + ICRC 4 + FCS 4, + 20");
        v("rx_buffer", rx_buffer, between(1, 65536), "Packets that wait for the receive path before the link pauses.",
          "Corundum (U280, 100G): 128 KiB of receive FIFO");
    }

    void unused(std::string const& place, UnusedParameters& unused) const;
};

/// One NIC: what it is made of.
struct NicConfig {
    Technology technology = Technology::fpga;
    bool accelerator = true;
    Frequency clock{300'000'000};
    AlgorithmConfig algorithm;
    std::uint64_t base_registers = 32768;

    StageConfig tx_demux = stage_of(4);
    StageConfig delta_encoder = stage_of(10);
    StageConfig staging_buffer = stage_of(6, Admission::store_and_forward, 2);
    StageConfig grouper = stage_of(6);
    CompressorConfig compressor;
    StageConfig merge = stage_of(9, Admission::store_and_forward);
    StageConfig tx_slices = stage_of(12);
    StageConfig tx_mux = stage_of(4);
    StageConfig tx_bypass = stage_of(8);

    StageConfig rx_demux = stage_of(4);
    DecompressorConfig decompressor;
    StageConfig ungrouping_buffer = stage_of(6, Admission::store_and_forward, 2);
    StageConfig ungrouper = stage_of(6);
    StageConfig delta_decoder = stage_of(6);
    StageConfig rx_slices = stage_of(4);
    StageConfig rx_mux = stage_of(4);
    StageConfig rx_bypass = stage_of(8);

    DmaConfig dma;
    ProtocolConfig protocol;

    template <class V>
    void fields(V& v) {
        v("technology", technology, any(), "What the accelerator is built in; decides which cost tables apply.",
          "NetZIP paper (MICRO 2025): prototype in an FPGA, estimate for an ASIC");
        v("accelerator", accelerator, any(), "False: a plain NIC, every packet bypasses, no NetZIP header.",
          "NetZIP paper (MICRO 2025)");
        v("clock", clock, above(Frequency::zero()), "Clock of every stage that does not name its own.",
          "NetZIP paper (MICRO 2025): 300 MHz in the FPGA, 1 GHz in the ASIC");
        v("base_registers", base_registers, between(1, 32768),
          "Layers whose delta base the NIC remembers; layer ids share them modulo their number.",
          "NetZIP paper (MICRO 2025): 15-bit layer id");
        v.section("algorithm", algorithm, "Delta, grouping and codec.");
        v.section("tx_demux", tx_demux, "Separates flagged packets from those that bypass.");
        v.section("delta_encoder", delta_encoder, "Subtracts the base and keeps the running minimum.");
        v.section("staging_buffer", staging_buffer, "Holds whole packets; one half fills while the other empties.");
        v.section("grouper", grouper, "Reads the staging buffer group by group.");
        v.section("compressor", compressor, "Bank of compression engines.");
        v.section("merge", merge, "Collects a compressed packet, checks its size, appends the base.");
        v.section("tx_slices", tx_slices, "Register slices that carry the stream across the chip.");
        v.section("tx_mux", tx_mux, "Joins compressed and bypassing packets in queue-pair order.");
        v.section("tx_bypass", tx_bypass, "Buffer of packets that do not go through the accelerator.");
        v.section("rx_demux", rx_demux, "Separates compressed packets from the others.");
        v.section("decompressor", decompressor, "Bank of decompression engines.");
        v.section("ungrouping_buffer", ungrouping_buffer, "Holds whole decompressed packets.");
        v.section("ungrouper", ungrouper, "Puts the bits of every value together again.");
        v.section("delta_decoder", delta_decoder, "Adds the base.");
        v.section("rx_slices", rx_slices, "Register slices that carry the stream across the chip.");
        v.section("rx_mux", rx_mux, "Joins restored and bypassing packets in queue-pair order.");
        v.section("rx_bypass", rx_bypass, "Buffer of packets that do not go through the accelerator.");
        v.section("dma", dma, "DMA engine.");
        v.section("protocol", protocol, "Protocol engine.");
    }

    /// Combinations of values that are each legal and together are not.
    void check(std::string const& place, Problems& problems) const;
    void unused(std::string const& place, UnusedParameters& unused) const;
};

}  // namespace netzip
