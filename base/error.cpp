#include "base/error.h"

#include <algorithm>
#include <numeric>

namespace netzip {
namespace {

/// Insertions, deletions, substitutions and swaps of neighbours that lead from `a` to `b`.
std::size_t edit_distance(std::string const& a, std::string const& b) {
    std::vector<std::size_t> before;
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before = above;
        above = row;
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t const substituted = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, substituted});
            bool const swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
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
