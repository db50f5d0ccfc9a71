#pragma once

#include <functional>
#include <string>

namespace netzip {

/// A function that runs in a forked process of its own and hands back bytes: one process per simulation.
///
/// An `Error` of the function is thrown again by `result` with its status; any other exception, and a death by a
/// signal, becomes a RunError that says so. The child dies with its parent. Fork before any thread is started.
class ChildProcess {
public:
    /// Starts at once. `name` is what errors call it ("the run without compression").
    ChildProcess(std::string name, std::function<std::string()> const& function);
    ChildProcess(ChildProcess const&) = delete;
    ChildProcess& operator=(ChildProcess const&) = delete;
    /// Kills the child when nobody asked for its result.
    ~ChildProcess();

    /// Readable when there is something for `receive`; for poll().
    int descriptor() const { return descriptor_; }
    /// Takes what has arrived, waiting for at least one byte; false at the end, when `result` no longer waits.
    bool receive();
    /// Waits for the end and returns what the function returned, or throws. Call once.
    std::string result();

private:
    std::string name_;
    std::string received_;
    int process_ = -1;
    int descriptor_ = -1;
};

/// Runs `function` in a process of its own and waits for it.
std::string run_in_process(std::string const& name, std::function<std::string()> const& function);

}  // namespace netzip
