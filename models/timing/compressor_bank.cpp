#include "models/timing/compressor_bank.h"

#include <algorithm>

#include "base/error.h"
#include "models/timing/engine_factory.h"

namespace netzip {

namespace {

/// The part of `work` that covers the original bytes from..to: matches are cut at the borders, parts in proportion.
void cut(BlockWork const& work, std::uint64_t from, std::uint64_t to, BlockWork& slice) {
    slice.reset();
    slice.bytes_in = static_cast<std::uint32_t>(to - from);
    slice.bytes_out = static_cast<std::uint32_t>(std::uint64_t{work.bytes_out} * (to - from) / work.bytes_in);
    slice.stored_raw = work.stored_raw;
    std::uint64_t at = 0;
    auto const overlap = [&](std::uint64_t length) {
        std::uint64_t const low = std::max(at, from);
        std::uint64_t const high = std::min(at + length, to);
        at += length;
        return static_cast<std::uint16_t>(high > low ? high - low : 0);
    };
    for (LzSequence const& s : work.sequences) {
        std::uint16_t literals = overlap(s.literals);
        std::uint16_t match = overlap(s.match_length);
        if (match > 0 && match < 4) {  // too short to be a match of its own
            literals = static_cast<std::uint16_t>(literals + match);
            match = 0;
        }
        if (literals == 0 && match == 0) continue;
        slice.sequences.push_back({literals, match, s.offset});
        slice.literals += literals;
        slice.match_bytes += match;
        slice.matches += match > 0 ? 1 : 0;
    }
    if (work.parts.empty()) return;
    slice.bytes_out = 0;
    for (std::uint64_t const part : work.parts) {
        auto const share = static_cast<std::uint32_t>(part * to / work.bytes_in - part * from / work.bytes_in);
        slice.parts.push_back(share);
        slice.bytes_out += share;
    }
}

/// Where the k-th of n slices of a block begins.
std::uint64_t border(BlockWork const& work, std::uint64_t k, std::uint64_t n) {
    return std::uint64_t{work.bytes_in} * k / n;
}

}  // namespace

EngineBank::EngineBank(Shape const& shape, std::vector<std::unique_ptr<Engine>> engines)
    : shape_(shape),
      engines_(std::move(engines)),
      cursor_(shape.clock),
      inputs_(engines_.size()),
      busy_(engines_.size(), 0),
      departures_(shape.in_flight, 0) {
    if (engines_.empty() || shape.engine_slots == 0 || shape.in_flight == 0) {
        throw UsageError("a bank needs engines, slots per engine and packets in flight above 0");
    }
    for (Inputs& input : inputs_) input.taken.assign(shape.engine_slots, 0);
}

/// The engine that is free first, among those with an input slot when the packet is offered; the lowest index on a tie.
std::size_t EngineBank::choose(std::uint64_t offered) const {
    std::uint64_t const head = offered + shape_.before;
    std::size_t best = inputs_.size();
    std::uint64_t first_free = ~std::uint64_t{0};
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        if (inputs_[i].slot > offered || inputs_[i].free >= first_free) continue;
        best = i;
        first_free = inputs_[i].free;
        if (first_free <= head) break;  // engines that are free already are alike
    }
    if (best == inputs_.size()) throw RunError("a packet came into an engine bank without a free slot");
    return best;
}

void EngineBank::one_block(std::size_t engine, std::uint64_t head, std::uint64_t tail, BlockWork const& work,
                           EngineStamps& total) {
    EngineStamps const stamps = engines_[engine]->admit(head, tail, work);
    busy_[engine] += stamps.taken - stamps.start;
    inputs_[engine].free = std::max(inputs_[engine].free, stamps.taken);
    total.start = std::min(total.start, stamps.start);
    total.taken = std::max(total.taken, stamps.taken);
    // The first byte of the packet is the first byte of its first block.
    if (total.first_out == 0) total.first_out = stamps.first_out;
    total.done = std::max(total.done, stamps.done);
}

void EngineBank::sliced_block(std::uint64_t head, std::uint64_t tail, BlockWork const& work, EngineStamps& total) {
    std::uint64_t const n = engines_.size();
    std::uint64_t const bytes = work.bytes_in;
    for (std::uint64_t k = 0; k < n && bytes > 0; ++k) {
        std::uint64_t const from = border(work, k, n);
        std::uint64_t const to = border(work, k + 1, n);
        if (from == to) continue;
        cut(work, from, to, slice_);
        std::uint64_t const begins = head + (tail - head) * from / bytes;
        one_block(k, begins, std::max(begins, head + beats((tail - head) * to, bytes).count()), slice_, total);
    }
}

void EngineBank::occupy(std::size_t engine) {
    Inputs& input = inputs_[engine];
    input.taken[input.at] = input.free;
    input.at = input.at + 1 == input.taken.size() ? 0 : input.at + 1;
    input.slot = input.taken[input.at];
}

