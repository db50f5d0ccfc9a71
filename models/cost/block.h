#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "models/cost/estimate.h"

namespace netzip {

/// What hardware is counted in. The first four are an FPGA's, the others an ASIC's; a block is counted in both.
enum class Resource {
    lut,
    ff,
    bram36,
    uram,
    gates,       ///< NAND2 equivalents, flip-flops excluded
    flop_bits,   ///< flip-flops
    sram_large,  ///< bits in macros of at least `asic.sram_large_threshold`
    sram_small,  ///< bits in smaller or many-banked macros
};

template <>
struct EnumNames<Resource> {
    static constexpr std::array values{std::pair{Resource::lut, "lut"},
                                       std::pair{Resource::ff, "ff"},
                                       std::pair{Resource::bram36, "bram36"},
                                       std::pair{Resource::uram, "uram"},
                                       std::pair{Resource::gates, "gates"},
                                       std::pair{Resource::flop_bits, "flop_bits"},
                                       std::pair{Resource::sram_large, "sram_large"},
                                       std::pair{Resource::sram_small, "sram_small"}};
};
inline constexpr std::size_t kResources = EnumNames<Resource>::values.size();

/// Amounts of every resource.
class Resources {
public:
    Number& operator[](Resource r) { return amounts_[static_cast<std::size_t>(r)]; }
    Number const& operator[](Resource r) const { return amounts_[static_cast<std::size_t>(r)]; }
    Resources& operator+=(Resources const& other) {
        for (std::size_t i = 0; i < kResources; ++i) amounts_[i] += other.amounts_[i];
        return *this;
    }
    friend Resources operator*(Resources a, double n) {
        for (auto& amount : a.amounts_) amount = amount * n;
        return a;
    }

private:
    std::array<Number, kResources> amounts_{};
};

enum class Direction { transmit, receive };

template <>
struct EnumNames<Direction> {
    static constexpr std::array values{std::pair{Direction::transmit, "tx"}, std::pair{Direction::receive, "rx"}};
};

/// What a run counts per stage.
enum class Counter {
    bytes_in,
    bytes_out,
    literals,
    match_bytes,
    busy_cycles,  ///< of all engines of a bank together
};

/// One contribution to a block, per instance.
struct Term {
    std::string what;  ///< "hash table, 4096 x 432 bit"
    Resource resource;
    Number amount;
};

/// Bits that a memory moves for each count of a counter; what ASIC dynamic energy follows.
struct Access {
    std::string what;
    Counter counter;
    double bits = 0.0;                       ///< read plus written, per count
    Resource memory = Resource::sram_large;  ///< sram_large, sram_small or flop_bits
};

/// A piece of hardware, `instances` times.
struct Block {
    std::string name;   ///< "LZ4 compressor"
    std::string stage;  ///< the stage it belongs to, a section of the configuration: "compressor", "tx_demux"
    Direction direction = Direction::transmit;
    std::uint64_t instances = 1;
    std::vector<Term> terms;
    std::vector<Access> accesses;

    Counter work = Counter::bytes_in;  ///< counts that make an instance active
    double cycles_per_count = 1.0;     ///< active cycles for each of them
    double clock_hz = 0.0;
    double reached_hz = 0.0;           ///< fastest published implementation on the FPGA; 0: none known
    double bytes_per_second = 0;       ///< tensor bytes one instance carries; 0: not a limit
    double peak_bytes_per_second = 0;  ///< the same when every cycle moves its full width
    std::vector<std::string> remarks;  ///< what the numbers leave out

    Resources per_instance() const {
        Resources sum;
        for (auto const& term : terms) sum[term.resource] += term.amount;
        return sum;
    }
    Resources total() const { return per_instance() * static_cast<double>(instances); }
};

}  // namespace netzip
