#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace netzip {

/// What the process returns to its caller.
enum class ExitStatus {
    ok = 0,
    run_failed = 1,  ///< a check of the run failed, or the run could not be finished
    usage = 2,       ///< command line or configuration
    input_file = 3,  ///< a recording, baseline or database that cannot be used
    regression = 4,  ///< a compared number moved
};

/// Base of every error that reaches a user: one or more lines, each naming place, expected and found.
class Error : public std::runtime_error {
public:
    Error(ExitStatus status, std::string const& message) : std::runtime_error(message), status_(status) {}
    ExitStatus status() const { return status_; }

private:
    ExitStatus status_;
};

/// The run failed: lost bits, a violated invariant, no progress.
class RunError : public Error {
public:
    explicit RunError(std::string const& message) : Error(ExitStatus::run_failed, message) {}
};

/// The command line or a configuration is wrong.
class UsageError : public Error {
public:
    explicit UsageError(std::string const& message) : Error(ExitStatus::usage, message) {}
};

/// An input file is missing, damaged or lies about itself.
class InputError : public Error {
public:
    explicit InputError(std::string const& message) : Error(ExitStatus::input_file, message) {}
};

/// Collects every problem of an input before any is thrown, so that a user mends them in one pass.
class Problems {
public:
    void add(std::string line) { lines_.push_back(std::move(line)); }
    bool empty() const { return lines_.empty(); }
    std::vector<std::string> const& lines() const { return lines_; }

    /// Throws `ErrorType` with all lines joined by newlines when there is at least one.
    template <class ErrorType>
    void throw_if_any() const {
        if (!lines_.empty()) throw ErrorType(joined());
    }
    std::string joined() const;

private:
    std::vector<std::string> lines_;
};

/// The candidate nearest to `word` by edit distance (a swap of neighbours counts once), or an empty string when none is
/// near (more than a third of the letters differ).
std::string nearest(std::string const& word, std::vector<std::string> const& candidates);

}  // namespace netzip
