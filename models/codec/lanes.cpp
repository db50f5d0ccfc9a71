#include "models/codec/lanes.h"

#include "base/error.h"

namespace netzip {

void LaneWriter::start(std::size_t values) {
    std::size_t const per_lane = values / lanes_ + 1;
    capacity_ = per_lane * kLongestCode / 8 + 1 + sizeof(std::uint64_t);
    if (bytes_.size() < lanes_ * capacity_) bytes_.resize(lanes_ * capacity_);
    writers_.clear();
    for (std::size_t l = 0; l < lanes_; ++l) writers_.emplace_back(bytes_.data() + l * capacity_);
}

std::size_t LaneWriter::size(std::size_t lane) const {
    return static_cast<std::size_t>(writers_[lane].end() - (bytes_.data() + lane * capacity_));
}

bool LaneWriter::wide() const {
    for (std::size_t l = 0; l + 1 < lanes_; ++l)
        if (size(l) > 255) return true;
    return false;
}

void LaneWriter::append_lengths(ByteBuffer& out) const {
    bool const two = wide();
    for (std::size_t l = 0; l + 1 < lanes_; ++l) {
        out.push_back(static_cast<std::uint8_t>(size(l)));
        if (two) out.push_back(static_cast<std::uint8_t>(size(l) >> 8));
    }
}

void LaneWriter::append_stream(std::size_t lane, ByteBuffer& out) const {
    auto const* const from = bytes_.data() + lane * capacity_;
    out.insert(out.end(), from, from + size(lane));
}

ByteSpan take_bytes(ByteSpan& rest, std::size_t count) {
    if (count > rest.size()) throw RunError("block: ends before what its header announces");
    ByteSpan const taken = rest.first(count);
    rest = rest.subspan(count);
    return taken;
}

void LaneReader::read_lengths(ByteSpan& rest, bool wide) {
    for (std::size_t l = 0; l + 1 < lanes_; ++l) {
        ByteSpan const field = take_bytes(rest, wide ? 2 : 1);
        sizes_[l] = wide ? std::size_t{field[0]} | std::size_t{field[1]} << 8 : field[0];
    }
}

void LaneReader::start(ByteSpan streams) {
    ByteSpan rest = streams;
    for (std::size_t l = 0; l < lanes_; ++l) {
        if (l + 1 == lanes_) sizes_[l] = rest.size();
        readers_[l] = BitReader(take_bytes(rest, sizes_[l]));
    }
}

void LaneReader::check_exhausted() const {
    for (auto const& reader : readers_)
        if (!reader.exhausted()) throw RunError("block: a lane does not end where its last code ends");
}

}  // namespace netzip
