#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/config/range.h"
#include "base/data_type.h"

namespace netzip {

class UnusedParameters;

/// Where the messages come from.
enum class WorkloadSource {
    recorded,   ///< tensor files, with or without a manifest
    synthetic,  ///< tensors made from a seed
    capture,    ///< RDMA writes of a packet capture, at their recorded times
};

/// When a message may be posted.
enum class ReplayMode {
    closed,  ///< as soon as fewer than `outstanding` messages are unfinished
    open,    ///< at the given rate, whatever the NIC does
};

enum class SyntheticValues {
    normal,  ///< bf16 of a normal variable
    zeros,   ///< every bit zero
    random,  ///< every bit random: nothing compresses
};

template <>
struct EnumNames<WorkloadSource> {
    static constexpr std::array values{std::pair{WorkloadSource::recorded, "recorded"},
                                       std::pair{WorkloadSource::synthetic, "synthetic"},
                                       std::pair{WorkloadSource::capture, "capture"}};
};
template <>
struct EnumNames<ReplayMode> {
    static constexpr std::array values{std::pair{ReplayMode::closed, "closed"}, std::pair{ReplayMode::open, "open"}};
};
template <>
struct EnumNames<SyntheticValues> {
    static constexpr std::array values{std::pair{SyntheticValues::normal, "normal"},
                                       std::pair{SyntheticValues::zeros, "zeros"},
                                       std::pair{SyntheticValues::random, "random"}};
};

/// Tensors made from a seed; every iteration has the same names and sizes and other values.
struct SyntheticConfig {
    SyntheticValues values = SyntheticValues::normal;
    std::uint64_t tensors = 4;
    Bytes tensor_size{256 * 1024};
    double sigma = 0.001;
    double zero_share = 0;
    std::uint64_t seed = 1;

    template <class V>
    void fields(V& v) {
        v("values", values, any(), "What the elements are: normal (bf16), zeros or random bits.", "assumption");
        v("tensors", tensors, between(1, 32767), "Tensors per iteration, each a layer of its own.", "assumption");
        v("tensor_size", tensor_size, at_least(Bytes{1}), "Bytes of every tensor.", "assumption");
        v("sigma", sigma, between(1e-30, 1e30), "Standard deviation of the normal values.",
          "assumption: gradients of the recordings lie near 1e-4 to 1e-2");
        v("zero_share", zero_share, between(0, 1), "Share of the normal values that is exactly zero.", "assumption");
        v("seed", seed, any(), "Seed of the values; equal seeds give equal bytes on every machine.", "assumption");
    }
};

/// What the NIC is asked to send: which tensors, in what pieces and when.
struct WorkloadConfig {
    WorkloadSource source = WorkloadSource::recorded;
    std::vector<std::string> files{"workloads/recorded"};
    std::vector<std::string> kinds;
    std::vector<std::string> phases;
    std::string dtype;
    std::uint64_t iterations = 2;
    std::uint64_t repeat = 1;
    bool verify = false;
    Bytes header_limit{100'000'000};
    bool allow_trailing = false;
    Bytes message_size{512 * 1024};
    std::uint64_t queue_pairs = 1;
    bool compress = true;
    ReplayMode replay = ReplayMode::closed;
    std::uint64_t outstanding = 8;
    BitRate rate{50'000'000'000};
    SyntheticConfig synthetic;

    template <class V>
    void fields(V& v) {
        v("source", source, any(), "Where the messages come from: recorded, synthetic or capture.", "assumption");
        v.file("files", files, any(),
               "Recordings: directories, manifests or tensor files; for a capture, one pcap or pcapng file.",
               "the recordings that ship with netzipsim");
        v("kinds", kinds, any(), "Only tensors of these kinds; empty means all.", "assumption");
        v("phases", phases, any(), "Only tensors of these phases; empty means all.", "assumption");
        v("dtype", dtype, any(), "Element type of files that do not say (bf16, fp16, fp32, fp8_e4m3, fp8_e5m2).",
          "NumPy has no bf16: it is saved as 16-bit integers or void");
        v("iterations", iterations, between(1, 1'000'000),
          "Iterations sent, from the first on; fewer when fewer exist.",
          "NetZIP paper (MICRO 2025): the delta base comes from the previous iteration");
        v("repeat", repeat, between(1, 1'000'000), "How often the whole sequence of iterations is sent.", "assumption");
        v("verify", verify, any(), "Compare every recorded tensor with the SHA-256 of its manifest before sending.",
          "assumption");
        v("header_limit", header_limit, at_least(Bytes{2}), "Largest header of a safetensors file that is parsed.",
          "safetensors refuses larger ones, too");
        v("allow_trailing", allow_trailing, any(), "Accept a safetensors file with bytes behind its last tensor.",
          "safetensors refuses them");
        v("message_size", message_size, between(Bytes{64}, Bytes{1ull << 30}),
          "A tensor travels as RDMA writes of at most this size; a multiple of 64 B.",
          "NCCL: buffers of 4 MiB (NCCL_BUFFSIZE) in 8 steps");
        v("queue_pairs", queue_pairs, between(1, 4096), "Queue pairs; a layer stays on one of them.", "assumption");
        v("compress", compress, any(), "Set the compression flag of the messages.", "NetZIP paper (MICRO 2025)");
        v("replay", replay, any(), "When a message may be posted: closed or open.", "assumption");
        v("outstanding", outstanding, between(1, 65536), "Closed replay: messages posted and not yet finished.",
          "assumption");
        v("rate", rate, above(BitRate::zero()), "Open replay: tensor bytes offered per time.", "assumption");
        v.section("synthetic", synthetic, "Tensors made from a seed.");
    }

    void unused(std::string const& place, UnusedParameters& unused) const;
};

}  // namespace netzip
