#include "tools/explore/compare/baseline.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "base/results/output_file.h"
#include "base/text_file.h"
#include "tools/explore/identity.h"

namespace netzip {
namespace {

namespace fs = std::filesystem;

bool blank(std::string const& text) {
    return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' '; });
}

}  // namespace

void update_baseline(std::string const& directory, ResultSet const& result, std::string const& reason) {
    if (blank(reason)) throw UsageError("baseline update: expected --reason \"why the numbers moved\"");
    std::string line = reason;
    std::replace(line.begin(), line.end(), '\n', ' ');
    std::string reasons = line + "\n";
    fs::path const file = fs::path(directory) / "reasons.txt";
    if (fs::exists(file)) reasons += read_text_file(file.string(), ExitStatus::input_file);
    std::error_code error;
    fs::create_directories(directory, error);
    if (error) throw UsageError(directory + ": cannot be created: " + error.message());
    write_file(directory + "/stats.json", result.statistics.to_json());
    write_file(directory + "/identity.json", to_json(result.identity));
    write_file(file.string(), reasons);
}

std::vector<std::string> reasons_of(std::string const& directory) {
    std::istringstream text(read_text_file(directory + "/reasons.txt", ExitStatus::input_file));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

}  // namespace netzip
