#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "models/codec/codec.h"

namespace netzip {

static_assert(std::endian::native == std::endian::little, "packets are read and written as little-endian words");

/// Packs bits into bytes from bit 0 up. The buffer needs eight bytes beyond the last one written.
class BitWriter {
public:
    explicit BitWriter(std::uint8_t* to) : at_(to) {}

    /// Up to 56 bits; those of `bits` above `count` are zero.
    void put(std::uint64_t bits, unsigned count) {
        word_ |= bits << filled_;
        filled_ += count;
        std::memcpy(at_, &word_, sizeof word_);
        at_ += filled_ / 8;
        word_ >>= filled_ & ~7U;
        filled_ &= 7U;
    }
    /// One past the last byte, the padded one included.
    std::uint8_t* end() const { return at_ + (filled_ != 0 ? 1 : 0); }

private:
    std::uint8_t* at_;
    std::uint64_t word_ = 0;
    unsigned filled_ = 0;
};

/// Reads what BitWriter wrote; beyond the end it reads zeros and remembers it.
class BitReader {
public:
    BitReader() = default;
    explicit BitReader(ByteSpan in) : at_(in.data()), end_(in.data() + in.size()) {}

    /// At least 56 bits, not yet taken.
    std::uint64_t peek() {
        if (end_ - at_ >= 8) {
            std::uint64_t next = 0;
            std::memcpy(&next, at_, sizeof next);
            word_ |= next << filled_;
            unsigned const bytes = (63 - filled_) / 8;
            at_ += bytes;
            filled_ += 8 * bytes;
        } else {
            while (filled_ <= 56 && at_ != end_) {
                word_ |= std::uint64_t{*at_++} << filled_;
                filled_ += 8;
            }
        }
        return word_;
    }
    void skip(unsigned count) {
        if (count > filled_) overrun_ = true;
        word_ >>= count;
        filled_ -= count > filled_ ? filled_ : count;
    }
    std::uint64_t take(unsigned count) {
        std::uint64_t const bits = peek() & ((std::uint64_t{1} << count) - 1);
        skip(count);
        return bits;
    }
    /// All bytes used, nothing read beyond them, padding zero.
    bool exhausted() const { return !overrun_ && at_ == end_ && filled_ < 8 && word_ == 0; }

private:
    std::uint8_t const* at_ = nullptr;
    std::uint8_t const* end_ = nullptr;
    std::uint64_t word_ = 0;
    unsigned filled_ = 0;
    bool overrun_ = false;
};

}  // namespace netzip
