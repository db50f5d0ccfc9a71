#include "models/codec/canonical_code.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/error.h"

namespace netzip {
namespace {

constexpr unsigned kLongest = 15;

std::uint16_t reversed(unsigned code, unsigned length) {
    unsigned mirrored = 0;
    for (unsigned i = 0; i < length; ++i) mirrored |= ((code >> i) & 1U) << (length - 1 - i);
    return static_cast<std::uint16_t>(mirrored);
}

/// A set of symbols taken together, as package-merge builds them.
struct Package {
    std::uint64_t weight;
    std::vector<std::uint16_t> symbols;
};

std::vector<Package> pairs_of(std::vector<Package> const& row) {
    std::vector<Package> pairs;
    for (std::size_t i = 0; i + 1 < row.size(); i += 2) {
        Package pair{row[i].weight + row[i + 1].weight, row[i].symbols};
        pair.symbols.insert(pair.symbols.end(), row[i + 1].symbols.begin(), row[i + 1].symbols.end());
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

}  // namespace

void assign_code_words(std::span<std::uint8_t const> lengths, std::span<CodeWord> words) {
    unsigned code = 0;
    for (unsigned length = 1; length <= kLongest; ++length) {
        for (std::size_t s = 0; s < lengths.size(); ++s)
            if (lengths[s] == length) words[s] = {reversed(code++, length), static_cast<std::uint8_t>(length)};
        code <<= 1;
    }
    for (std::size_t s = 0; s < lengths.size(); ++s)
        if (lengths[s] == 0) words[s] = {};
}

void build_decoder(std::span<std::uint8_t const> lengths, unsigned index_bits, std::vector<DecodedSymbol>& table) {
    std::size_t const entries = std::size_t{1} << index_bits;
    std::size_t used = 0;
    for (auto const length : lengths) {
        if (length > index_bits) throw RunError("prefix code: a code word is longer than the limit");
        if (length != 0) used += entries >> length;
    }
    if (used > entries) throw RunError("prefix code: the code lengths are no prefix code");
    table.assign(entries, {});
    std::array<CodeWord, 512> words;
    assign_code_words(lengths, words);
    for (std::size_t s = 0; s < lengths.size(); ++s) {
        if (lengths[s] == 0) continue;
        for (std::size_t i = words[s].bits; i < entries; i += std::size_t{1} << lengths[s])
            table[i] = {static_cast<std::uint16_t>(s), lengths[s]};
    }
}

/// Package-merge (Larmore and Hirschberg): in each of `limit` rounds the cheapest pairs of the round before join the
/// symbols; a symbol's length is the number of times it is in the cheapest 2n - 2 items of the last round.
std::vector<std::uint8_t> limited_code_lengths(std::span<std::uint64_t const> weights, unsigned limit) {
    std::vector<std::uint8_t> lengths(weights.size(), 1);
    if (weights.size() <= 1) return lengths;
    auto const lighter = [](Package const& a, Package const& b) { return a.weight < b.weight; };
    std::vector<Package> symbols;
    for (std::size_t s = 0; s < weights.size(); ++s) symbols.push_back({weights[s], {static_cast<std::uint16_t>(s)}});
    std::stable_sort(symbols.begin(), symbols.end(), lighter);
    std::vector<Package> row;
    for (unsigned round = 0; round < limit; ++round) {
        std::vector<Package> const pairs = pairs_of(row);
        row.clear();
        std::merge(symbols.begin(), symbols.end(), pairs.begin(), pairs.end(), std::back_inserter(row), lighter);
    }
    std::fill(lengths.begin(), lengths.end(), 0);
    for (std::size_t i = 0; i < 2 * weights.size() - 2; ++i)
        for (auto const s : row[i].symbols) ++lengths[s];
    return lengths;
}

}  // namespace netzip
