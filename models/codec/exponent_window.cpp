#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "models/codec/codecs.h"
#include "models/codec/exponent_codec.h"
#include "models/codec/exponent_history.h"
#include "models/codec/lanes.h"

namespace netzip {
namespace {

/// log2 of (exclusive upper end of the best window of 2^w - 1 exponents) / sigma of a normal variable; beyond it the
/// next window covers more. ZipCCL (arXiv 2604.27844) for w = 3; the others from the same condition,
/// P(first exponent of the window) = P(first one above it).
constexpr std::array<double, 3> kWindowEnd{0.5480, 1.2804, 1.9646};

/// ZipCCL: w-bit codes of a window of exponents, escaped exponents verbatim (docs/formats.md).
class ExponentWindow : public ExponentCodec {
public:
    ExponentWindow(unsigned bits, WindowBase base) : bits_(bits), window_((std::size_t{1} << bits) - 1), base_(base) {}

protected:
    std::uint8_t encode(PacketContext const& context, ByteSpan values, ByteBuffer& out, BlockWork& work) override {
        append_table(context, values, out);
        end_part(out.size(), work);
        append_rests(context.type, values, {}, out);
        end_part(out.size(), work);
        work.literals = static_cast<std::uint32_t>(rest_bytes(context.type, exponents_.size()));
        append_codes(out, work);
        return 0;
    }

    void decode(PacketContext const& context, std::uint8_t flags, ByteSpan block, std::span<std::uint8_t> values,
                BlockWork& work) override {
        if (flags != 0) throw RunError("exponent_window: unknown flags in a block");
        ByteSpan rest = block;
        auto const end = [&] { end_part(1 + block.size() - rest.size(), work); };
        read_table(context.type, take_bytes(rest, 1)[0], rest);
        end();
        ByteSpan const rests = take_bytes(rest, rest_bytes(context.type, exponents_.size()));
        work.literals = static_cast<std::uint32_t>(rests.size());
        end();
        BitReader codes(take_bytes(rest, (exponents_.size() * bits_ + 7) / 8));
        end();
        read_codes(context.type, codes, rest, work);
        end();
        join_fields(context.type, exponents_, rests, {}, values);
        if (!rest.empty()) throw RunError("exponent_window: bytes left over at the end of a block");
    }

private:
    bool has_table() const { return base_ == WindowBase::previous_iteration; }

    /// Chooses the window; `table_` gets its exponents, ascending.
    void append_table(PacketContext const& context, ByteSpan in, ByteBuffer& out) {
        count_exponents(exponents_, counts_);
        table_.resize(window_);
        ExponentCounts const* const previous = has_table() ? history_.add(context, counts_).counts : nullptr;
        if (previous != nullptr)
            take_most_frequent(context.type, *previous);
        else
            std::iota(table_.begin(), table_.end(), static_cast<std::uint8_t>(window_base(context.type, in)));
        out.insert(out.end(), table_.begin(), has_table() ? table_.end() : table_.begin() + 1);
    }

    void take_most_frequent(DataType type, ExponentCounts const& counts) {
        std::vector<std::uint8_t> order(number_format(type).exponent_field() + 1);
        std::iota(order.begin(), order.end(), std::uint8_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint8_t a, std::uint8_t b) { return counts[a] > counts[b]; });
        std::copy_n(order.begin(), window_, table_.begin());
        std::sort(table_.begin(), table_.end());
    }

    std::size_t window_base(DataType type, ByteSpan in) const {
        NumberFormat const f = number_format(type);
        std::size_t const highest = f.exponent_field() + 1 - window_;
        std::size_t base = 0;
        if (base_ == WindowBase::packet_maximum) {
            std::size_t const top =
                exponents_.empty() ? 0 : *std::max_element(exponents_.begin(), exponents_.end()) + std::size_t{1};
            base = top > window_ ? top - window_ : 0;
        } else if (base_ == WindowBase::sigma) {
            base = base_from_sigma(type, in);
        } else {
            base = best_base(highest);
        }
        return std::min(base, highest);
    }

