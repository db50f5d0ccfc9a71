#include "models/transform/delta_kernels.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "models/transform/number_format.h"
#include "models/transform/simd.h"

namespace netzip {
namespace {

template <class T>
T load(std::uint8_t const* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}
template <class T>
void store(std::uint8_t* at, T value) {
    std::memcpy(at, &value, sizeof value);
}

template <DataType Type>
struct Traits {
    static constexpr NumberFormat format = number_format(Type);
    using Word = std::conditional_t<format.bits == 8, std::uint8_t,
                                    std::conditional_t<format.bits == 16, std::uint16_t, std::uint32_t>>;
};
template <DataType Type>
using WordOf = typename Traits<Type>::Word;

/// Calls `f.template operator()<Type>()` for the run-time type.
template <class F>
auto with_type(DataType type, F f) {
    switch (type) {
        case DataType::fp16:
            return f.template operator()<DataType::fp16>();
        case DataType::fp32:
            return f.template operator()<DataType::fp32>();
        case DataType::fp8_e4m3:
            return f.template operator()<DataType::fp8_e4m3>();
        case DataType::fp8_e5m2:
            return f.template operator()<DataType::fp8_e5m2>();
        case DataType::bf16:
            break;
    }
    return f.template operator()<DataType::bf16>();
}

// Without branches, so that the compiler vectorises the loops below.
template <DataType Type>
WordOf<Type> order(WordOf<Type> pattern) {
    using Word = WordOf<Type>;
    constexpr auto sign = static_cast<Word>(Traits<Type>::format.sign());
    auto const negative = static_cast<Word>(Word{0} - (pattern >> (Traits<Type>::format.bits - 1)));
    return static_cast<Word>(pattern ^ (negative | sign));
}
template <DataType Type>
WordOf<Type> unorder(WordOf<Type> ordered) {
    using Word = WordOf<Type>;
    constexpr auto sign = static_cast<Word>(Traits<Type>::format.sign());
    auto const positive = static_cast<Word>(Word{0} - (ordered >> (Traits<Type>::format.bits - 1)));
    return static_cast<Word>(ordered ^ (static_cast<Word>(~positive) | sign));
}

/// Smallest ordered pattern, all ones when there is no number. Signed keys, because every instruction set has their
/// minimum: negative patterns inverted below the sign.
template <DataType Type>
WordOf<Type> minimum_loop(std::uint8_t const* data, std::size_t count) {
    using Word = WordOf<Type>;
    using Key = std::make_signed_t<Word>;
    constexpr NumberFormat f = Traits<Type>::format;
    constexpr auto magnitude_bits = static_cast<Key>(f.magnitude());
    constexpr auto largest = static_cast<Key>(f.largest_number());
    constexpr auto none = static_cast<Key>(f.magnitude());
    Key smallest = none;
    for (std::size_t i = 0; i < count; ++i) {
        auto const pattern = load<Key>(data + i * sizeof(Word));
        auto const magnitude = static_cast<Key>(pattern & magnitude_bits);
        auto const negative = static_cast<Key>(pattern >> (f.bits - 1));
        auto key = static_cast<Key>(pattern ^ (negative & magnitude_bits));
        auto const nan = static_cast<Key>(-static_cast<Key>(magnitude > largest));
        key = static_cast<Key>((key & ~nan) | (none & nan));
        smallest = key < smallest ? key : smallest;
    }
    return static_cast<Word>(static_cast<Word>(smallest) ^ static_cast<Word>(f.sign()));
}

template <DataType Type>
WordOf<Type> largest_exponent_loop(std::uint8_t const* data, std::size_t count) {
    using Word = WordOf<Type>;
    constexpr NumberFormat f = Traits<Type>::format;
    Word largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        auto const magnitude = static_cast<Word>(load<Word>(data + i * sizeof(Word)) & f.magnitude());
        largest = std::max(largest, magnitude);
    }
    return static_cast<Word>(largest >> f.mantissa_bits);
}

template <DataType Type>
void reflect_loop(std::uint8_t* data, std::size_t count, std::uint32_t largest) {
    using Word = WordOf<Type>;
    constexpr NumberFormat f = Traits<Type>::format;
    constexpr auto field = static_cast<Word>(f.exponent_field() << f.mantissa_bits);
    auto const top = static_cast<Word>(largest << f.mantissa_bits);
    for (std::size_t i = 0; i < count; ++i) {
        auto const pattern = load<Word>(data + i * sizeof(Word));
        auto const reflected = static_cast<Word>((top - (pattern & field)) & field);
        store(data + i * sizeof(Word), static_cast<Word>((pattern & static_cast<Word>(~field)) | reflected));
    }
}

template <class Word>
void add_loop(std::uint8_t* data, std::size_t count, Word addend) {
    for (std::size_t i = 0; i < count; ++i)
        store(data + i * sizeof(Word), static_cast<Word>(load<Word>(data + i * sizeof(Word)) + addend));
}

template <DataType Type>
void subtract_ordered_loop(std::uint8_t* data, std::size_t count, WordOf<Type> ordered_base) {
    using Word = WordOf<Type>;
    for (std::size_t i = 0; i < count; ++i)
        store(data + i * sizeof(Word),
              static_cast<Word>(order<Type>(load<Word>(data + i * sizeof(Word))) - ordered_base));
}

template <DataType Type>
void add_ordered_loop(std::uint8_t* data, std::size_t count, WordOf<Type> ordered_base) {
    using Word = WordOf<Type>;
    for (std::size_t i = 0; i < count; ++i)
        store(data + i * sizeof(Word),
              unorder<Type>(static_cast<Word>(load<Word>(data + i * sizeof(Word)) + ordered_base)));
}

/// The float kinds: one rounding to the type after a float32 addition.
std::uint32_t add_as_float(DataType type, std::uint32_t a, float b) {
    return from_float(type, to_float(type, a) + b);
}

bool is_float(DeltaKind kind) {
    return kind == DeltaKind::float_min || kind == DeltaKind::float_p1;
}

template <DataType Type>
void add_float_loop(std::span<std::uint8_t> data, float addend) {
    using Word = WordOf<Type>;
    for (std::size_t i = 0; i + sizeof(Word) <= data.size(); i += sizeof(Word))
        store(&data[i], static_cast<Word>(add_as_float(Type, load<Word>(&data[i]), addend)));
}

/// Difference to the history, modulo 2^n or bit by bit, and back.
template <class Word, bool Xor>
void subtract_tensor_loop(std::uint8_t* history, std::uint8_t* data, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        auto const value = load<Word>(data + i * sizeof(Word));
        auto const before = load<Word>(history + i * sizeof(Word));
        store(data + i * sizeof(Word), static_cast<Word>(Xor ? value ^ before : value - before));
        store(history + i * sizeof(Word), value);
    }
}

