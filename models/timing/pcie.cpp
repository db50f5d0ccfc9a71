#include "models/timing/pcie.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/random.h"

namespace netzip {

__extension__ using Wide = unsigned __int128;

namespace {

// PCIe base specification: 2.5 GT/s doubled, from generation 3 on 8 GT/s.
constexpr std::uint64_t kGeneration3 = 8'000'000'000;
// Skip ordered sets: 4 symbols in 1538 for clock compensation.
constexpr std::uint64_t kSkip = 4;
constexpr std::uint64_t kSkipInterval = 1538;

/// Symbol times between acknowledgements, and between credit updates: ((MPS + 28) * factor / lanes) + 115, the
/// tables of the PCIe base specification for 8 GT/s and up. Factors in tenths.
std::uint64_t acknowledge_limit(std::uint64_t mps, std::uint64_t lanes) {
    constexpr std::uint64_t kPacketOverhead = 28;
    constexpr std::uint64_t kInternalDelay = 115;
    std::uint64_t factor = lanes >= 16 ? 20 : 10;
    if (mps < 512) factor = lanes >= 16 ? 30 : lanes >= 8 ? 25 : 14;
    return (mps + kPacketOverhead) * factor / (10 * lanes) + kInternalDelay;
}

/// Headers for `bytes` cut into pieces of `piece`.
std::uint64_t headers(Bytes bytes, Bytes piece) {
    return beats(bytes.count(), piece.count()).count();
}

// Quantiles of the jitter in thousandths of its 99.9 % value; linear between. Assumption.
struct Quantile {
    std::uint64_t probability;  ///< in 1/1000
    std::uint64_t value;
};
constexpr std::array kJitter{Quantile{0, 0},     Quantile{500, 100},  Quantile{900, 300},
                             Quantile{990, 650}, Quantile{999, 1000}, Quantile{1000, 2000}};

}  // namespace

BitRate PcieConfig::symbol_rate() const {
    if (generation < 3 || generation > 5) throw UsageError("PCIe generation: expected 3, 4 or 5");
    if (lanes == 0 || lanes > 16 || (lanes & (lanes - 1)) != 0) {
        throw UsageError("PCIe lanes: expected 1, 2, 4, 8 or 16, got " + std::to_string(lanes));
    }
    return BitRate{(kGeneration3 << (generation - 3)) * lanes};
}

BitRate PcieConfig::packet_rate() const {
    std::uint64_t const limit = acknowledge_limit(mps.count(), lanes);
    // raw * 128 / 130 * (1 - 2 * dllp / limit - skip / interval)
    std::uint64_t const whole = limit * kSkipInterval;
    std::uint64_t const lost = 2 * dllp.count() * kSkipInterval + kSkip * limit;
    if (lost >= whole) throw UsageError("PCIe: acknowledgements and credit updates leave nothing of the link");
    Wide const rate = Wide{symbol_rate().count()} * 128 * (whole - lost) / (Wide{130} * whole);
    return BitRate{static_cast<std::uint64_t>(rate)};
}

Bytes PcieConfig::write_bytes(Bytes bytes) const {
    return bytes + write_header * headers(bytes, mps);
}

Bytes PcieConfig::request_bytes(Bytes bytes) const {
    return request_header * headers(bytes, mrrs);
}

Bytes PcieConfig::completion_bytes(Bytes bytes) const {
    std::uint64_t const whole = bytes.count() / mrrs.count();
    Bytes const rest{bytes.count() % mrrs.count()};
    return bytes + completion_header * (whole * headers(mrrs, mps) + headers(rest, mps));
}

double PcieConfig::write_bandwidth(Bytes bytes) const {
    Duration const engine = write_setup * headers(bytes, mps) + transfer_time(bytes, write_engine);
    return mean_rate(bytes, std::max(engine, transfer_time(write_bytes(bytes), packet_rate())));
}

double PcieConfig::read_bandwidth(Bytes bytes, Duration round_trip) const {
    Duration const link = transfer_time(completion_bytes(bytes), packet_rate());
    Duration const engine = read_setup * headers(bytes, mrrs) + transfer_time(bytes, read_engine);
    double const unlimited = mean_rate(bytes, std::max(link, engine));
    if (round_trip == Duration::zero()) return unlimited;
    // A tag is taken from the request to the last byte of its completion.
    Bytes const request = std::min(bytes, mrrs);
    Duration const held = round_trip + transfer_time(completion_bytes(request), packet_rate());
    return std::min(unlimited, mean_rate(request * tags, held));
}

PcieTimer::PcieTimer(PcieConfig const& config)
    : config_(config),
      rate_(config.packet_rate()),
      full_read_(read_chunk(config.mrrs)),
      full_write_(write_chunk(config.mps)),
      request_(transfer_time(config.request_header, rate_)),
      tags_(config.tags, Duration{0}),
      random_(config.seed) {}

PcieTimer::Chunk PcieTimer::read_chunk(Bytes bytes) const {
    return {bytes, config_.read_setup + transfer_time(bytes, config_.read_engine),
            transfer_time(config_.completion_bytes(bytes), rate_)};
}

PcieTimer::Chunk PcieTimer::write_chunk(Bytes bytes) const {
    return {bytes, config_.write_setup + transfer_time(bytes, config_.write_engine),
            transfer_time(config_.write_bytes(bytes), rate_)};
}

Duration PcieTimer::jitter() {
    if (config_.read_jitter == Duration::zero()) return Duration{0};
    // A million steps of probability.
    std::uint64_t const p = next_random(random_) % 1'000'000;
    std::size_t i = 1;
    while (kJitter[i].probability * 1000 <= p) ++i;
    Quantile const& low = kJitter[i - 1];
    Quantile const& high = kJitter[i];
    std::uint64_t const inside = p - low.probability * 1000;
    std::uint64_t const width = (high.probability - low.probability) * 1000;
    std::uint64_t const value = low.value * 1000 + (high.value - low.value) * 1000 * inside / width;
    return Duration{config_.read_jitter.count() / 1'000'000 * value};
}

TransferTimes PcieTimer::read(Duration issue, Bytes bytes, Duration memory) {
    Duration const late = jitter();
    Duration const latency = config_.read_latency + memory;
    TransferTimes times{issue, issue, issue};
    for (Bytes left = bytes; left > Bytes::zero();) {
        Chunk const chunk = left >= config_.mrrs ? full_read_ : read_chunk(left);
        Duration& tag = tags_[tag_at_];
        tag_at_ = tag_at_ + 1 == tags_.size() ? 0 : tag_at_ + 1;
        Duration const sent = std::max({issue, tag, read_engine_free_, up_free_});
        read_engine_free_ = sent + chunk.engine;
        up_free_ = sent + request_;
        busy_up_ += request_;
        Duration const begin = std::max(up_free_ + latency, down_free_);
        down_free_ = begin + chunk.link;
        busy_down_ += chunk.link;
        tag = down_free_ + late;
        if (left == bytes) times.head = begin + late;
        times.tail = tag;
        left -= chunk.bytes;
    }
    last_head_ = times.head = std::max(times.head, last_head_);
    last_tail_ = times.tail = std::max(times.tail, last_tail_);
    times.done = times.tail;
    return times;
}

TransferTimes PcieTimer::write(Duration issue, Bytes bytes, Duration memory) {
    TransferTimes times{Duration::max(), issue, issue};
    for (Bytes left = bytes; left > Bytes::zero();) {
        Chunk const chunk = left >= config_.mps ? full_write_ : write_chunk(left);
        left -= chunk.bytes;
        Duration const sent = std::max({issue, write_engine_free_, up_free_});
        write_engine_free_ = sent + chunk.engine;
        up_free_ = sent + chunk.link;
        busy_up_ += chunk.link;
        times.head = std::min(times.head, sent);
        times.tail = up_free_;
    }
    if (bytes == Bytes::zero()) times.head = issue;
    times.done = times.tail + config_.write_latency + memory;
    return times;
}

}  // namespace netzip
