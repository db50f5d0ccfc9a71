#pragma once

#include <string>

namespace netzip {

/// The directory of the results of one run.
///
/// Created with its parents. One that already holds results of a run is used again: they are removed at once, so that
/// a run that fails leaves nothing that looks like its result. Throws UsageError, naming the directory and the reason,
/// when it cannot be created or written, is a file, or holds anything else, which is never touched.
class ResultsDirectory {
public:
    explicit ResultsDirectory(std::string path);

    std::string const& path() const { return path_; }
    /// Path of the file `name` in it.
    std::string file(std::string const& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

}  // namespace netzip
