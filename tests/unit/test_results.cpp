#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/process/child_process.h"
#include "base/results/output_file.h"
#include "base/results/results_directory.h"
#include "base/results/run_info.h"
#include "support/catch.h"
#include "support/temporary_directory.h"

using namespace netzip;
namespace fs = std::filesystem;

namespace {

std::string content(std::string const& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

template <class E>
std::string message(std::function<void()> const& action) {
    try {
        action();
    } catch (E const& error) {
        return error.what();
    }
    return "nothing was thrown";
}

}  // namespace

TEST_CASE("a file appears whole when it is committed, and not at all otherwise", "[results]") {
    TemporaryDirectory directory;
    std::string const name = directory.path() + "/a.csv";
    {
        OutputFile file(name);
        file.write(std::string(100'000, 'x'));
        CHECK_FALSE(fs::exists(name));
    }
    CHECK(fs::is_empty(directory.path()));
    {
        OutputFile file(name);
        file.write("0123456789");
        file.write(std::string(100'000, 'x'));
        file.write_at(2, "ab");
        CHECK(file.size() == 100'010);
        file.commit();
    }
    CHECK(content(name) == "01ab456789" + std::string(100'000, 'x'));
    CHECK_FALSE(fs::exists(name + ".partial"));
}

TEST_CASE("a link stays a link and what it leads to is replaced", "[results]") {
    TemporaryDirectory directory;
    std::string const target = directory.write("target", "old");
    std::string const link = directory.path() + "/link";
    fs::create_symlink(target, link);
    write_file(link, "new");
    CHECK(fs::is_symlink(link));
    CHECK(content(target) == "new");
}

TEST_CASE("a full disk is named with the file", "[results]") {
    CHECK(message<RunError>([] { write_file("/dev/full", "x"); }) ==
          "/dev/full: cannot be written: No space left on device");
}

TEST_CASE("a file that outgrows its limit leaves nothing behind", "[results]") {
    TemporaryDirectory directory;
    std::string const name = directory.path() + "/a.csv";
    std::string const said = run_in_process("child", [&] {
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit const limit{65536, 65536};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        return message<RunError>([&] { write_file(name, std::string(1'000'000, 'x')); });
    });
    CHECK(said == name + ": cannot be written: File too large");
    CHECK(fs::is_empty(directory.path()));
}

TEST_CASE("an output directory is created with its parents", "[results]") {
    TemporaryDirectory directory;
    ResultsDirectory const results(directory.path() + "/a/b");
    CHECK(fs::is_empty(directory.path() + "/a/b"));
    CHECK(results.file("stats.json") == directory.path() + "/a/b/stats.json");
}

TEST_CASE("a new run removes the results of an earlier one", "[results]") {
    TemporaryDirectory directory;
    for (char const* name : {"stats.json", "run.json", "packets.csv.partial"}) {
        std::ofstream(directory.path() + "/" + name) << "old";
    }
    ResultsDirectory const results(directory.path());
    CHECK(fs::is_empty(directory.path()));
}

TEST_CASE("an output directory with anything else in it is refused and left alone", "[results]") {
    TemporaryDirectory directory;
    std::ofstream(directory.path() + "/stats.json") << "old";
    std::ofstream(directory.path() + "/thesis.tex") << "dear";
    CHECK(message<UsageError>([&] { ResultsDirectory results(directory.path()); }) ==
          "output directory \"" + directory.path() +
              "\": holds \"thesis.tex\", which is no result of a run; expected a new or empty directory");
    CHECK(content(directory.path() + "/stats.json") == "old");
    CHECK(message<UsageError>([&] { ResultsDirectory results(directory.path() + "/thesis.tex"); }) ==
          "output directory \"" + directory.path() + "/thesis.tex\": is a file, expected a directory or a new name");
    CHECK(message<UsageError>([&] { ResultsDirectory results(directory.path() + "/thesis.tex/x"); }) ==
          "output directory \"" + directory.path() + "/thesis.tex/x\": cannot be used: Not a directory");
    CHECK(message<UsageError>([] { ResultsDirectory results(""); }) == "output directory \"\": expected a name");
    CHECK(message<UsageError>([] { ResultsDirectory results("/proc/netzipsim"); }) ==
          "output directory \"/proc/netzipsim\": cannot be used: No such file or directory");
}

TEST_CASE("a child process hands back its bytes", "[process]") {
    std::string const bytes(1'000'000, '\0');
    CHECK(run_in_process("child", [&] { return bytes; }) == bytes);
    CHECK(run_in_process("child", [] { return std::string(); }).empty());
}

TEST_CASE("an error of a child process is thrown in the parent with its kind", "[process]") {
    auto const fails = [](auto const& error) { return [error]() -> std::string { throw error; }; };
    CHECK(message<RunError>([&] { run_in_process("child", fails(RunError("a\nb"))); }) == "a\nb");
    CHECK(message<InputError>([&] { run_in_process("child", fails(InputError("a"))); }) == "a");
    CHECK(message<UsageError>([&] { run_in_process("child", fails(UsageError("a"))); }) == "a");
    CHECK(message<RunError>([&] { run_in_process("child", fails(std::bad_alloc())); }) == "out of memory");
    CHECK(message<RunError>([&] { run_in_process("child", fails(3)); }) == "unknown exception");
    CHECK(message<Error>([&] { run_in_process("child", fails(Error(ExitStatus::regression, "a"))); }) == "a");
}

TEST_CASE("a child process that dies is an error that names how", "[process]") {
    CHECK(message<RunError>([] {
              run_in_process("the run", []() -> std::string {
                  std::raise(SIGKILL);
                  return "";
              });
          }) == "the run: ended by signal 9 (Killed)");
    CHECK(message<RunError>([] { run_in_process("the run", []() -> std::string { ::_exit(7); }); }) ==
          "the run: ended without a result, with status 7");
}

TEST_CASE("a child process ends when nobody wants its result", "[process]") {
    {
        ChildProcess child("child", []() -> std::string {
            for (;;) ::pause();
        });
    }
    SUCCEED("the destructor returned");
}

TEST_CASE("run.json holds what may differ between runs", "[results]") {
    std::string const text =
        to_json(RunInfo{{"netzipsim", "run"}, 1.5, {{"lz4", "1.9.4"}}, {{"replay_s", 1.0}}, {"w"}});
    for (char const* part : {"\"command\": [\"netzipsim\", \"run\"]", "\"wall_s\": 1.5", "\"lz4\": \"1.9.4\"",
                             "\"replay_s\": 1.0", "\"warnings\": [\"w\"]", "\"host\": ", "\"build\": "}) {
        CHECK(text.find(part) != std::string::npos);
    }
}
