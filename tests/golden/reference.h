#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "models/algorithm.h"
#include "models/codec/codec.h"
#include "support/recordings.h"

namespace netzip {

/// A tensor pair and what an independent numpy implementation found about its iteration 1.
struct ReferenceTensor {
    RecordedPair pair;
    std::string group;
    double exponent_entropy = 0;
    std::map<std::string, std::string> sha256;                          ///< "imin_bit": digest of all packets
    std::map<std::string, std::map<std::string, std::uint64_t>> bytes;  ///< ["lz4"]["imin_bit"]
    std::map<std::string, double> bits_per_value;                       ///< exponent windows: "win3"
    std::uint64_t lost_by_float_min = 0;

    std::size_t values() const { return pair.current.bytes.size() / 2; }
    /// Order-0 floor of the compression ratio: the entropy of the exponents, and 8 bits that do not shrink.
    double floor() const { return (exponent_entropy + 8) / 16; }
};

struct Reference {
    std::map<std::string, std::string> versions;  ///< of the libraries that made the sizes
    std::vector<ReferenceTensor> tensors;
};

Reference small_reference();
/// Empty when the set is not beside the project.
Reference medium_reference();

/// A delta of the reference by name: "none", "imin", "omin", "true16", "xor", "fmin".
DeltaKind reference_delta(std::string const& name);
inline constexpr std::array kReferenceDeltas{"none", "imin", "omin", "true16", "xor", "fmin"};
/// A layout of the reference by name: "raw", "byte", "bit".
GroupingKind reference_layout(std::string const& name);
inline constexpr std::array kReferenceLayouts{"raw", "byte", "bit"};

/// All packets of iteration 1 after a delta whose base comes from iteration 0.
ByteBuffer shifted_tensor(RecordedPair const& pair, DeltaKind kind);
/// The packets of `tensor` laid out in the artifact's order.
ByteBuffer grouped_tensor(ByteSpan tensor, GroupingKind kind);

/// Calls `visit(context, packet)` for the packets of one iteration in order.
template <class Visit>
void for_each_packet(ByteSpan tensor, Visit visit) {
    PacketContext context{0, true, 0, DataType::bf16};
    for (std::size_t at = 0; at < tensor.size(); at += kRecordedPacketBytes) {
        context.tensor_offset = at;
        visit(context, tensor.subspan(at, std::min(kRecordedPacketBytes, tensor.size() - at)));
        context.first_of_tensor = false;
    }
}

}  // namespace netzip
