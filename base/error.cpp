#include "base/error.h"

#include <algorithm>
#include <numeric>

namespace netzip {
namespace {

std::size_t edit_distance(std::string const& a, std::string const& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t const substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
        }
    }
    return row.back();
}

}  // namespace

std::string Problems::joined() const {
    std::string text;
    for (auto const& line : lines_) {
        if (!text.empty()) text += '\n';
        text += line;
    }
    return text;
}

std::string nearest(std::string const& word, std::vector<std::string> const& candidates) {
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(word.size() / 3, 1) + 1;
    for (auto const& candidate : candidates) {
        std::size_t const distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

}  // namespace netzip