BankTimes EngineBank::admit(Duration head_in, Duration tail_in, CodecWork const& work) {
    if (!has_slot()) throw RunError("a packet came into an engine bank that has its most packets in flight");
    std::uint64_t const offered = cursor_.advance(head_in);
    std::uint64_t const head = offered + shape_.before;
    std::uint64_t const tail = std::max(cursor_.index(tail_in) + shape_.before, head);
    EngineStamps total{~std::uint64_t{0}, head, 0, head};
    std::size_t engine = 0;
    if (shape_.arrangement == Arrangement::packet) {
        engine = choose(offered);
        for (BlockWork const& block : work.blocks) one_block(engine, head, tail, block, total);
        occupy(engine);
    } else {
        std::size_t k = 0;
        for (BlockWork const& block : work.blocks) {
            if (shape_.arrangement == Arrangement::slice) {
                sliced_block(head, tail, block, total);
            } else {
                one_block(k++ % engines_.size(), head, tail, block, total);
            }
        }
        for (std::size_t i = 0; i < engines_.size(); ++i) occupy(i);
    }
    if (work.blocks.empty()) total = {head, tail, head, tail};
    ++inside_;
    admit_at_ = admit_at_ + 1 == departures_.size() ? 0 : admit_at_ + 1;
    return {cursor_.edge(total.start), cursor_.edge(total.taken), cursor_.edge(total.first_out),
            cursor_.edge(total.done), engine};
}

void EngineBank::depart(Duration tail) {
    departures_[depart_at_] = cursor_.index(tail);
    depart_at_ = depart_at_ + 1 == departures_.size() ? 0 : depart_at_ + 1;
    --inside_;
}

Duration EngineBank::next_slot(Duration at) const {
    // Admission n needs the departure of packet n - in_flight, in order of time.
    std::uint64_t const room = departures_[admit_at_];
    std::uint64_t input = 0;
    if (shape_.arrangement == Arrangement::packet) {
        // The first engine with a slot by then will do.
        std::uint64_t const by = std::max(room + 1, cursor_.index(at));
        input = inputs_.front().slot;
        for (std::size_t i = 1; i < inputs_.size() && input >= by; ++i) input = std::min(input, inputs_[i].slot);
    } else {
        for (Inputs const& i : inputs_) input = std::max(input, i.slot);
    }
    return std::max(at, cursor_.edge(std::max(input, room)));
}

double EngineBank::capacity(CodecWork const& work) const {
    std::size_t const n = engines_.size();
    std::vector<double> cycles(n, 0.0);
    BlockWork slice;
    double bytes = 0;
    std::size_t place = 0;
    for (BlockWork const& block : work.blocks) {
        bytes += block.bytes_in;
        if (shape_.arrangement == Arrangement::packet) {
            for (double& c : cycles) c += engines_[0]->interval(block) / static_cast<double>(n);
        } else if (shape_.arrangement == Arrangement::group) {
            cycles[place++ % n] += engines_[0]->interval(block);
        } else {
            for (std::size_t k = 0; k < n && block.bytes_in > 0; ++k) {
                if (border(block, k, n) == border(block, k + 1, n)) continue;
                cut(block, border(block, k, n), border(block, k + 1, n), slice);
                cycles[k] += engines_[0]->interval(slice);
            }
        }
    }
    double const slowest = *std::max_element(cycles.begin(), cycles.end());
    return slowest <= 0 ? 0 : bytes / slowest * static_cast<double>(clock().count());
}

namespace {

std::uint64_t crossing_cycles(Frequency own, Frequency nic_clock, Frequency upstream, Cycles crossing) {
    Frequency const mine = own == Frequency::zero() ? nic_clock : own;
    Frequency const before = upstream == Frequency::zero() ? nic_clock : upstream;
    return mine == before ? 0 : crossing.count();
}

template <class Make>
std::vector<std::unique_ptr<Engine>> engines_of(std::uint64_t count, Make make) {
    std::vector<std::unique_ptr<Engine>> engines;
    for (std::uint64_t i = 0; i < count; ++i) engines.push_back(make());
    return engines;
}

}  // namespace

CompressorBank::CompressorBank(CompressorConfig const& config, AlgorithmConfig const& algorithm, Frequency nic_clock,
                               Frequency upstream_clock)
    : EngineBank({config.arrangement, config.engine_slots, config.in_flight,
                  config.distribute.count() + crossing_cycles(config.clock, nic_clock, upstream_clock, config.crossing),
                  config.clock == Frequency::zero() ? nic_clock : config.clock},
                 engines_of(config.engines, [&] { return compressor_engine(config, algorithm); })) {}

DecompressorBank::DecompressorBank(DecompressorConfig const& config, AlgorithmConfig const& algorithm,
                                   Frequency nic_clock, Frequency upstream_clock)
    : EngineBank({config.arrangement, config.engine_slots, config.in_flight,
                  config.align.count() + crossing_cycles(config.clock, nic_clock, upstream_clock, config.crossing),
                  config.clock == Frequency::zero() ? nic_clock : config.clock},
                 engines_of(config.engines, [&] { return decompressor_engine(config, algorithm); })) {}

}  // namespace netzip
