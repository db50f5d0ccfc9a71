#include "tools/explore/sweep/fork_pool.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "base/error.h"

namespace netzip {
namespace {

using Clock = std::chrono::steady_clock;

struct Child {
    std::uint64_t index;
    pid_t pid;
    int output;
    std::string received;
    Clock::time_point started;
};

void write_all(int descriptor, std::string const& text) {
    std::size_t written = 0;
    while (written < text.size()) {
        ssize_t const n = write(descriptor, text.data() + written, text.size() - written);
        if (n < 0 && errno != EINTR) _exit(1);
        if (n > 0) written += static_cast<std::size_t>(n);
    }
}

/// The first byte of what a child sends says whether the work returned ('+') or threw ('-').
[[noreturn]] void run_child(int output, pid_t parent, std::uint64_t index,
                            std::function<std::string(std::uint64_t)> const& work) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    int const null = open("/dev/null", O_RDWR);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    std::string text;
    try {
        text.append(1, '+').append(work(index));
    } catch (std::exception const& error) {
        text.assign(1, '-').append(error.what());
    } catch (...) {
        text = "-unknown exception";
    }
    write_all(output, text);
    // No destructors and no buffers of the parent: they are copies.
    _exit(0);
}

Child start(std::uint64_t index, std::function<std::string(std::uint64_t)> const& work) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw RunError(std::string("cannot make a pipe: ") + std::strerror(errno));
    std::fflush(nullptr);
    pid_t const parent = getpid();
    pid_t const pid = fork();
    if (pid < 0) throw RunError(std::string("cannot start a process: ") + std::strerror(errno));
    if (pid == 0) {
        close(ends[0]);
        run_child(ends[1], parent, index, work);
    }
    close(ends[1]);
    return {index, pid, ends[0], "", Clock::now()};
}

/// Reads what is there; false at the end.
bool receive(Child& child) {
    char buffer[65536];
    ssize_t const n = read(child.output, buffer, sizeof buffer);
    if (n > 0) child.received.append(buffer, static_cast<std::size_t>(n));
    return n > 0 || (n < 0 && errno == EINTR);
}

ChildOutcome collect(Child const& child) {
    close(child.output);
    int status = 0;
    rusage usage{};
    while (wait4(child.pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    ChildOutcome outcome{child.index, false, "", 0, 0};
    outcome.wall_seconds = std::chrono::duration<double>(Clock::now() - child.started).count();
    // Linux counts ru_maxrss in KiB.
    outcome.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    if (WIFSIGNALED(status)) {
        outcome.text = std::string("ended by signal ") + std::to_string(WTERMSIG(status)) + " (" +
                       strsignal(WTERMSIG(status)) + ")";
    } else if (child.received.empty()) {
        outcome.text = "ended without a result, exit status " + std::to_string(WEXITSTATUS(status));
    } else {
        outcome.ok = child.received[0] == '+';
        outcome.text = child.received.substr(1);
    }
    return outcome;
}

/// Ends what still runs when an error passes by.
struct Children {
    std::vector<Child> list;
    ~Children() {
        for (auto const& child : list) {
            kill(child.pid, SIGKILL);
            close(child.output);
            waitpid(child.pid, nullptr, 0);
        }
    }
};

}  // namespace

void run_forked(std::vector<std::uint64_t> const& indices, unsigned jobs,
                std::function<std::string(std::uint64_t)> const& work,
                std::function<void(ChildOutcome const&)> const& done) {
    Children running;
    std::size_t next = 0;
    while (next < indices.size() || !running.list.empty()) {
        while (next < indices.size() && running.list.size() < jobs) running.list.push_back(start(indices[next++], work));
        std::vector<pollfd> waiting;
        for (auto const& child : running.list) waiting.push_back({child.output, POLLIN, 0});
        if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) {
            throw RunError(std::string("cannot wait for processes: ") + std::strerror(errno));
        }
        for (std::size_t i = waiting.size(); i-- > 0;) {
            if (waiting[i].revents == 0 || receive(running.list[i])) continue;
            Child const child = std::move(running.list[i]);
            running.list.erase(running.list.begin() + static_cast<std::ptrdiff_t>(i));
            done(collect(child));
        }
    }
}

}  // namespace netzip
