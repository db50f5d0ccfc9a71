#pragma once

#include <cstdint>
#include <vector>

#include "models/codec/bit_stream.h"
#include "models/codec/canonical_code.h"

namespace netzip {

/// Code streams side by side: value i of a packet has its code in stream i mod lanes.
class LaneWriter {
public:
    /// Longest code with an escaped exponent field behind it.
    static constexpr unsigned kLongestCode = 24;

    explicit LaneWriter(std::size_t lanes) : lanes_(lanes) {}
    void start(std::size_t values);
    std::size_t lane_of(std::size_t value) const { return value % lanes_; }
    std::size_t after(std::size_t lane) const { return lane + 1 == lanes_ ? 0 : lane + 1; }
    BitWriter& lane(std::size_t lane) { return writers_[lane]; }
    /// True when a length that is written needs two bytes.
    bool wide() const;
    void append_lengths(ByteBuffer& out) const;
    void append_stream(std::size_t lane, ByteBuffer& out) const;
    std::size_t lanes() const { return lanes_; }

private:
    std::size_t size(std::size_t lane) const;

    std::size_t lanes_;
    std::size_t capacity_ = 0;
    ByteBuffer bytes_;
    std::vector<BitWriter> writers_;
};

/// The receiving side; every fault throws RunError.
class LaneReader {
public:
    explicit LaneReader(std::size_t lanes) : lanes_(lanes), sizes_(lanes), readers_(lanes) {}
    /// Takes the lengths off the front of `rest`.
    void read_lengths(ByteSpan& rest, bool wide);
    /// `streams` are the bytes of all lanes.
    void start(ByteSpan streams);
    std::size_t lane_of(std::size_t value) const { return value % lanes_; }
    std::size_t after(std::size_t lane) const { return lane + 1 == lanes_ ? 0 : lane + 1; }
    BitReader& lane(std::size_t lane) { return readers_[lane]; }
    void check_exhausted() const;
    /// Bytes of each lane, after start().
    std::vector<std::size_t> const& sizes() const { return sizes_; }

private:
    std::size_t lanes_;
    std::vector<std::size_t> sizes_;
    std::vector<BitReader> readers_;
};

/// Takes `count` bytes off the front of `rest`; throws RunError when there are fewer.
ByteSpan take_bytes(ByteSpan& rest, std::size_t count);

}  // namespace netzip
