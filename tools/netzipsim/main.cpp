#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <new>
#include <unistd.h>
#include <vector>

#include "base/error.h"
#include "base/results/run_info.h"
#include "tools/netzipsim/commands.h"
#include "tools/netzipsim/standard_output.h"
#include "workloads/mapped_file.h"

// libsystemc exports a main that calls this; ours is the one that runs.
extern "C" int sc_main(int, char**) {
    return 0;
}

namespace netzip {
namespace {

struct Command {
    char const* name;
    int (*run)(Arguments);
    char const* purpose;
};

constexpr std::array kCommands{
    Command{"baseline", baseline_command,
            "Keep numbers that later runs are compared with, and the reason for each change"},
    Command{"check", check_command, "Validate configuration files without running anything"},
    Command{"compare", compare_command, "Compare two results number by number; exit status 4 when one moved"},
    Command{"cost", cost_command, "Area, FPGA resources and power of a design, without running it"},
    Command{"describe", describe_command, "List every parameter with type, unit, range, default and source"},
    Command{"merge", merge_command, "Join the shards of a sweep, or say what is missing"},
    Command{"ratio", ratio_command, "Compress recorded tensors with many combinations and compare every bit"},
    Command{"report", report_command, "Tables and pages of results that are there"},
    Command{"run", run_command, "Replay tensors from one node to another through the NIC and report"},
    Command{"sweep", sweep_command, "Run many designs: grids, lists and samples of any parameter"},
};

std::string help() {
    std::string text =
        "netzipsim: what would lossless compression inside the NIC do to this traffic, on this design, at this "
        "cost?\n\n"
        "Usage: netzipsim COMMAND ...\n\nCommands:\n";
    for (Command const& command : kCommands) text += fmt::format("  {:<10} {}\n", command.name, command.purpose);
    return text +
           "\n  netzipsim COMMAND --help   options and examples of a command\n"
           "  netzipsim --version        version, build type and compiler\n\n"
           "Exit status: 0 fine; 1 the run failed; 2 command line or configuration; 3 an input file;\n"
           "4 a compared number moved.\n";
}

Command const& command_named(std::string const& name) {
    auto const* const found =
        std::find_if(kCommands.begin(), kCommands.end(), [&](Command const& command) { return command.name == name; });
    if (found != kCommands.end()) return *found;
    std::vector<std::string> names{"--help", "--version"};
    for (Command const& command : kCommands) names.emplace_back(command.name);
    std::string const near = nearest(name, names);
    throw UsageError("netzipsim: unknown command \"" + name + "\"" +
                     (near.empty() ? "" : " (did you mean \"" + near + "\"?)") + "; see netzipsim --help");
}

int dispatch(std::vector<std::string> words) {
    if (words.empty()) throw UsageError(help());
    if (words[0] == "help" && words.size() > 1) words = {words[1], "--help"};
    if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
        std::cout << help();
        return 0;
    }
    if (words[0] == "--version") {
        std::cout << "netzipsim " << version() << " (" << build_description() << ")\n";
        return 0;
    }
    return command_named(words[0]).run(Arguments(words).subspan(1));
}

int report(ExitStatus status, std::string message) {
    if (message.empty() || message.back() != '\n') message += '\n';
    std::cout.flush();
    std::cerr << message;
    return static_cast<int>(status);
}

/// Runs `action`, which returns an exit status; every exception becomes lines on standard error and a status.
template <class Action>
int guarded(Action const& action) {
    try {
        return action();
    } catch (Error const& error) {
        return report(error.status(), error.what());
    } catch (std::filesystem::filesystem_error const& error) {
        return report(ExitStatus::input_file, error.path1().string() + ": " + error.code().message());
    } catch (std::bad_alloc const&) {
        return report(ExitStatus::run_failed, "netzipsim: out of memory");
    } catch (std::exception const& error) {
        return report(ExitStatus::run_failed, std::string("netzipsim: unexpected error: ") + error.what());
    } catch (...) {
        return report(ExitStatus::run_failed, "netzipsim: unexpected error of an unknown kind");
    }
}

/// A file opened later must not get the number of a standard stream that the caller closed: what is printed would end
/// up in it. What takes its place here refuses to be written, as the closed one did.
void occupy_standard_streams() {
    for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);
    }
}

}  // namespace
}  // namespace netzip

int main(int argc, char** argv) {
    using namespace netzip;
    occupy_standard_streams();
    // Both become errors of the write call, with a message instead of a signal.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    report_shortened_files();
    std::vector<std::string> const words(argv + (argc > 0 ? 1 : 0), argv + argc);
    StandardOutput output;
    int const status = guarded([&] { return dispatch(words); });
    int const finished = guarded([&] {
        output.finish();
        return 0;
    });
    return status != 0 ? status : finished;
}
