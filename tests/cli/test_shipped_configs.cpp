#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "base/config/load.h"
#include "nic/experiment_config.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/temporary_directory.h"

using namespace netzip;
namespace fs = std::filesystem;

namespace {

fs::path const kConfigs = fs::path(NETZIP_SOURCE_DIR) / "configs";

std::string content(fs::path const& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// Parts and experiments, relative to the directory of the project.
std::vector<std::string> shipped() {
    std::vector<std::string> names;
    for (char const* folder : {"nic", "experiments"}) {
        for (auto const& entry : fs::directory_iterator(kConfigs / folder)) {
            if (entry.path().extension() == ".toml")
                names.push_back("configs/" + std::string(folder) + "/" + entry.path().filename().string());
        }
    }
    return names;
}

/// A key or the name of a section as a file spells it.
struct Spelled {
    std::size_t at;
    std::string text;
    std::string section;  ///< that it stands in, with a dot; empty for a section
};

std::vector<Spelled> keys_of(std::string const& text) {
    static std::regex const pattern("^\\s*(?:\\[([^\\]\"\\n]+)\\]|([A-Za-z0-9_.]+)\\s*=)", std::regex::multiline);
    std::vector<Spelled> keys;
    std::string section;
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
        bool const is_section = (*match)[1].matched;
        int const group = is_section ? 1 : 2;
        if (is_section) section = match->str(1) + ".";
        keys.push_back(
            {static_cast<std::size_t>(match->position(group)), match->str(group), is_section ? "" : section});
    }
    return keys;
}

Problems problems_of(std::string const& file) {
    ExperimentConfig config;
    ConfigRegistry registry = registry_of(config);
    Problems problems;
    load(registry, {file}, {}, problems);
    return problems;
}

bool mentions(Problems const& problems, std::string const& text) {
    return problems.joined().find(text) != std::string::npos;
}

std::set<std::string> known_keys() {
    ExperimentConfig config;
    auto const paths = registry_of(config).paths();
    std::set<std::string> known(paths.begin(), paths.end());
    known.insert("include");
    return known;
}

}  // namespace

TEST_CASE("every shipped configuration is valid and asks a question or names its part", "[configs]") {
    REQUIRE(shipped().size() >= 6);
    for (std::string const& name : shipped()) {
        CommandResult const result = netzipsim({"check", name}, NETZIP_SOURCE_DIR);
        INFO(name << "\n" << result.out << result.err);
        CHECK(result.status == 0);
        CHECK(result.out.find("has no effect") == std::string::npos);
        CHECK(content(fs::path(NETZIP_SOURCE_DIR) / name).starts_with("# "));
    }
}

// A misspelt key must never be ignored: one letter of every key of every shipped file is changed in turn.
TEST_CASE("one wrong letter in any key of a shipped configuration is an error that names the key", "[configs]") {
    auto const known = known_keys();
    TemporaryDirectory directory;
    fs::copy(kConfigs, directory.path() + "/configs", fs::copy_options::recursive);
    std::size_t mutants = 0;
    for (std::string const& name : shipped()) {
        std::string const file = directory.path() + "/" + name;
        std::string const original = content(file);
        for (Spelled const& key : keys_of(original)) {
            for (std::size_t i = 0; i < key.text.size(); ++i) {
                std::string wrong = key.text;
                wrong[i] = wrong[i] == 'x' ? 'y' : 'x';
                if (known.count(key.section + wrong) != 0) continue;
                std::string mutated = original;
                mutated.replace(key.at, key.text.size(), wrong);
                std::ofstream(file, std::ios::trunc) << mutated;
                Problems const problems = problems_of(file);
                INFO(name << ": " << key.section << key.text << " -> " << wrong << "\n" << problems.joined());
                REQUIRE(mentions(problems, file + ":"));
                // The wrong letter may be in the name of a section on the way to the key.
                REQUIRE(mentions(problems, wrong.substr(0, wrong.find('.', i))));
                ++mutants;
            }
        }
        std::ofstream(file, std::ios::trunc) << original;
    }
    CHECK(mutants > 100);
}

TEST_CASE("the resolved configuration of a shipped experiment resolves to itself", "[configs]") {
    TemporaryDirectory directory;
    for (std::string const& name : shipped()) {
        INFO(name);
        std::string const resolved = netzipsim({"check", name, "--resolved"}, NETZIP_SOURCE_DIR).out;
        std::ofstream(directory.path() + "/resolved.toml", std::ios::trunc) << resolved;
        std::string const again = netzipsim({"check", directory.path() + "/resolved.toml", "--resolved"}).out;
        std::regex const origin("  # .*");
        CHECK(std::regex_replace(again, origin, "") == std::regex_replace(resolved, origin, ""));
        CHECK_FALSE(again.empty());
    }
}

TEST_CASE("every parameter has a sentence, a source and a default inside its range", "[configs]") {
    ExperimentConfig config;
    ConfigRegistry const registry = registry_of(config);
    REQUIRE(registry.parameters().size() > 100);
    std::set<std::string> paths;
    for (Parameter const& parameter : registry.parameters()) {
        INFO(parameter.path);
        CHECK(paths.insert(parameter.path).second);
        CHECK(parameter.sentence.ends_with("."));
        CHECK_FALSE(parameter.source.empty());
        CHECK(range_problem(parameter).empty());
    }
    for (ConfigRegistry::Section const& section : registry.sections()) {
        INFO(section.path);
        CHECK(section.sentence.ends_with("."));
    }
}
