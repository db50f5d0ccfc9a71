#include <filesystem>
#include <fstream>

#include "base/config/load.h"
#include "support/catch.h"
#include "support/temporary_directory.h"

using namespace netzip;
using namespace netzip::literals;

namespace {

enum class Colour { red, green };

}  // namespace

template <>
struct netzip::EnumNames<Colour> {
    static constexpr std::array values{std::pair{Colour::red, "red"}, std::pair{Colour::green, "green"}};
};

namespace {

struct Engine {
    std::uint64_t engines = 22;
    Frequency clock{300'000'000};
    double share = 0.5;

    template <class V>
    void fields(V& v) {
        v("engines", engines, between(1, 64), "Engines side by side.", "assumption");
        v("clock", clock, above(Frequency::zero()), "Clock.", "own choice");
        v("share", share, between(0, 1), "Share.", "own choice");
    }
};

struct Device {
    bool enabled = true;
    BitRate rate{50'000'000'000};
    Duration delay{25'000'000};
    Bytes buffer{4096};
    Cycles depth{170};
    Colour colour = Colour::red;
    std::string name = "a \"b\" \\ c";
    std::vector<std::string> tags{"x"};
    std::vector<std::string> files{"recorded.npy"};
    Engine engine;

    template <class V>
    void fields(V& v) {
        v("enabled", enabled, any(), "Whether it is there.", "own choice");
        v("rate", rate, above(BitRate::zero()), "Rate of a direction.", "own choice");
        v("delay", delay, any(), "Flight time.", "own choice");
        v("buffer", buffer, at_least(64_B), "Buffer.", "own choice");
        v("depth", depth, any(), "Stages.", "own choice");
        v("colour", colour, any(), "Colour.", "own choice");
        v("name", name, any(), "Name.", "own choice");
        v("tags", tags, at_least(1), "Tags.", "own choice");
        v.file("files", files, at_least(1), "Files.", "own choice");
        v.section("engine", engine, "The engines.");
    }
    void check(std::string const& place, Problems& problems) const {
        if (buffer < 1024_B && engine.engines > 40) {
            problems.add(place + "buffer: expected at least 1 KiB for more than 40 engines, got " + to_string(buffer));
        }
    }
    void unused(std::string const& place, UnusedParameters& unused) const {
        if (!enabled) unused.add(place + "engine", place + "enabled is false");
    }
};

struct Experiment {
    Device nic;
    std::uint64_t seed = 1;

    template <class V>
    void fields(V& v) {
        v.section("nic", nic, "The device.");
        v("seed", seed, any(), "Seed.", "own choice");
    }
};

/// Files of one test, and what loading them does.
class Bench {
public:
    std::string file(std::string const& name, std::string const& text) {
        std::string const path = directory.path() + "/" + name;
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        std::ofstream(path) << text;
        return path;
    }
    /// Loads and returns the problems, with the name of the directory removed.
    std::vector<std::string> problems(std::vector<std::string> const& files,
                                      std::vector<std::string> const& sets = {}) {
        Problems found;
        load(registry, files, sets, found);
        std::vector<std::string> lines;
        for (std::string line : found.lines()) {
            for (auto at = line.find(directory.path() + "/"); at != std::string::npos;
                 at = line.find(directory.path() + "/")) {
                line.erase(at, directory.path().size() + 1);
            }
            lines.push_back(line);
        }
        return lines;
    }
    std::vector<std::string> problems_of(std::string const& text) { return problems({file("a.toml", text)}); }

