#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/algorithm.h"
#include "tools/ratio/floor.h"
#include "workloads/recording.h"

namespace netzip {

/// What a combination did to some packets.
struct Measured {
    std::uint64_t packets = 0;
    std::uint64_t raw_packets = 0;  ///< would have grown or stayed equal, and travel as they are
    std::uint64_t original = 0;     ///< bytes
    std::uint64_t compressed = 0;   ///< bytes, with every header and base
    std::uint64_t values = 0;
    std::uint64_t lost = 0;  ///< values that did not come back bit by bit

    Measured& operator+=(Measured const& other);
    double ratio() const { return static_cast<double>(compressed) / static_cast<double>(original); }
    double lost_share() const { return static_cast<double>(lost) / static_cast<double>(values); }
};

/// One tensor over its iterations.
struct RatioLayer {
    std::string name;
    std::string kind;
    std::string phase;
    int layer = -1;  ///< of the model
    DataType type = DataType::bf16;
    std::vector<TensorRef const*> iterations;
    bool neutral_base = false;  ///< one iteration only: nothing came before it

    /// Iterations from here on are reported; earlier ones only feed the deltas.
    std::size_t first_reported() const { return neutral_base ? 0 : 1; }
};

/// The layers of a recording in the order of their ids; tensors without bytes are left out.
std::vector<RatioLayer> layers_of(Recording const& recording);

struct RatioOptions {
    std::uint64_t packet_size = 4096;  ///< bytes
    bool whole = false;                ///< whole tensors instead of packets
    unsigned threads = 1;
};

struct RatioResult {
    std::vector<AlgorithmConfig> combinations;
    std::vector<RatioLayer> layers;
    std::vector<Floor> floors;                 ///< per layer
    std::vector<std::vector<Measured>> cells;  ///< per combination, per layer

    Measured sum(std::size_t combination, std::string const& kind = "") const;  ///< all kinds when empty
    Floor floor(std::string const& kind = "") const;
    std::vector<std::string> kinds() const;  ///< sorted
};

/// Called now and then by the calling thread with the number of bytes done.
using RatioProgress = std::function<void(std::uint64_t)>;

/// Encodes, decodes and compares every packet of every layer with every combination. The result does not depend on
/// the number of threads. Throws UsageError for a combination that cannot be had for whole tensors.
RatioResult measure_ratios(Recording const& recording, std::vector<AlgorithmConfig> const& combinations,
                           RatioOptions const& options, RatioProgress const& progress);

/// Bytes that `measure_ratios` goes through.
std::uint64_t ratio_work(Recording const& recording, std::size_t combinations);

/// Calls `job(0)` to `job(count - 1)` from `threads` threads, and `idle` now and then from this one. The exception of
/// the first job that threw one is thrown again when all have ended.
void run_jobs(std::size_t count, unsigned threads, std::function<void(std::size_t)> const& job,
              std::function<void()> const& idle);

/// Feeds `body` a tensor in pieces of whole packets: offset and bytes.
void for_each_packet(TensorRef const& tensor, std::uint64_t packet_size,
                     std::function<void(std::uint64_t, ByteSpan)> const& body);

}  // namespace netzip
