#include "base/process/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <iostream>
#include <new>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

namespace netzip {
namespace {

// First byte of the answer; the exit status of an error follows it as a digit.
constexpr char kResult = 'R';
constexpr char kError = 'E';

void send(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t const count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return;  // the parent is gone
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

std::string error_answer(ExitStatus status, std::string const& message) {
    return std::string{kError, static_cast<char>('0' + static_cast<int>(status))} + message;
}

std::string answer(std::function<std::string()> const& function) {
    try {
        return kResult + function();
    } catch (Error const& error) {
        return error_answer(error.status(), error.what());
    } catch (std::bad_alloc const&) {
        return error_answer(ExitStatus::run_failed, "out of memory");
    } catch (std::exception const& error) {
        return error_answer(ExitStatus::run_failed, error.what());
    } catch (...) {
        return error_answer(ExitStatus::run_failed, "unknown exception");
    }
}

[[noreturn]] void run_child(int descriptor, pid_t parent, std::function<std::string()> const& function) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0);  // it died before the line above
    std::string const bytes = answer(function);
    std::cout.flush();
    std::fflush(nullptr);
    send(descriptor, bytes);
    ::_exit(0);
}

[[noreturn]] void rethrow(std::string const& text) {
    switch (static_cast<ExitStatus>(text[1] - '0')) {
        case ExitStatus::usage:
            throw UsageError(text.substr(2));
        case ExitStatus::input_file:
            throw InputError(text.substr(2));
        case ExitStatus::run_failed:
            throw RunError(text.substr(2));
        default:
            throw Error(static_cast<ExitStatus>(text[1] - '0'), text.substr(2));
    }
}

}  // namespace

ChildProcess::ChildProcess(std::string name, std::function<std::string()> const& function) : name_(std::move(name)) {
    std::cout.flush();
    std::fflush(nullptr);  // else the child would print what is buffered once more
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw RunError(name_ + ": no pipe: " + std::strerror(errno));
    pid_t const parent = ::getpid();
    process_ = ::fork();
    if (process_ == 0) {
        ::close(ends[0]);
        run_child(ends[1], parent, function);
    }
    int const reason = errno;
    ::close(ends[1]);
    descriptor_ = ends[0];
    if (process_ < 0) {
        ::close(descriptor_);
        throw RunError(name_ + ": no process: " + std::strerror(reason));
    }
}

ChildProcess::~ChildProcess() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

bool ChildProcess::receive() {
    std::array<char, 65536> buffer;
    ssize_t count = 0;
    do {
        count = ::read(descriptor_, buffer.data(), buffer.size());
    } while (count < 0 && errno == EINTR);
    if (count <= 0) return false;
    received_.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
}

std::string ChildProcess::result() {
    while (receive()) {
    }
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    if (WIFSIGNALED(status)) {
        int const signal = WTERMSIG(status);
        throw RunError(fmt::format("{}: ended by signal {} ({})", name_, signal, ::strsignal(signal)));
    }
    if (received_.size() >= 2 && received_[0] == kError) rethrow(received_);
    if (received_.empty() && WEXITSTATUS(status) == static_cast<int>(ExitStatus::input_file))
        throw InputError(name_ + ": ended by the input file above");
    if (received_.empty() || received_[0] != kResult) {
        throw RunError(fmt::format("{}: ended without a result, with status {}", name_, WEXITSTATUS(status)));
    }
    received_.erase(0, 1);
    return std::move(received_);
}

std::string run_in_process(std::string const& name, std::function<std::string()> const& function) {
    return ChildProcess(name, function).result();
}

}  // namespace netzip
