#include "tools/explore/sweep/point.h"

#include <charconv>

#include "base/error.h"

namespace netzip {

std::string point_key(Assignments const& axes) {
    std::string key;
    for (auto const& axis : axes) {
        if (!key.empty()) key += ", ";
        key += axis.key + "=" + axis.value;
    }
    return key;
}

Shard parse_shard(std::string const& text) {
    Shard shard;
    char const* const end = text.data() + text.size();
    auto const k = std::from_chars(text.data(), end, shard.k);
    bool good = k.ec == std::errc{} && k.ptr != end && *k.ptr == '/';
    if (good) {
        auto const n = std::from_chars(k.ptr + 1, end, shard.n);
        good = n.ec == std::errc{} && n.ptr == end && shard.n > 0 && shard.k < shard.n;
    }
    if (!good) {
        throw UsageError("--shard: expected k/n with k from 0 to n-1, such as 0/8, got \"" + text + "\"");
    }
    return shard;
}

std::string to_string(Shard const& shard) {
    return std::to_string(shard.k) + "/" + std::to_string(shard.n);
}

}  // namespace netzip
