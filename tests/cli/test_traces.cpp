#include <filesystem>
#include <fstream>
#include <string>

#include "support/catch.h"
#include "support/command.h"
#include "support/small_run.h"
#include "support/temporary_directory.h"

using namespace netzip;

namespace {

std::string content(std::string const& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("whoever watches a run changes none of its numbers", "[trace]") {
    TemporaryDirectory directory;
    auto const run = [&](std::string const& name, std::vector<std::string> const& more) {
        std::vector<std::string> words{NETZIPSIM};
        for (std::string const& word : small_run(directory.path() + "/" + name)) words.push_back(word);
        words.insert(words.end(), more.begin(), more.end());
        REQUIRE(run_command(words, directory.path()).status == 0);
        return content(directory.path() + "/" + name + "/stats.json");
    };
    std::string const alone = run("alone", {});
    std::string const watched = run("watched", {"--timeline", "t.json", "--waves", "w.vcd", "--pcap", "c.pcap",
                                                "--packets", "p.csv", "--trace-begin", "1 us"});
    CHECK(!alone.empty());
    CHECK(watched == alone);
    for (char const* file : {"t.json", "w.vcd", "c.pcap", "p.csv"}) {
        CHECK(std::filesystem::file_size(directory.path() + "/" + file) > 1000);
    }
}
