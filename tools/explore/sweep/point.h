#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace netzip {

/// One parameter set to one value, both as `--set` spells them.
struct Assignment {
    std::string key;    ///< full path, "nic.compressor.engines"
    std::string value;  ///< "22", "300 MHz", "packet"
    std::string place;  ///< "file:line:column" of the value, for messages only

    friend bool operator==(Assignment const& a, Assignment const& b) { return a.key == b.key && a.value == b.value; }
};
using Assignments = std::vector<Assignment>;

/// One design of a sweep.
struct Point {
    std::uint64_t index = 0;  ///< position in the sweep, from 0; the same on every machine
    Assignments axes;         ///< the values that tell it from the other points, in the order of the axes
};

/// "nic.compressor.engines=22, nic.compressor.clock=300 MHz": what names the point in results and messages.
std::string point_key(Assignments const& axes);

/// Share k of n: the points whose index is k modulo n, so that a costly corner is spread.
struct Shard {
    std::uint64_t k = 0;
    std::uint64_t n = 1;

    bool holds(std::uint64_t index) const { return index % n == k; }
    bool whole() const { return n == 1; }
};

/// Reads "3/8", k from 0. Throws UsageError.
Shard parse_shard(std::string const& text);
std::string to_string(Shard const& shard);

}  // namespace netzip