    TemporaryDirectory directory;
    Experiment experiment;
    ConfigRegistry registry = registry_of(experiment);
};

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("every type of parameter is read from a file", "[config]") {
    Bench bench;
    auto const path = bench.file("part/a.toml", R"(seed = 7
[nic]
enabled = false
rate = "400 Gb/s"
delay = "1.5 us"
buffer = "64 KiB"
depth = "2 cycles"
colour = "green"
name = "b"
tags = ["p", "q"]
files = ["../one.npy", "/two.npy"]
engine.share = 1
engine.clock = "1 GHz"
)");
    REQUIRE(bench.problems({path}) == Lines{});
    Device const& nic = bench.experiment.nic;
    CHECK(bench.experiment.seed == 7);
    CHECK_FALSE(nic.enabled);
    CHECK(nic.rate == 400_Gbps);
    CHECK(nic.delay == 1500_ns);
    CHECK(nic.buffer == 64_KiB);
    CHECK(nic.depth == 2_cycles);
    CHECK(nic.colour == Colour::green);
    CHECK(nic.name == "b");
    CHECK(nic.tags == Lines{"p", "q"});
    CHECK(nic.files == Lines{bench.directory.path() + "/one.npy", "/two.npy"});
    CHECK(nic.engine.share == 1.0);
    CHECK(nic.engine.clock == 1_GHz);
    CHECK(nic.engine.engines == 22);
}

TEST_CASE("all problems of a file are reported at once with line and column", "[config]") {
    Bench bench;
    CHECK(bench.problems_of(R"(sede = 2
[nic]
rate = 50
buffer = "16 B"
colour = "gren"
depth = "many cycles"
enabled = "yes"
name = 3
tags = ["a", 1]
[nic.engine]
enginse = 1
engines = 1.5
share = 2
clock = "0 Hz"
[nic.engin]
[nic.delay]
)") == Lines{
           "a.toml:1:1: sede: unknown key (did you mean \"seed\"?)",
           "a.toml:3:8: nic.rate: expected a bit rate such as \"50 Gb/s\", got 50",
           "a.toml:4:10: nic.buffer: expected at least 64 B, got \"16 B\"",
           "a.toml:5:10: nic.colour: expected one of \"red\", \"green\", got \"gren\" (did you mean \"green\"?)",
           "a.toml:6:9: nic.depth: expected a number of cycles such as \"4 cycles\", got \"many cycles\"",
           "a.toml:7:11: nic.enabled: expected true or false, got \"yes\"",
           "a.toml:8:8: nic.name: expected a text in quotes, got 3",
           "a.toml:9:8: nic.tags: expected a list of texts such as [\"a\", \"b\"], got [\"a\", 1]",
           "a.toml:11:1: nic.engine.enginse: unknown key (did you mean \"engines\"?)",
           "a.toml:12:11: nic.engine.engines: expected a whole number, got 1.5",
           "a.toml:13:9: nic.engine.share: expected 0 to 1, got 2",
           "a.toml:14:9: nic.engine.clock: expected above 0 Hz, got \"0 Hz\"",
           "a.toml:15:6: nic.engin: unknown key (did you mean \"engine\"?)",
           "a.toml:16:1: nic.delay: expected a time such as \"550 ns\", got a section",
       });
}

TEST_CASE("a later file stands over an earlier one, and the command line over both", "[config]") {
    Bench bench;
    auto const first = bench.file("first.toml", "seed = 1\nnic.rate = \"1 Gb/s\"\nnic.depth = \"1 cycle\"\n");
    auto const later = bench.file("later.toml", "nic.rate = \"2 Gb/s\"\nnic.depth = \"2 cycles\"\n");
    REQUIRE(bench.problems({first, later}, {"nic.depth=3 cycles", "nic.tags=[\"a, b\", c]", "nic.name=\"q\""}) ==
            Lines{});
    CHECK(bench.experiment.nic.rate == 2_Gbps);
    CHECK(bench.experiment.nic.depth == 3_cycles);
    CHECK(bench.experiment.nic.tags == Lines{"a, b", "c"});
    CHECK(bench.experiment.nic.name == "q");
    CHECK(bench.registry.find("seed")->origin == first + ":1");
    CHECK(bench.registry.find("nic.rate")->origin == later + ":1");
    CHECK(bench.registry.find("nic.depth")->origin == "--set");
    CHECK(bench.registry.find("nic.delay")->origin == "default");
}

TEST_CASE("a file stands over the parts that it includes, wherever the include is written", "[config]") {
    Bench bench;
    bench.file("parts/inner.toml", "seed = 1\nnic.rate = \"1 Gb/s\"\nnic.depth = \"1 cycle\"\n");
    bench.file("parts/outer.toml", "include = [\"inner.toml\"]\nnic.rate = \"2 Gb/s\"\nnic.depth = \"2 cycles\"\n");
    auto const root = bench.file("e/root.toml", "nic.depth = \"3 cycles\"\ninclude = [\"../parts/outer.toml\"]\n");
    REQUIRE(bench.problems({root}) == Lines{});
    CHECK(bench.experiment.seed == 1);
    CHECK(bench.experiment.nic.rate == 2_Gbps);
    CHECK(bench.experiment.nic.depth == 3_cycles);
    CHECK(bench.registry.find("seed")->origin == bench.directory.path() + "/parts/inner.toml:1");
}

TEST_CASE("a file that includes itself, through others or not, is an error", "[config]") {
    Bench bench;
    bench.file("b.toml", "include = [\"a.toml\"]\n");
    CHECK(bench.problems_of("include = [\"b.toml\"]\n") ==
          Lines{"a.toml: includes itself (a.toml -> b.toml -> a.toml)"});
    CHECK(bench.problems_of("include = 3\n") ==
          Lines{"a.toml:1:11: include: expected a list of files such as [\"../nic/part.toml\"], got 3"});
}

TEST_CASE("problems of the command line name the text", "[config]") {
    Bench bench;
    CHECK(bench.problems({}, {"nic.rat=1 Gb/s", "nic.engine=3", "seed", "=3", "seed=-1", "nic.rate=50"}) ==
          Lines{"--set nic.rat=1 Gb/s: nic.rat: unknown key (did you mean \"nic.rate\"?)",
                "--set nic.engine=3: nic.engine: is a section, expected a key in it", "--set seed: expected key=value",
                "--set =3: expected key=value", "--set seed=-1: seed: expected a whole number, got \"-1\"",
                "--set nic.rate=50: nic.rate: expected a bit rate such as \"50 Gb/s\", got \"50\""});
}

TEST_CASE("files that hold no configuration are named with the reason", "[config]") {
    Bench bench;
    bench.file("empty.toml", "");
    bench.file("comment.toml", "# nothing\n");
    bench.file("lfs.toml", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
    bench.file("broken.toml", "seed = \n");
    bench.file("twice.toml", "seed = 1\nseed = 2\n");
    std::string const in = bench.directory.path() + "/";
    Lines const lines = bench.problems({in + "none.toml", in, in + "empty.toml", in + "comment.toml", in + "lfs.toml",
                                        in + "broken.toml", in + "twice.toml"});
    REQUIRE(lines.size() == 7);
    CHECK(lines[0] == "none.toml: cannot be opened: No such file or directory");
    CHECK(lines[1] == ": is a directory, expected a file");
    CHECK(lines[2] == "empty.toml: is empty");
    CHECK(lines[3] == "comment.toml: sets nothing: expected at least one key");
    CHECK(lines[4] == "lfs.toml: is a Git LFS pointer, not the content: run git lfs pull");
    CHECK(lines[5].starts_with("broken.toml:1:8: "));
    CHECK(lines[6].starts_with("twice.toml:2:"));
}

TEST_CASE("a key without end is refused", "[config]") {
    std::string key = "nic";
    for (int i = 0; i < 500'000; ++i) key += ".a";
    for (std::string const& text : {key + " = 1\n", "\n[" + key + "]\n", "nic = {" + key + " = 1}\n"}) {
        Bench bench;
        Lines const lines = bench.problems_of(text);
        REQUIRE(lines.size() == 1);
        CHECK(lines[0].ends_with(": expected a key, got one of more than 1000 parts"));
    }
}

TEST_CASE("bytes that are no text are refused on the command line", "[config]") {
    Bench bench;
    CHECK(bench.problems({}, {"nic.name=\xff"}) ==
          Lines{"--set nic.name=\xff: nic.name: expected text in UTF-8, got \"\xEF\xBF\xBD\""});
}

TEST_CASE("a default outside its range must be replaced", "[config]") {
    Bench bench;
    bench.experiment.nic.files.clear();
    CHECK(bench.problems({}) == Lines{"nic.files: missing: expected at least 1 entries, got []"});
    CHECK(bench.problems({}, {"nic.files=a.npy"}) == Lines{});
}

TEST_CASE("a rule between fields names the value that was given and where", "[config]") {
    Bench bench;
    CHECK(bench.problems_of("[nic]\nbuffer = \"64 B\"\nengine.engines = 41\n") ==
          Lines{"a.toml:2: nic.buffer: expected at least 1 KiB for more than 40 engines, got 64 B"});
}

TEST_CASE("the written configuration reads back identically, every value with its origin", "[config]") {
    Bench bench;
    auto const path =
        bench.file("a.toml", "[nic]\ndelay = \"1234567 fs\"\nengine.share = 0.1\nname = \"t\\tn\\u0001\"\n");
    REQUIRE(bench.problems({path}, {"nic.engine.clock=644.53125 MHz", "nic.buffer=18446744073709551615 B"}) == Lines{});
    std::string const text = write_toml(bench.registry);
    CHECK(text.find("delay = \"1.234567 ns\"  # " + path + ":2\n") != std::string::npos);
    CHECK(text.find("[nic.engine]\nengines = 22  # default\nclock = \"644.53125 MHz\"  # --set\n") !=
          std::string::npos);

    Bench again;
    REQUIRE(again.problems({again.file("resolved.toml", text)}) == Lines{});
    for (Parameter const& parameter : bench.registry.parameters()) {
        CHECK(value_text(*again.registry.find(parameter.path)) == value_text(parameter));
    }
}

TEST_CASE("a value that was given and has no effect is named with its reason", "[config]") {
    Bench bench;
    auto const path = bench.file("a.toml", "nic.engine.engines = 3\nseed = 2\n");
    REQUIRE(bench.problems({path}) == Lines{});
    CHECK(bench.registry.without_effect().empty());
    REQUIRE(bench.problems({}, {"nic.enabled=false"}) == Lines{});
    CHECK(bench.registry.without_effect() ==
          Lines{path + ":1: nic.engine.engines = 3 has no effect: nic.enabled is false"});
}

TEST_CASE("a parameter tells its type, unit and range", "[config]") {
    Bench bench;
    auto const text = [&](char const* path) {
        Parameter const& p = *bench.registry.find(path);
        return type_name(p) + "; " + unit_name(p) + "; " + range_text(p) + "; " + p.default_text;
    };
    CHECK(text("nic.buffer") == "size; B; at least 64 B; \"4 KiB\"");
    CHECK(text("nic.rate") == "bit rate; b/s; above 0 b/s; \"50 Gb/s\"");
    CHECK(text("nic.colour") == "choice; ; red | green; \"red\"");
    CHECK(text("nic.engine.engines") == "whole number; ; 1 to 64; 22");
    CHECK(text("nic.engine.share") == "number; ; 0 to 1; 0.5");
    CHECK(text("nic.delay") == "time; s; ; \"25 ns\"");
}
