#pragma once

#include <array>

#include "tools/ratio/measure.h"

namespace netzip {

/// The table of the NetZIP artifact: whole tensors, its byte and plane order, its codecs at its levels. Only the coded
/// bytes count, as there; no header does.
struct ArtifactTable {
    static constexpr std::size_t kRows = 12;
    static constexpr std::size_t kColumns = 4;

    std::array<std::string, kRows> rows;        ///< "byte + Snappy"
    std::array<std::string, kColumns> columns;  ///< "diff_min"
    std::array<std::array<Measured, kColumns>, kRows> cells;
    std::array<Measured, kColumns> deltas;  ///< values that each delta alone loses
};

/// Groups none, byte and bit through LZ4 frame level 1, Snappy, zlib level 1 and zstd level 1, each without delta and
/// with the artifact's three. Every coded block is decoded and compared; a codec that fails is a RunError.
ArtifactTable measure_artifact(Recording const& recording, unsigned threads, RatioProgress const& progress);

/// Bytes that `measure_artifact` goes through.
std::uint64_t artifact_work(Recording const& recording);

}  // namespace netzip
