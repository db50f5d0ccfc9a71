#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/catch.h"
#include "support/command.h"
#include "support/temporary_directory.h"

using namespace netzip;

namespace {

std::string const kRecorded = NETZIP_SOURCE_DIR "/workloads/recorded";

std::string content(std::string const& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("ratio prints its table, and its files hold the same numbers whatever the number of threads",
          "[cli][ratio]") {
    TemporaryDirectory const directory;
    std::string const one = directory.path() + "/one";
    std::string const four = directory.path() + "/four";
    auto const run = [&](std::string const& name, char const* threads) {
        return netzipsim({"ratio", kRecorded, "--phase", "late", "--combo", "min_previous+bit+lz4", "--combo",
                          "float_p1+bit+lz4", "--layers", "--threads", threads, "--csv", name + ".csv", "--json",
                          name + ".json", "--plot", name + ".svg"});
    };
    CommandResult const result = run(one, "1");
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    CHECK(result.out == run(four, "4").out);
    for (char const* extension : {".csv", ".json", ".svg"})
        CHECK(content(one + extension) == content(four + extension));

    auto const json = nlohmann::json::parse(content(one + ".json"));
    REQUIRE(json["combinations"].size() == 2);
    CHECK(json["combinations"][0]["all"]["bit_exact"] == true);
    CHECK(json["combinations"][1]["lossless"] == false);
    CHECK(json["combinations"][1]["all"]["values_lost"] > 0);
    std::uint64_t bytes = 0;
    for (auto const& layer : json["combinations"][0]["layers"]) bytes += layer["compressed_bytes"].get<std::uint64_t>();
    CHECK(bytes == json["combinations"][0]["all"]["compressed_bytes"]);
}

TEST_CASE("ratio reproduces the artifact's twelve rows", "[cli][ratio]") {
    CommandResult const result = netzipsim({"ratio", kRecorded, "--artifact"});
    CHECK(result.status == 0);
    for (char const* row : {"\nLZ4 ", "\nbyte + Snappy ", "\nbit + Zstd ", "\nvalues that do not come back "}) {
        CHECK(result.out.find(row) != std::string::npos);
    }
}

TEST_CASE("what ratio cannot use is named, with the exit status of its kind, and nothing half is left",
          "[cli][ratio]") {
    TemporaryDirectory const directory;
    auto const refused = [](std::vector<std::string> words, int status, std::string const& line) {
        words.insert(words.begin(), "ratio");
        CommandResult const result = netzipsim(words);
        CHECK(result.status == status);
        CHECK(result.signal == 0);
        CHECK(result.err == line + "\n");
        CHECK(result.out.empty());
    };
    refused({kRecorded, "--combo", "lz5"}, 2, "--combo lz5: expected a codec, got \"lz5\" (did you mean \"lz4\"?)");
    refused({kRecorded, "--packet-size", "4097 B"}, 2,
            "--packet-size: expected a multiple of 4 B up to 65535 B, got \"4097 B\"");
    refused({kRecorded, "--plot", "x.png"}, 2, "--plot: expected a name that ends in .svg or .html, got \"x.png\"");
    refused({kRecorded, "--artifact", "--whole"}, 2,
            "--artifact: fixes what is measured; it goes with --csv and --json only");
    refused({"/none.npy"}, 3, "/none.npy: cannot be read: No such file or directory");
    std::string const empty = directory.write("e.safetensors", "");
    refused({empty, "/none.npy"}, 3,
            empty + ": the file is empty\n/none.npy: cannot be read: No such file or directory");

    CommandResult const unwritable =
        netzipsim({"ratio", kRecorded, "--phase", "early", "--combo", "lz4", "--csv", directory.path() + "/no/x.csv"});
    CHECK(unwritable.status == 1);
    CHECK(unwritable.err.find("/no/x.csv") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(directory.path() + "/no"));
}
