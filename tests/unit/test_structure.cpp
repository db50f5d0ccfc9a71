#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "support/catch.h"

namespace fs = std::filesystem;

namespace {

/// Layer of each folder; a folder includes itself and what is below it.
std::map<std::string, int> const kLayers{{"base", 0},     {"models", 1}, {"workloads", 1},
                                         {"pipeline", 2}, {"nic", 3},    {"tools", 4}};

struct Include {
    fs::path file;
    std::string folder;
    std::string name;
    bool system;  ///< <name>, not "name"
};

std::vector<Include> includes() {
    static std::regex const pattern("^\\s*#\\s*include\\s*([<\"])([^>\"]+)");
    std::vector<Include> result;
    for (auto const& [folder, layer] : kLayers) {
        for (auto const& entry : fs::recursive_directory_iterator(fs::path(NETZIP_SOURCE_DIR) / folder)) {
            auto const kind = entry.path().extension();
            if (kind != ".h" && kind != ".cpp") continue;
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);) {
                std::smatch match;
                if (!std::regex_search(line, match, pattern)) continue;
                result.push_back({entry.path(), folder, match[2], match[1] == "<"});
            }
        }
    }
    return result;
}

}  // namespace

TEST_CASE("includes are rooted and only go down the layers", "[structure]") {
    auto const all = includes();
    REQUIRE(all.size() > 100);
    for (Include const& include : all) {
        if (include.system) continue;
        INFO(include.file << " includes " << include.name);
        std::string const folder = include.name.substr(0, include.name.find('/'));
        REQUIRE(kLayers.count(folder) == 1);
        CHECK((folder == include.folder || kLayers.at(folder) < kLayers.at(include.folder)));
        CHECK(fs::exists(fs::path(NETZIP_SOURCE_DIR) / include.name));
    }
}

TEST_CASE("SystemC appears from layer 2 up", "[structure]") {
    for (Include const& include : includes()) {
        if (kLayers.at(include.folder) >= 2) continue;
        INFO(include.file << " includes " << include.name);
        CHECK_FALSE((include.name.starts_with("systemc") || include.name.starts_with("tlm")));
    }
}

// A heavy library may stand in a header that only sources include: it then costs nobody else.
TEST_CASE("headers that others include stay free of the heavy libraries", "[structure]") {
    static std::regex const heavy("^(toml\\+\\+|nlohmann|spdlog|sqlite3|boost)");
    auto const all = includes();
    for (Include const& include : all) {
        if (include.file.extension() != ".h" || !std::regex_search(include.name, heavy)) continue;
        for (Include const& other : all) {
            if (other.file.extension() != ".h") continue;
            INFO(other.file << " includes " << include.file << ", which includes " << include.name);
            CHECK(fs::path(NETZIP_SOURCE_DIR) / other.name != include.file);
        }
    }
}
