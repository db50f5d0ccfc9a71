#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace netzip {

/// One recorded bf16 tensor of a set, as its manifest describes it.
struct RecordedTensor {
    std::string kind;
    std::string name;
    std::string phase;
    int iteration = 0;
    std::vector<std::uint8_t> bytes;
};

/// The tensor of two consecutive optimizer steps.
struct RecordedPair {
    RecordedTensor previous;
    RecordedTensor current;
};

inline constexpr std::size_t kRecordedPacketBytes = 4096;

/// The set that ships with the project.
std::filesystem::path small_recordings();
/// The larger set beside the project; may be absent.
std::filesystem::path medium_recordings();

/// All tensors of a set by their place in the manifest's files, independent of the product's readers.
std::vector<RecordedPair> read_recordings(std::filesystem::path const& folder);

}  // namespace netzip
