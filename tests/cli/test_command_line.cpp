#include <filesystem>
#include <fstream>
#include <random>

#include "support/catch.h"
#include "support/command.h"
#include "support/temporary_directory.h"

using namespace netzip;

namespace {

using Words = std::vector<std::string>;

/// The only line of an error, without the end of line; empty when it is not one line.
std::string only_line(CommandResult const& result) {
    bool const one = !result.err.empty() && result.err.find('\n') == result.err.size() - 1;
    return one ? result.err.substr(0, result.err.size() - 1) : "";
}

Words commands() {
    Words names;
    std::string const help = netzipsim({"--help"}).out;
    for (auto at = help.find("Commands:\n") + 10; help[at] == ' ' && help[at + 1] == ' ';) {
        names.push_back(help.substr(at + 2, help.find(' ', at + 2) - at - 2));
        at = help.find('\n', at) + 1;
    }
    return names;
}

}  // namespace

TEST_CASE("help and version go to standard output with status 0", "[cli]") {
    for (Words const& words : {Words{"--help"}, Words{"-h"}, Words{"help"}, Words{"--version"}}) {
        CommandResult const result = netzipsim(words);
        CHECK(result.status == 0);
        CHECK_FALSE(result.out.empty());
        CHECK(result.err.empty());
    }
    CHECK(netzipsim({"--version"}).out.starts_with("netzipsim "));
}

TEST_CASE("every command teaches itself with an example", "[cli]") {
    Words const names = commands();
    REQUIRE(names.size() >= 2);
    for (std::string const& name : names) {
        INFO(name);
        CommandResult const result = netzipsim({name, "--help"});
        CHECK(result.status == 0);
        CHECK(result.out.find("Usage: netzipsim " + name) != std::string::npos);
        CHECK(result.out.find("\nExamples:\n") != std::string::npos);
        CHECK(netzipsim({"help", name}).out == result.out);
    }
}

TEST_CASE("a wrong word on the command line is named with the nearest right one", "[cli]") {
    auto const said = [](Words const& words) {
        CommandResult const result = netzipsim(words);
        CHECK(result.status == 2);
        CHECK(result.out.empty());
        return only_line(result);
    };
    CHECK(said({"chekc"}) == "netzipsim: unknown command \"chekc\" (did you mean \"check\"?); see netzipsim --help");
    CHECK(said({"--verison"}).find("did you mean \"--version\"?") != std::string::npos);
    CHECK(said({"check", "--ste", "a"}) ==
          "netzipsim check: unknown option --ste (did you mean --set?); see netzipsim check --help");
    CHECK(said({"check", "--resolve", "a"}).find("did you mean --resolved?") != std::string::npos);
    CHECK(said({"check"}) == "netzipsim check: expected FILE...; see netzipsim check --help");
    CHECK(said({"check", "a", "--set"}).find("'--set' is missing") != std::string::npos);
    CHECK(said({"describe", "nic.compresor"}) ==
          "netzipsim describe: unknown key nic.compresor (did you mean \"nic.compressor\"?)");
    CHECK(said({"describe", "-o", "a", "-o", "b"}) == "netzipsim describe: --output: given more than once");
    CHECK(said({"describe", "--json", "--markdown"}).find("got both") != std::string::npos);
    CHECK(netzipsim({}).status == 2);
}

TEST_CASE("an answer that cannot be written is a failure", "[cli]") {
    CommandResult const result = netzipsim({"describe"}, ".", "/dev/full");
    CHECK(result.status == 1);
    CHECK(only_line(result) == "standard output: cannot be written: No space left on device");
    CHECK(netzipsim({"describe", "-o", "/dev/full"}).status == 1);
    CHECK(netzipsim({"describe", "-o", "/none/parameters.md"}).status == 1);
}

TEST_CASE("a closed standard output is a failure, and nothing that is printed ends up in a file", "[cli]") {
    TemporaryDirectory directory;
    CommandResult const result =
        run_command({"/bin/bash", "-c", NETZIPSIM " describe -o a.txt; " NETZIPSIM " describe >&-"}, directory.path());
    CHECK(result.status == 1);
    CHECK(only_line(result) == "standard output: cannot be written: Bad file descriptor");
}

TEST_CASE("a reader that closes the pipe is no failure", "[cli]") {
    CommandResult const result =
        run_command({"/bin/bash", "-c", "set -o pipefail; " NETZIPSIM " describe --json | head -c 1"});
    CHECK(result.status == 0);
    CHECK(result.err.empty());
}

TEST_CASE("a configuration that cannot be read ends with status 2 and a line that names it", "[cli]") {
    TemporaryDirectory directory;
    std::ofstream(directory.path() + "/empty.toml");
    std::ofstream(directory.path() + "/lfs.toml") << "version https://git-lfs.github.com/spec/v1\n";
    std::ofstream(directory.path() + "/binary.toml") << std::string("\0\x7f\x45\x4c\xff", 5);
    for (std::string const name : {"none.toml", "empty.toml", "lfs.toml", "binary.toml", "."}) {
        CommandResult const result = netzipsim({"check", name}, directory.path());
        CHECK(result.status == 2);
        CHECK(only_line(result).starts_with(name));
    }
}

TEST_CASE("no words on the command line end in a signal or an unexpected error", "[cli]") {
    std::mt19937 random(1);
    TemporaryDirectory directory;
    std::ofstream(directory.path() + "/a.toml") << "[nic]\nclock = \"1 GHz\"\n";
    Words pool{"",
               "-",
               "--",
               "-x",
               "--set",
               "--set=",
               "=",
               "a.toml",
               "b.toml",
               "-o",
               "nic.",
               "--json",
               "--help=1",
               "--",
               "\xff",
               "%s%n",
               "--set",
               "nic.clock",
               "=1 GHz",
               "nic.clock=9",
               "-o.",
               "--output",
               "/dev/null",
               "-j",
               "0",
               "-1",
               "99999999999999999999",
               std::string(10'000, 'a'),
               "nic.clock=" + std::string(10'000, '9') + " GHz"};
    for (std::string const& name : commands()) {
        pool.push_back(name);
        for (int i = 0; i < 40; ++i) {
            Words words{name};
            for (std::size_t n = random() % 4; n > 0; --n) words.push_back(pool[random() % pool.size()]);
            CommandResult const result = netzipsim(words, directory.path());
            INFO(Catch::StringMaker<Words>::convert(words) << "\n" << result.err);
            CHECK(result.signal == 0);
            CHECK(result.status <= 4);
            CHECK(result.err.find("unexpected error") == std::string::npos);
            CHECK((result.status == 0) == result.err.empty());
        }
    }
}
