#include "support/command.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include "support/temporary_directory.h"

namespace netzip {
namespace {

std::string content(std::string const& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

void redirect(int descriptor, std::string const& name, int flags) {
    int const file = ::open(name.c_str(), flags, 0600);
    if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(126);
}

}  // namespace

CommandResult run_command(std::vector<std::string> const& words, std::string const& directory,
                          std::string const& output_file) {
    TemporaryDirectory scratch;
    std::string const out = output_file.empty() ? scratch.path() + "/out" : output_file;
    std::string const err = scratch.path() + "/err";
    std::vector<char*> argv;
    for (std::string const& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);

    pid_t const child = ::fork();
    if (child == 0) {
        redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
        redirect(STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC);
        redirect(STDERR_FILENO, err, O_WRONLY | O_CREAT | O_TRUNC);
        if (::chdir(directory.c_str()) == 0) ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    CommandResult result;
    if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    if (output_file.empty()) result.out = content(out);
    result.err = content(err);
    return result;
}

CommandResult netzipsim(std::vector<std::string> words, std::string const& directory, std::string const& output_file) {
    words.insert(words.begin(), NETZIPSIM);
    return run_command(words, directory, output_file);
}

}  // namespace netzip
