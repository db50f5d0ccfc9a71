#pragma once

#include <string>

#include "models/cost/evaluate.h"

namespace netzip {

/// The whole report as a page of text: FPGA, ASIC, power, warnings, and how sure each number is.
/// `scenario` says what the power belongs to, such as "worst case: 50 Gb/s in both directions".
std::string cost_text(CostReport const& report, std::string const& scenario);

/// Every contribution of every block with its provenance.
std::string terms_text(std::vector<Block> const& blocks);

}  // namespace netzip
