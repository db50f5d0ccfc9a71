#include "support/recordings.h"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>

namespace netzip {
namespace {

std::vector<std::uint8_t> read_bytes(std::filesystem::path const& file, std::uint64_t offset, std::uint64_t size) {
    std::ifstream in(file, std::ios::binary);
    std::vector<std::uint8_t> bytes(size);
    in.seekg(static_cast<std::streamoff>(offset));
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    if (!in) throw std::runtime_error(file.string() + ": shorter than its manifest says");
    return bytes;
}

}  // namespace

std::filesystem::path small_recordings() {
    return std::filesystem::path(NETZIP_SOURCE_DIR) / "workloads/recorded";
}
std::filesystem::path medium_recordings() {
    return std::filesystem::path(NETZIP_SOURCE_DIR) / "../shared/data/recorded/public_medium";
}

std::vector<RecordedPair> read_recordings(std::filesystem::path const& folder) {
    std::ifstream in(folder / "manifest.json");
    auto const manifest = nlohmann::json::parse(in);
    std::map<std::tuple<std::string, std::string, std::string>, RecordedPair> pairs;
    for (auto const& tensor : manifest.at("tensors")) {
        RecordedTensor r;
        r.kind = tensor.at("kind").get<std::string>();
        r.name = tensor.at("name").get<std::string>();
        r.phase = tensor.at("phase").get<std::string>();
        r.iteration = tensor.at("iteration").get<int>();
        r.bytes = read_bytes(folder / tensor.at("file").get<std::string>(), tensor.at("offset").get<std::uint64_t>(),
                             tensor.at("nbytes").get<std::uint64_t>());
        RecordedPair& pair = pairs[{r.phase, r.kind, r.name}];
        (r.iteration == 0 ? pair.previous : pair.current) = std::move(r);
    }
    std::vector<RecordedPair> all;
    for (auto& [key, pair] : pairs) all.push_back(std::move(pair));
    return all;
}

}  // namespace netzip
