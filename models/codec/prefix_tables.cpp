#include "models/codec/prefix_tables.h"

#include <cstring>

#include "models/transform/number_format.h"
#include "models/transform/simd.h"

namespace netzip {

// Huffman lengths, limited to 8 bits, of the exponent of a normal variable with log2 sigma = 1/4 and 3/4 above the
// anchor; exponent field 0 and escape taken as 0.2 % and 0.1 %.
std::array<std::array<std::uint8_t, PrefixTable::kSymbols>, 2> const kPrefixLengths{
    {{8, 8, 7, 7, 6, 4, 3, 3, 2, 2, 3, 8, 8, 8, 8, 8, 8}, {8, 8, 8, 7, 7, 5, 5, 3, 2, 2, 2, 6, 8, 8, 8, 8, 8}}};

PrefixTable::PrefixTable(std::array<std::uint8_t, kSymbols> const& lengths) {
    std::array<CodeWord, kSymbols> words;
    assign_code_words(lengths, words);
    zero_ = words[kSymbols - 2];
    by_distance_.fill(words[kSymbols - 1]);
    for (int r = kLowest; r <= kHighest; ++r)
        by_distance_[static_cast<std::size_t>(r + kFarthest)] = words[static_cast<std::size_t>(r - kLowest)];
    std::vector<DecodedSymbol> symbols;
    build_decoder(lengths, kLongest, symbols);
    for (std::size_t i = 0; i < decoder_.size(); ++i) {
        std::size_t const s = symbols[i].symbol;
        Kind const kind = s == kSymbols - 1 ? Kind::escape : s == kSymbols - 2 ? Kind::zero : Kind::relative;
        decoder_[i] = {static_cast<std::int8_t>(static_cast<int>(s) + kLowest), symbols[i].length, kind};
    }
}

PrefixTable const& prefix_table(int scale) {
    static std::array<PrefixTable, 2> const tables{PrefixTable(kPrefixLengths[0]), PrefixTable(kPrefixLengths[1])};
    return tables[static_cast<std::size_t>(scale) % 2];
}

namespace {

template <DataType Type, class Word>
BlockSums sum_loop(std::uint8_t const* values, std::size_t count) {
    constexpr NumberFormat f = number_format(Type);
    BlockSums sums;
    for (std::size_t i = 0; i < count; ++i) {
        Word value = 0;
        std::memcpy(&value, values + i * sizeof(Word), sizeof(Word));
        std::uint32_t const exponent = (value & f.magnitude()) >> f.mantissa_bits;
        sums.exponents += exponent;
        sums.nonzero += exponent != 0 ? 1 : 0;
        sums.zeros += value == 0 ? 1 : 0;
    }
    return sums;
}

}  // namespace

BlockSums sum_block(DataType type, ByteSpan values, std::size_t first, std::size_t count) {
    std::uint8_t const* const at = values.data() + first * element_bytes(type);
    switch (type) {
        case DataType::fp16:
            return run_vectorised<sum_loop<DataType::fp16, std::uint16_t>>(at, count);
        case DataType::fp32:
            return run_vectorised<sum_loop<DataType::fp32, std::uint32_t>>(at, count);
        case DataType::fp8_e4m3:
            return run_vectorised<sum_loop<DataType::fp8_e4m3, std::uint8_t>>(at, count);
        case DataType::fp8_e5m2:
            return run_vectorised<sum_loop<DataType::fp8_e5m2, std::uint8_t>>(at, count);
        case DataType::bf16:
            break;
    }
    return run_vectorised<sum_loop<DataType::bf16, std::uint16_t>>(at, count);
}

}  // namespace netzip
