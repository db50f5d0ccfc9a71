#include "tools/explore/identity.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_text.h"
#include "base/sha256.h"
#include "base/text_file.h"

namespace netzip {
namespace {

namespace fs = std::filesystem;

/// They change no number.
constexpr std::array<std::string_view, 2> kWithoutEffect{"run.question", "run.cache"};

void add_file(Sha256& digest, fs::path const& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw InputError(path.string() + ": cannot be read");
    std::array<char, 1 << 16> buffer;
    while (file.read(buffer.data(), buffer.size()), file.gcount() > 0) {
        digest.add({reinterpret_cast<std::uint8_t const*>(buffer.data()), static_cast<std::size_t>(file.gcount())});
    }
}

/// Of the content of a file, or of the names and contents of the files in a directory. A recording is as its manifest
/// says: that holds the digests of its files, which are checked when they are read.
std::string digest_of(std::string const& name) {
    if (name.empty()) return "";
    Sha256 digest;
    if (fs::exists(name + "/manifest.json")) {
        add_file(digest, name + "/manifest.json");
    } else if (fs::is_directory(name)) {
        std::vector<fs::path> files;
        for (auto const& entry : fs::directory_iterator(name)) {
            if (entry.is_regular_file()) files.push_back(entry.path());
        }
        std::sort(files.begin(), files.end());
        for (auto const& file : files) {
            std::string const base = file.filename().string();
            digest.add({reinterpret_cast<std::uint8_t const*>(base.data()), base.size()});
            add_file(digest, file);
        }
    } else {
        add_file(digest, name);
    }
    return "sha256:" + digest.hex();
}

}  // namespace

std::map<std::string, std::string> identity_of(ConfigRegistry const& registry) {
    std::map<std::string, std::string> identity;
    for (auto const& parameter : registry.parameters()) {
        if (std::find(kWithoutEffect.begin(), kWithoutEffect.end(), parameter.path) != kWithoutEffect.end()) continue;
        std::string& value = identity[parameter.path];
        if (parameter.type == ParameterType::file) {
            value = digest_of(*static_cast<std::string const*>(parameter.target));
        } else if (parameter.type == ParameterType::file_list) {
            for (auto const& file : *static_cast<std::vector<std::string> const*>(parameter.target)) {
                value += (value.empty() ? "" : " ") + digest_of(file);
            }
        } else {
            value = plain_text(parameter);
        }
    }
    return identity;
}

std::string to_json(std::map<std::string, std::string> const& identity) {
    std::string text = "{";
    for (auto const& [key, value] : identity) {
        text += (text.size() > 1 ? ",\n" : "\n") + json_string(key) + ": " + json_string(value);
    }
    return text + "\n}\n";
}

std::map<std::string, std::string> read_identity(std::string const& file) {
    try {
        return nlohmann::json::parse(read_text_file(file, ExitStatus::input_file));
    } catch (nlohmann::json::exception const& error) {
        throw InputError(file + ": expected an object of texts: " + error.what());
    }
}

}  // namespace netzip