template <class Word, bool Xor>
void add_tensor_loop(std::uint8_t* history, std::uint8_t* data, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        auto const difference = load<Word>(data + i * sizeof(Word));
        auto const before = load<Word>(history + i * sizeof(Word));
        auto const value = static_cast<Word>(Xor ? difference ^ before : difference + before);
        store(data + i * sizeof(Word), value);
        store(history + i * sizeof(Word), value);
    }
}

template <DataType Type>
void subtract_tensor_as_float(std::uint8_t* history, std::uint8_t* data, std::size_t count) {
    using Word = WordOf<Type>;
    for (std::size_t i = 0; i < count * sizeof(Word); i += sizeof(Word)) {
        auto const value = load<Word>(data + i);
        store(data + i, static_cast<Word>(add_as_float(Type, value, -to_float(Type, load<Word>(history + i)))));
        store(history + i, value);
    }
}

template <DataType Type>
void add_tensor_as_float(std::uint8_t* history, std::uint8_t* data, std::size_t count) {
    using Word = WordOf<Type>;
    for (std::size_t i = 0; i < count * sizeof(Word); i += sizeof(Word)) {
        auto const sum = add_as_float(Type, load<Word>(data + i), to_float(Type, load<Word>(history + i)));
        store(data + i, static_cast<Word>(sum));
        store(history + i, static_cast<Word>(sum));
    }
}

}  // namespace

std::uint32_t ordered_minimum(DataType type, ByteSpan data) {
    return with_type(type, [&]<DataType Type>() -> std::uint32_t {
        using Word = WordOf<Type>;
        auto const least = run_vectorised<minimum_loop<Type>>(data.data(), data.size() / sizeof(Word));
        return least == static_cast<Word>(~Word{0}) ? kNoMinimum : least;
    });
}

