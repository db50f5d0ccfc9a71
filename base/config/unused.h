#pragma once

#include <string>
#include <utility>
#include <vector>

namespace netzip {

/// Parameters that a run does not use, and why: filled by the `unused` functions of config structs.
class UnusedParameters {
public:
    struct Entry {
        std::string path;  ///< of a parameter or of a whole section
        std::string reason;
    };

    void add(std::string path, std::string reason) { entries_.push_back({std::move(path), std::move(reason)}); }
    std::vector<Entry> const& entries() const { return entries_; }
    /// The reason why `path` is not used, or nothing.
    Entry const* find(std::string const& path) const;

private:
    std::vector<Entry> entries_;
};

}  // namespace netzip
