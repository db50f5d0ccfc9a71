#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "base/config/range.h"

namespace netzip {

/// Element types of tensors that the transforms understand.
enum class DataType { bf16, fp16, fp32, fp8_e4m3, fp8_e5m2 };

template <>
struct EnumNames<DataType> {
    static constexpr std::array values{std::pair{DataType::bf16, "bf16"}, std::pair{DataType::fp16, "fp16"},
                                       std::pair{DataType::fp32, "fp32"}, std::pair{DataType::fp8_e4m3, "fp8_e4m3"},
                                       std::pair{DataType::fp8_e5m2, "fp8_e5m2"}};
};

constexpr std::size_t element_bytes(DataType type) {
    switch (type) {
        case DataType::fp32:
            return 4;
        case DataType::fp8_e4m3:
        case DataType::fp8_e5m2:
            return 1;
        case DataType::bf16:
        case DataType::fp16:
            break;
    }
    return 2;
}

}  // namespace netzip
