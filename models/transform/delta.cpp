#include "models/transform/delta.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/error.h"
#include "models/transform/delta_kernels.h"
#include "models/transform/number_format.h"

namespace netzip {
namespace {

/// What a layer's base is taken from.
enum class Reference { none, packet, minimum, percentile, tensor };

Reference reference_of(DeltaKind kind) {
    switch (kind) {
        case DeltaKind::none:
            return Reference::none;
        case DeltaKind::packet_exponent:
            return Reference::packet;
        case DeltaKind::min_previous:
        case DeltaKind::min_previous_ordered:
        case DeltaKind::float_min:
            return Reference::minimum;
        case DeltaKind::p1_previous:
        case DeltaKind::float_p1:
            return Reference::percentile;
        case DeltaKind::true_integer:
        case DeltaKind::true_xor:
        case DeltaKind::float_true:
            break;
    }
    return Reference::tensor;
}

/// The base of a layer's first iteration. The ordered minimum has no neutral one; this one maps to zero.
std::uint32_t neutral_base(DeltaKind kind, DataType type) {
    NumberFormat const f = number_format(type);
    return kind == DeltaKind::min_previous_ordered ? f.sign() | f.magnitude() : 0;
}

DeltaBase make_base(std::uint32_t value, std::size_t size) {
    DeltaBase base;
    base.size = static_cast<std::uint8_t>(size);
    for (std::size_t i = 0; i < size; ++i) base.bytes[i] = static_cast<std::uint8_t>(value >> (8 * i));
    return base;
}

std::uint32_t base_value(ByteSpan base) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < base.size(); ++i) value |= std::uint32_t{base[i]} << (8 * i);
    return value;
}

/// Counts by the 16 most significant ordered bits; exact for types of up to 16 bits.
class Percentile {
public:
    void add(DataType type, ByteSpan data) {
        counts_.resize(std::size_t{1} << kBits, 0);
        total_ += count_ordered(type, data, counts_.data());
    }
    bool empty() const { return total_ == 0; }
    /// Nearest rank: the smallest value with at least 1 % of all values at or below it.
    std::uint32_t first(DataType type) const {
        std::uint64_t const rank = (total_ + 99) / 100;
        std::uint64_t seen = 0;
        std::size_t bucket = 0;
        while (seen + counts_[bucket] < rank) seen += counts_[bucket++];
        NumberFormat const f = number_format(type);
        unsigned const dropped = f.bits > kBits ? f.bits - kBits : 0;
        return from_ordered(f, static_cast<std::uint32_t>(bucket) << dropped);
    }
    void clear() {
        std::fill(counts_.begin(), counts_.end(), 0);
        total_ = 0;
    }

private:
    static constexpr unsigned kBits = 16;
    std::vector<std::uint32_t> counts_;
    std::uint64_t total_ = 0;
};

/// The state of one layer.
struct Layer {
    bool seen = false;
    DataType type = DataType::bf16;
    std::uint32_t base = 0;
    std::uint32_t running_minimum = kNoMinimum;  ///< ordered
    Percentile percentile;
    ByteBuffer tensor;  ///< previous iteration, overwritten packet by packet by the current one
};

Layer& layer_of(std::vector<Layer>& layers, DeltaKind kind, PacketContext const& context) {
    if (layers.size() <= context.layer) layers.resize(std::size_t{context.layer} + 1);
    Layer& layer = layers[context.layer];
    if (!layer.seen || layer.type != context.type) {
        layer = Layer{};
        layer.seen = true;
        layer.type = context.type;
        layer.base = neutral_base(kind, context.type);
    }
    return layer;
}

/// The packet's piece of the previous iteration; zeros where there was none.
std::span<std::uint8_t> history_of(Layer& layer, PacketContext const& context, std::size_t bytes) {
    std::size_t const end = context.tensor_offset + bytes;
    if (layer.tensor.size() < end) layer.tensor.resize(end, 0);
    return {layer.tensor.data() + context.tensor_offset, bytes};
}

