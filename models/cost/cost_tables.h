#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/cost/estimate.h"

namespace netzip {

/// One line of a cost table.
struct CostEntry {
    Estimate value;
    std::string unit;
    std::string node;
    std::string source;
    Provenance provenance = Provenance::assumed;
    std::map<std::string, std::pair<double, double>> valid;  ///< condition -> range in which the value holds
    std::string place;                                       ///< "file:line"
};

/// The conditions under which a value is used, e.g. {"clock_mhz", 1000}; compared with the entry's `valid`.
using Conditions = std::map<std::string, double>;

/// A name that a table may define, and the only unit it may have.
struct CostQuantity {
    std::string name;
    std::string unit;
    bool required = true;
};

/// Every name the cost model knows.
std::vector<CostQuantity> const& cost_vocabulary();

/// The values behind every cost: a device, building blocks, a process node, energies.
class CostTables {
public:
    /// Reads files in order; a later file may replace entries of an earlier one, and only entries it names.
    /// Strict: unknown names and keys, a unit other than the vocabulary's, a missing source, an assumed value without
    /// range, and a required name that no file defines are each a line of one UsageError.
    static CostTables load(std::vector<std::filesystem::path> const& files);

    bool has(std::string_view name) const;
    /// The entry; throws RunError for a name or unit that is not in the vocabulary: a fault of the program.
    CostEntry const& entry(std::string_view name, std::string_view unit) const;
    Number number(std::string_view name, std::string_view unit, Conditions const& conditions = {}) const;
    double typical(std::string_view name, std::string_view unit) const { return entry(name, unit).value.typical; }

    std::map<std::string, CostEntry, std::less<>> const& entries() const { return entries_; }
    /// What a file says it is, by kind: "device", "blocks", "asic", "energy".
    std::string title(std::string const& kind) const;

private:
    std::map<std::string, CostEntry, std::less<>> entries_;
    std::map<std::string, std::string> titles_;
};

}  // namespace netzip
