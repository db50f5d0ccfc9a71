#include "models/cost/block_builder.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/error.h"

namespace netzip {

BlockBuilder::BlockBuilder(CostTables const& tables, std::string name, Placement const& placement,
                           std::uint64_t instances)
    : tables_(tables) {
    block_.name = std::move(name);
    block_.stage = placement.stage;
    block_.direction = placement.direction;
    block_.clock_hz = placement.clock_hz;
    block_.instances = instances;
}

BlockBuilder& BlockBuilder::condition(std::string const& name, double value) {
    conditions_[name] = value;
    return *this;
}

Number BlockBuilder::number(std::string const& name, std::string const& unit) const {
    return tables_.number(name, unit, conditions_);
}

void BlockBuilder::add(std::string const& what, Resource resource, Number const& amount) {
    if (amount.value.high > 0.0) block_.terms.push_back({what, resource, amount});
}

BlockBuilder& BlockBuilder::logic(std::string const& kind, Number const& lut_scale, Number const& ff_scale) {
    Number const lut = number(kind + ".lut", "LUT") * lut_scale;
    Number const ff = number(kind + ".ff", "FF") * ff_scale;
    Number const gates = tables_.has(kind + ".gates") ? number(kind + ".gates", "gate") * lut_scale
                                                      : lut * number("asic.gates_per_lut", "gate/LUT");
    add(kind, Resource::lut, lut);
    add(kind, Resource::ff, ff);
    add(kind, Resource::gates, gates);
    add(kind, Resource::flop_bits, ff);
    return *this;
}

BlockBuilder& BlockBuilder::logic(std::string const& kind, double scale) {
    Number const factor{Estimate::exact(scale), Provenance::quoted, false};
    return logic(kind, factor, factor);
}

BlockBuilder& BlockBuilder::logic_at_width(std::string const& kind, std::uint64_t width) {
    condition("width", static_cast<double>(width));
    Number const reference = number(kind + ".width", "B/cycle");
    Number scale{Estimate::exact(static_cast<double>(width) / reference.value.typical), Provenance::quoted, false};
    if (scale.value.typical != 1.0) scale.provenance = Provenance::derived;
    return logic(kind, scale, scale);
}

BlockBuilder& BlockBuilder::registers(std::string const& what, double bits, Provenance provenance) {
    Number const amount{Estimate::exact(bits), provenance, false};
    add(what, Resource::ff, amount);
    add(what, Resource::flop_bits, amount);
    return *this;
}

BlockBuilder& BlockBuilder::memory(std::string const& what, MemoryShape const& shape, Provenance provenance) {
    MappedMemory const mapped = map_memory(tables_, shape);
    std::string const text = shape.banks == 1
                                 ? fmt::format("{}, {} x {} bit", what, shape.depth, shape.width)
                                 : fmt::format("{}, {} x {} x {} bit", what, shape.banks, shape.depth, shape.width);
    auto const amount = [&](double value) { return Number{Estimate::exact(value), provenance, false}; };
    add(text, Resource::lut, amount(mapped.lut));
    add(text, Resource::bram36, amount(mapped.bram36));
    add(text, Resource::uram, amount(mapped.uram));
    add(text, Resource::sram_large, amount(mapped.sram_large));
    add(text, Resource::sram_small, amount(mapped.sram_small));
    add(text, Resource::flop_bits, amount(mapped.flop_bits));
    return *this;
}

BlockBuilder& BlockBuilder::packet_memory(std::string const& what, std::uint64_t packets, std::uint64_t packet_bytes,
                                          std::uint64_t width) {
    constexpr std::uint64_t kBankBytes = 4;
    MemoryShape shape;
    shape.depth = packets * ((packet_bytes + width - 1) / width);
    shape.width = 8 * std::min(width, kBankBytes);
    shape.banks = (width + kBankBytes - 1) / kBankBytes;
    return memory(what, shape, Provenance::derived);
}

BlockBuilder& BlockBuilder::counted_memory(std::string const& what, Resource kind, Number const& blocks) {
    constexpr double kBram36Bits = 36864;
    double const uram_bits = tables_.typical("device.uram_depth", "word") * tables_.typical("device.uram_width", "bit");
    bool const is_uram = kind == Resource::uram;
    add(what, kind, blocks);
    Number bits = blocks * (is_uram ? uram_bits : kBram36Bits);
    bits.provenance = weaker(bits.provenance, Provenance::derived);
    add(what, is_uram ? Resource::sram_large : Resource::sram_small, bits);
    return *this;
}

BlockBuilder& BlockBuilder::access(std::string const& what, Counter counter, double bits) {
    for (auto const& term : block_.terms) {
        bool const asic_memory = term.resource == Resource::sram_large || term.resource == Resource::sram_small ||
                                 term.resource == Resource::flop_bits;
        if (asic_memory && (term.what == what || term.what.rfind(what + ",", 0) == 0)) {
            block_.accesses.push_back({what, counter, bits, term.resource});
            return *this;
        }
    }
    throw RunError(fmt::format("cost model: block '{}' has no memory '{}'", block_.name, what));
}

BlockBuilder& BlockBuilder::work(Counter counter, double cycles) {
    block_.work = counter;
    block_.cycles_per_count = cycles;
    return *this;
}

BlockBuilder& BlockBuilder::speed(std::string const& kind, double width) {
    double const reference = tables_.typical(kind + ".width", "B/cycle");
    double const sustained =
        tables_.has(kind + ".sustained") ? tables_.typical(kind + ".sustained", "B/cycle") : reference;
    if (tables_.has(kind + ".clock")) block_.reached_hz = tables_.typical(kind + ".clock", "MHz") * 1e6;
    block_.bytes_per_second = block_.clock_hz * sustained * width / reference;
    block_.peak_bytes_per_second = block_.clock_hz * std::max(sustained, reference) * width / reference;
    return *this;
}

BlockBuilder& BlockBuilder::remark(std::string const& text) {
    block_.remarks.push_back(text);
    return *this;
}

}  // namespace netzip
