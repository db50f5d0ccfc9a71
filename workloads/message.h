#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/data_type.h"
#include "base/units.h"

namespace netzip {

/// One RDMA write that the host posts: what is sent, where it belongs and when it may start.
struct Message {
    std::uint64_t id = 0;  ///< 0, 1, 2, ... in the order of its source
    std::uint32_t queue_pair = 0;
    std::uint16_t layer = 0;  ///< 15-bit layer id of the NetZIP header; 0 without a layer
    bool compress = false;    ///< flag of the NetZIP header
    DataType dtype = DataType::bf16;
    std::uint32_t iteration = 0;      ///< counts on when the recording is repeated
    std::uint64_t tensor_offset = 0;  ///< bytes of the tensor before this message; 0 in its first message
    std::string name;                 ///< of the tensor
    std::string kind;                 ///< gradient, activation, ...; for the tables of a report
    Duration not_before;              ///< open replay: not posted earlier; zero in closed replay

    std::span<std::uint8_t const> bytes;  ///< valid while `keep` lives
    std::shared_ptr<void const> keep;     ///< frees what `bytes` views; pages of a mapped file are given back
};

}  // namespace netzip
