#pragma once

#include "tools/ratio/artifact.h"
#include "tools/ratio/measure.h"

namespace netzip {

/// What stands above every table: the tensors, the packets, what is counted and what is assumed.
std::string ratio_heading(Recording const& recording, RatioResult const& result, RatioOptions const& options);

/// Combinations as rows; in all and by kind, with the floors below.
std::string ratio_table(RatioResult const& result);

/// Layers as rows, one column per combination.
std::string ratio_layer_table(RatioResult const& result);

std::string artifact_table(ArtifactTable const& table);

/// One line per scope (all, kind, layer) and combination; docs/ratio.md lists the columns.
std::string ratio_csv(RatioResult const& result);
std::string artifact_csv(ArtifactTable const& table);

/// The same as one document.
std::string ratio_json(Recording const& recording, RatioResult const& result, RatioOptions const& options);
std::string artifact_json(ArtifactTable const& table);

}  // namespace netzip