    std::size_t best_base(std::size_t highest) const {
        std::size_t covered = 0;
        for (std::size_t e = 0; e < window_; ++e) covered += counts_[e];
        std::size_t best = 0;
        std::size_t most = covered;
        for (std::size_t base = 1; base <= highest; ++base) {
            covered += counts_[base + window_ - 1];
            covered -= counts_[base - 1];
            if (covered > most) {
                most = covered;
                best = base;
            }
        }
        return best;
    }

    std::size_t base_from_sigma(DataType type, ByteSpan in) const {
        NumberFormat const f = number_format(type);
        std::size_t const size = element_bytes(type);
        double sum = 0;
        std::size_t numbers = 0;
        for (std::size_t i = 0; i + size <= in.size(); i += size) {
            std::uint32_t pattern = 0;
            std::memcpy(&pattern, in.data() + i, size);
            double const value = to_float(type, pattern);
            if (!std::isfinite(value)) continue;
            sum += value * value;
            ++numbers;
        }
        if (sum == 0) return 0;
        double const log_sigma = std::log2(sum / static_cast<double>(numbers)) / 2;
        double const end = f.bias + std::ceil(log_sigma + kWindowEnd[bits_ - 2]);
        return end > static_cast<double>(window_) ? static_cast<std::size_t>(end) - window_ : 0;
    }

    void append_codes(ByteBuffer& out, BlockWork& work) {
        std::array<std::uint8_t, 256> code{};
        for (std::size_t c = 0; c < window_; ++c) code[table_[c]] = static_cast<std::uint8_t>(c + 1);
        std::size_t const start = out.size();
        out.resize(start + (exponents_.size() * bits_ + 7) / 8 + sizeof(std::uint64_t));
        BitWriter writer(out.data() + start);
        escapes_.clear();
        for (auto const e : exponents_) {
            writer.put(code[e], bits_);
            if (code[e] == 0) escapes_.push_back(e);
        }
        out.resize(static_cast<std::size_t>(writer.end() - out.data()));
        end_part(out.size(), work);
        out.insert(out.end(), escapes_.begin(), escapes_.end());
        end_part(out.size(), work);
        work.escapes = static_cast<std::uint32_t>(escapes_.size());
    }

    void read_table(DataType type, std::uint8_t first, ByteSpan& rest) {
        std::uint32_t const highest = number_format(type).exponent_field();
        table_.assign(1, first);
        if (has_table()) {
            ByteSpan const more = take_bytes(rest, window_ - 1);
            table_.insert(table_.end(), more.begin(), more.end());
        } else {
            if (first + window_ - 1 > highest) throw RunError("exponent_window: the window leaves the exponents");
            table_.resize(window_);
            std::iota(table_.begin(), table_.end(), first);
        }
        bool const ascending = std::adjacent_find(table_.begin(), table_.end(), std::greater_equal<>()) == table_.end();
        if (!ascending || table_.back() > highest) throw RunError("exponent_window: the table is no set of exponents");
    }

    void read_codes(DataType type, BitReader& codes, ByteSpan& rest, BlockWork& work) {
        std::uint32_t const highest = number_format(type).exponent_field();
        for (auto& e : exponents_) {
            auto const code = static_cast<std::size_t>(codes.take(bits_));
            if (code != 0) {
                e = table_[code - 1];
                continue;
            }
            e = take_bytes(rest, 1)[0];
            if (e > highest) throw RunError("exponent_window: an escape is no exponent");
            ++work.escapes;
        }
        if (!codes.exhausted()) throw RunError("exponent_window: the padding of the codes is not zero");
    }

    unsigned bits_;
    std::size_t window_;
    WindowBase base_;
    ExponentHistory history_;
    ExponentCounts counts_{};
    std::vector<std::uint8_t> table_;
    std::vector<std::uint8_t> escapes_;
};

}  // namespace

std::unique_ptr<Codec> make_exponent_window(unsigned bits, WindowBase base) {
    return std::make_unique<ExponentWindow>(bits, base);
}

}  // namespace netzip
