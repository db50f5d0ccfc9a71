#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/catch.h"
#include "support/command.h"
#include "support/small_run.h"
#include "support/temporary_directory.h"

using namespace netzip;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

std::string content(std::string const& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// The run of `small_run` with a recording in place of made-up tensors.
CommandResult run_recording(std::string const& results, std::string const& file) {
    return netzipsim(small_run(results, {"workload.source=recorded", "workload.files=" + file}));
}

}  // namespace

TEST_CASE("a resolved configuration repeats the run to the byte, from any directory", "[run]") {
    TemporaryDirectory first;
    TemporaryDirectory second;
    REQUIRE(netzipsim(small_run(first.path() + "/r")).status == 0);
    CommandResult const again = netzipsim({"run", "r/resolved.toml", "-o", second.path() + "/r"}, first.path());
    INFO(again.err);
    REQUIRE(again.status == 0);
    CHECK(content(second.path() + "/r/stats.json") == content(first.path() + "/r/stats.json"));
}

TEST_CASE("a recording that cannot be used ends with status 3, names the file and leaves no result", "[run]") {
    TemporaryDirectory directory;
    std::string const in = directory.path() + "/";
    std::ofstream(in + "empty.safetensors");
    std::ofstream(in + "lfs.safetensors") << "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
    std::ofstream(in + "short.safetensors") << "1234";
    std::ofstream(in + "text.npy") << "this is no array";
    std::ofstream(in + "what.docx") << "PK";
    fs::create_directory(in + "nothing");
    for (std::string const name : {"none.safetensors", "empty.safetensors", "lfs.safetensors", "short.safetensors",
                                   "text.npy", "what.docx", "nothing"}) {
        CommandResult const result = run_recording(in + "results", in + name);
        INFO(name << "\n" << result.err);
        CHECK(result.status == 3);
        CHECK(result.err.find(name) != std::string::npos);
        CHECK_FALSE(fs::exists(in + "results/stats.json"));
    }
    CHECK(run_recording(in + "results", in + "lfs.safetensors").err.find("git lfs pull") != std::string::npos);
}

TEST_CASE("a run that does not end well has status 1 and leaves no result, not even an old one", "[run]") {
    TemporaryDirectory directory;
    REQUIRE(netzipsim(small_run(directory.path())).status == 0);
    REQUIRE(fs::exists(directory.path() + "/stats.json"));
    CommandResult const result = netzipsim(small_run(directory.path(), {"run.watchdog=1 ps"}));
    INFO(result.err);
    CHECK(result.status == 1);
    CHECK(result.err.find("1 ps") != std::string::npos);
    CHECK(fs::is_empty(directory.path()));
}

TEST_CASE("an output directory that cannot be used is refused before the run", "[run]") {
    TemporaryDirectory directory;
    std::ofstream(directory.path() + "/file") << "x";
    for (std::string const& results : {directory.path(), directory.path() + "/file", std::string("/proc/x")}) {
        CommandResult const result = netzipsim(small_run(results));
        CHECK(result.status == 2);
        CHECK(result.out.empty());
        CHECK(result.err.find("output directory \"" + results + "\": ") != std::string::npos);
    }
    CHECK(content(directory.path() + "/file") == "x");
}

TEST_CASE("results that do not fit on the disk are an error and leave nothing that looks whole", "[run]") {
    TemporaryDirectory directory;
    Words words{"/bin/bash", "-c", "ulimit -f 4; exec \"$0\" \"$@\"", NETZIPSIM};  // 4 KiB per file
    Words const run = small_run(directory.path() + "/r");
    words.insert(words.end(), run.begin(), run.end());
    CommandResult const result = run_command(words);
    INFO(result.err);
    CHECK(result.status == 1);
    CHECK(result.err.find("cannot be written: File too large") != std::string::npos);
    CHECK_FALSE(fs::exists(directory.path() + "/r/stats.json"));
}

TEST_CASE("values that have no effect are named", "[run]") {
    TemporaryDirectory directory;
    CommandResult const result = netzipsim(small_run(directory.path(), {"switch.latency=1 us"}));
    CHECK(result.status == 0);
    CHECK(result.err.find("switch.latency = \"1 us\" has no effect: switch.present is false") != std::string::npos);
    CHECK(content(directory.path() + "/run.json").find("switch.latency") != std::string::npos);
}

TEST_CASE("a trace that cannot be written is refused before the run, a full disk is found during it", "[run]") {
    TemporaryDirectory directory;
    for (char const* option : {"--timeline", "--waves", "--pcap", "--packets"}) {
        INFO(option);
        Words words = small_run(directory.path() + "/r");
        words.insert(words.end(), {option, "/none/trace"});
        CommandResult const refused = netzipsim(words);
        CHECK(refused.status == 2);
        CHECK(refused.err.find("/none/trace: cannot be created: No such file or directory") != std::string::npos);
        words.back() = "/dev/full";
        CommandResult const full = netzipsim(words);
        CHECK(full.status == 1);
        CHECK(full.err.find("/dev/full: ") != std::string::npos);
        CHECK_FALSE(fs::exists(directory.path() + "/r/stats.json"));
    }
    Words words = small_run(directory.path() + "/r");
    words.insert(words.end(), {"--trace-begin", "5"});
    CHECK(netzipsim(words).err.find("netzipsim run: --trace-begin: expected a time") != std::string::npos);
}

TEST_CASE("a run that does not end well leaves its traces, whole, and a trace that is under way has another name",
          "[run]") {
    TemporaryDirectory directory;
    std::string const in = directory.path() + "/";
    Words words = small_run(in + "r", {"nic.compressor.clock=1 kHz", "run.watchdog=200 us"});
    words.insert(words.end(), {"--timeline", in + "t.json", "--waves", in + "w.vcd", "--pcap", in + "c.pcap",
                               "--packets", in + "p.csv"});
    CommandResult const failed = netzipsim(words);
    INFO(failed.err);
    CHECK(failed.status == 1);
    std::string const timeline = content(in + "t.json");
    CHECK(timeline.find("tx.demux") != std::string::npos);
    CHECK(timeline.ends_with("],\"otherData\":{\"events_left_out\":0}}\n"));
    CHECK(content(in + "w.vcd").find("$enddefinitions") != std::string::npos);
    CHECK(fs::file_size(in + "c.pcap") >= 24);
    CHECK(content(in + "p.csv").starts_with("serial,"));

    // A kilobyte per file is too small for the trace.
    Words limited{"/bin/bash", "-c", "ulimit -f 1; exec \"$0\" \"$@\"", NETZIPSIM};
    Words const run = small_run(in + "r");
    limited.insert(limited.end(), run.begin(), run.end());
    limited.insert(limited.end(), {"--timeline", in + "half.json"});
    CHECK(run_command(limited).status == 1);
    CHECK_FALSE(fs::exists(in + "half.json"));
}