void start_iteration(Layer& layer, Reference reference) {
    NumberFormat const f = number_format(layer.type);
    if (reference == Reference::minimum && layer.running_minimum != kNoMinimum) {
        layer.base = from_ordered(f, layer.running_minimum);
        layer.running_minimum = kNoMinimum;
    }
    if (reference == Reference::percentile && !layer.percentile.empty()) {
        layer.base = layer.percentile.first(layer.type);
        layer.percentile.clear();
    }
}

}  // namespace

std::size_t delta_base_bytes(DeltaKind kind, DataType type) {
    switch (reference_of(kind)) {
        case Reference::packet:
            return 1;
        case Reference::minimum:
        case Reference::percentile:
            return element_bytes(type);
        case Reference::none:
        case Reference::tensor:
            break;
    }
    return 0;
}

std::size_t count_different_values(DataType type, ByteSpan a, ByteSpan b) {
    if (a.size() != b.size()) throw RunError("packets of different sizes cannot be compared value by value");
    std::size_t const size = element_bytes(type);
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.size(); i += size) {
        std::size_t const n = std::min(size, a.size() - i);
        if (std::memcmp(a.data() + i, b.data() + i, n) != 0) ++different;
    }
    return different;
}

struct DeltaEncoder::State {
    DeltaKind kind;
    std::vector<Layer> layers;
};

DeltaEncoder::DeltaEncoder(DeltaKind kind) : state_(std::make_unique<State>(State{kind, {}})) {}
DeltaEncoder::~DeltaEncoder() = default;

DeltaBase DeltaEncoder::encode(PacketContext const& context, std::span<std::uint8_t> data) {
    DeltaKind const kind = state_->kind;
    Reference const reference = reference_of(kind);
    std::size_t const size = delta_base_bytes(kind, context.type);
    if (reference == Reference::none) return {};
    if (reference == Reference::packet) {
        std::uint32_t const largest = largest_exponent(context.type, data);
        reflect_exponents(context.type, largest, data);
        return make_base(largest, size);
    }
    Layer& layer = layer_of(state_->layers, kind, context);
    if (reference == Reference::tensor) {
        subtract_tensor(kind, context.type, history_of(layer, context, data.size()), data);
        return {};
    }
    if (context.first_of_tensor) start_iteration(layer, reference);
    if (reference == Reference::minimum)
        layer.running_minimum = std::min(layer.running_minimum, ordered_minimum(context.type, data));
    else
        layer.percentile.add(context.type, data);
    subtract_base(kind, context.type, layer.base, data);
    return make_base(layer.base, size);
}

struct DeltaDecoder::State {
    DeltaKind kind;
    std::vector<Layer> layers;
};

DeltaDecoder::DeltaDecoder(DeltaKind kind) : state_(std::make_unique<State>(State{kind, {}})) {}
DeltaDecoder::~DeltaDecoder() = default;

void DeltaDecoder::decode(PacketContext const& context, ByteSpan base, std::span<std::uint8_t> data) {
    DeltaKind const kind = state_->kind;
    if (base.size() != delta_base_bytes(kind, context.type))
        throw RunError("delta: expected a base of " + std::to_string(delta_base_bytes(kind, context.type)) +
                       " B, got " + std::to_string(base.size()) + " B");
    switch (reference_of(kind)) {
        case Reference::none:
            return;
        case Reference::packet:
            return reflect_exponents(context.type, base_value(base), data);
        case Reference::minimum:
        case Reference::percentile:
            return add_base(kind, context.type, base_value(base), data);
        case Reference::tensor:
            break;
    }
    Layer& layer = layer_of(state_->layers, kind, context);
    add_tensor(kind, context.type, history_of(layer, context, data.size()), data);
}

void DeltaDecoder::observe(PacketContext const& context, ByteSpan data) {
    if (reference_of(state_->kind) != Reference::tensor || data.empty()) return;
    Layer& layer = layer_of(state_->layers, state_->kind, context);
    std::memcpy(history_of(layer, context, data.size()).data(), data.data(), data.size());
}

}  // namespace netzip