std::uint64_t count_ordered(DataType type, ByteSpan data, std::uint32_t* counts) {
    return with_type(type, [&]<DataType Type>() -> std::uint64_t {
        using Word = WordOf<Type>;
        constexpr NumberFormat f = Traits<Type>::format;
        constexpr unsigned dropped = f.bits > 16 ? f.bits - 16 : 0;
        std::uint64_t added = 0;
        for (std::size_t i = 0; i + sizeof(Word) <= data.size(); i += sizeof(Word)) {
            auto const pattern = load<Word>(data.data() + i);
            if ((pattern & f.magnitude()) > f.largest_number()) continue;
            ++counts[order<Type>(pattern) >> dropped];
            ++added;
        }
        return added;
    });
}

std::uint32_t largest_exponent(DataType type, ByteSpan data) {
    return with_type(type, [&]<DataType Type>() -> std::uint32_t {
        return run_vectorised<largest_exponent_loop<Type>>(data.data(), data.size() / sizeof(WordOf<Type>));
    });
}

void reflect_exponents(DataType type, std::uint32_t largest, std::span<std::uint8_t> data) {
    with_type(type, [&]<DataType Type>() {
        run_vectorised<reflect_loop<Type>>(data.data(), data.size() / sizeof(WordOf<Type>), largest);
    });
}

void subtract_base(DeltaKind kind, DataType type, std::uint32_t base, std::span<std::uint8_t> data) {
    with_type(type, [&]<DataType Type>() {
        using Word = WordOf<Type>;
        std::size_t const count = data.size() / sizeof(Word);
        auto const pattern = static_cast<Word>(base);
        if (is_float(kind)) return add_float_loop<Type>(data, -to_float(Type, base));
        if (kind == DeltaKind::min_previous_ordered)
            return run_vectorised<subtract_ordered_loop<Type>>(data.data(), count, order<Type>(pattern));
        run_vectorised<add_loop<Word>>(data.data(), count, static_cast<Word>(Word{0} - pattern));
    });
}

void add_base(DeltaKind kind, DataType type, std::uint32_t base, std::span<std::uint8_t> data) {
    with_type(type, [&]<DataType Type>() {
        using Word = WordOf<Type>;
        std::size_t const count = data.size() / sizeof(Word);
        auto const pattern = static_cast<Word>(base);
        if (is_float(kind)) return add_float_loop<Type>(data, to_float(Type, base));
        if (kind == DeltaKind::min_previous_ordered)
            return run_vectorised<add_ordered_loop<Type>>(data.data(), count, order<Type>(pattern));
        run_vectorised<add_loop<Word>>(data.data(), count, pattern);
    });
}

void subtract_tensor(DeltaKind kind, DataType type, std::span<std::uint8_t> history, std::span<std::uint8_t> data) {
    with_type(type, [&]<DataType Type>() {
        using Word = WordOf<Type>;
        std::size_t const count = data.size() / sizeof(Word);
        std::copy(data.begin() + static_cast<std::ptrdiff_t>(count * sizeof(Word)), data.end(),
                  history.begin() + static_cast<std::ptrdiff_t>(count * sizeof(Word)));
        if (kind == DeltaKind::float_true) return subtract_tensor_as_float<Type>(history.data(), data.data(), count);
        if (kind == DeltaKind::true_xor)
            return run_vectorised<subtract_tensor_loop<Word, true>>(history.data(), data.data(), count);
        run_vectorised<subtract_tensor_loop<Word, false>>(history.data(), data.data(), count);
    });
}

void add_tensor(DeltaKind kind, DataType type, std::span<std::uint8_t> history, std::span<std::uint8_t> data) {
    with_type(type, [&]<DataType Type>() {
        using Word = WordOf<Type>;
        std::size_t const count = data.size() / sizeof(Word);
        std::copy(data.begin() + static_cast<std::ptrdiff_t>(count * sizeof(Word)), data.end(),
                  history.begin() + static_cast<std::ptrdiff_t>(count * sizeof(Word)));
        if (kind == DeltaKind::float_true) return add_tensor_as_float<Type>(history.data(), data.data(), count);
        if (kind == DeltaKind::true_xor)
            return run_vectorised<add_tensor_loop<Word, true>>(history.data(), data.data(), count);
        run_vectorised<add_tensor_loop<Word, false>>(history.data(), data.data(), count);
    });
}

}  // namespace netzip
