#pragma once

#include <string>
#include <string_view>

namespace netzip {

/// A file in a directory that processes share, made by whoever comes first: the others wait in the constructor until
/// the first one's entry is gone, and find the file. Where there can be no lock (no support by the file system, a
/// directory that may only be read), each makes its own.
class CacheEntry {
public:
    /// Makes the directory; throws RunError when that fails.
    CacheEntry(std::string const& directory, std::string const& name);
    CacheEntry(CacheEntry const&) = delete;
    CacheEntry& operator=(CacheEntry const&) = delete;
    ~CacheEntry();

    std::string const& file() const { return file_; }
    /// Whole or not at all. A file that cannot be written is a warning: the next one makes it anew.
    void store(std::string_view content) const;

private:
    std::string file_;
    int lock_ = -1;  ///< descriptor; negative without a lock
};

}  // namespace netzip
