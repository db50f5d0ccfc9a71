#include "tools/explore/sweep/fork_pool.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "base/process/child_process.h"

namespace netzip {
namespace {

using Clock = std::chrono::steady_clock;

struct Running {
    std::uint64_t index;
    std::unique_ptr<ChildProcess> process;
    Clock::time_point started;
};

/// In the child: what it prints would tear the progress line, what it needs is known when it ends.
std::string measured(std::function<std::string(std::uint64_t)> const& work, std::uint64_t index) {
    int const null = open("/dev/null", O_RDWR);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    std::string text = work(index);
    rusage own{};
    rusage children{};
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    return std::to_string(own.ru_maxrss + children.ru_maxrss) + ' ' + text;
}

ChildOutcome collect(Running& running) {
    ChildOutcome outcome{running.index, false, "", 0, 0};
    try {
        std::string const answer = running.process->result();
        std::size_t const space = answer.find(' ');
        // Linux counts ru_maxrss in KiB.
        outcome.peak_memory = std::stoull(answer) * 1024;
        outcome.text = answer.substr(space + 1);
        outcome.ok = true;
    } catch (Error const& error) {
        outcome.text = error.what();
    }
    outcome.wall_seconds = std::chrono::duration<double>(Clock::now() - running.started).count();
    return outcome;
}

}  // namespace

void run_forked(std::vector<std::uint64_t> const& indices, unsigned jobs,
                std::function<std::string(std::uint64_t)> const& work,
                std::function<void(ChildOutcome const&)> const& done) {
    std::vector<Running> all;
    std::size_t next = 0;
    while (next < indices.size() || !all.empty()) {
        while (next < indices.size() && all.size() < jobs) {
            auto const index = indices[next++];
            auto process = std::make_unique<ChildProcess>("point " + std::to_string(index),
                                                          [&work, index] { return measured(work, index); });
            all.push_back({index, std::move(process), Clock::now()});
        }
        std::vector<pollfd> waiting;
        for (auto const& running : all) waiting.push_back({running.process->descriptor(), POLLIN, 0});
        if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) {
            throw RunError(std::string("cannot wait for processes: ") + std::strerror(errno));
        }
        for (std::size_t i = waiting.size(); i-- > 0;) {
            if (waiting[i].revents == 0 || all[i].process->receive()) continue;
            Running ended = std::move(all[i]);
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
            done(collect(ended));
        }
    }
}

}  // namespace netzip
