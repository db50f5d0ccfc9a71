#include "tools/ratio/combination.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace netzip {
namespace {

std::vector<std::string> split(std::string const& text, char separator) {
    std::vector<std::string> parts(1);
    for (char const c : text) {
        if (c == separator) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

/// The value whose name is the longest beginning of `text`, which is cut off; nothing when there is none.
template <class E>
std::optional<E> take_name(std::string_view& text) {
    std::optional<E> best;
    std::size_t length = 0;
    for (auto const& [value, name] : EnumNames<E>::values) {
        std::string_view const word = name;
        if (word.size() > length && text.starts_with(word)) {
            best = value;
            length = word.size();
        }
    }
    text.remove_prefix(length);
    return best;
}

bool take_word(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

bool take_number(std::string_view& text, std::uint64_t& number) {
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return error == std::errc{};
}

bool read_delta(std::string_view text, AlgorithmConfig& to) {
    auto const kind = take_name<DeltaKind>(text);
    if (!kind || !text.empty()) return false;
    to.delta = *kind;
    return true;
}

/// "bit", "byte_low_first", "bit_per_group_or_raw".
bool read_grouping(std::string_view text, AlgorithmConfig& to) {
    auto const kind = take_name<GroupingKind>(text);
    if (!kind) return false;
    GroupOrder order = to.group_order;
    GroupPolicy policy = to.group_policy;
    if (take_word(text, "_low_first")) order = GroupOrder::artifact;
    if (take_word(text, "_")) {
        auto const named = take_name<GroupPolicy>(text);
        if (!named) return false;
        policy = *named;
    }
    if (!text.empty()) return false;
    to.grouping = *kind;
    to.group_order = order;
    to.group_policy = policy;
    return true;
}

/// "lz4", "zstd3", "exponent_window4_sigma", "exponent_prefix_8lanes".
bool read_codec(std::string_view text, AlgorithmConfig& to) {
    auto const kind = take_name<CodecKind>(text);
    if (!kind) return false;
    to.codec = *kind;
    switch (*kind) {
        case CodecKind::zstd:
        case CodecKind::deflate:
            if (!text.empty() && !take_number(text, to.level)) return false;
            break;
        case CodecKind::exponent_window:
            if (!text.empty() && text[0] != '_' && !take_number(text, to.window_bits)) return false;
            if (take_word(text, "_")) {
                auto const base = take_name<WindowBase>(text);
                if (!base) return false;
                to.window_base = *base;
            }
            break;
        case CodecKind::exponent_prefix:
        case CodecKind::exponent_huffman:
            if (take_word(text, "_") && !(take_number(text, to.lanes) && take_word(text, "lane"))) return false;
            take_word(text, "s");
            break;
        default:
            break;
    }
    return text.empty();
}

template <class E>
void add_names(std::vector<std::string>& names) {
    for (auto const& [value, name] : EnumNames<E>::values) names.emplace_back(name);
}

void read_option(std::string const& place, std::string const& option, AlgorithmConfig& to) {
    std::string_view rest = option;
    if (auto const policy = take_name<GroupPolicy>(rest); policy && rest.empty()) {
        to.group_policy = *policy;
        return;
    }
    rest = option;
    if (auto const order = take_name<GroupOrder>(rest); order && rest.empty()) {
        to.group_order = *order;
        return;
    }
    std::vector<std::string> names;
    add_names<GroupPolicy>(names);
    add_names<GroupOrder>(names);
    std::string const near = nearest(option, names);
    throw UsageError(place + ": expected a group policy or order behind ':', got \"" + option + "\"" +
                     (near.empty() ? "" : " (did you mean \"" + near + "\"?)"));
}

void check_ranges(std::string const& place, AlgorithmConfig const& config, Problems& problems) {
    auto const between = [&](char const* what, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
        if (value < low || value > high) {
            problems.add(place + ": " + what + ": expected " + std::to_string(low) + " to " + std::to_string(high) +
                         ", got " + std::to_string(value));
        }
    };
    between("level", config.level, 1, 19);
    between("window bits", config.window_bits, 2, 4);
    between("lanes", config.lanes, 1, 64);
}

}  // namespace

AlgorithmConfig parse_combination(std::string const& text) {
    std::string const place = "--combo " + text;
    std::vector<std::string> const options = split(text, ':');
    std::vector<std::string> const parts = split(options[0], '+');
    if (parts.size() > 3) throw UsageError(place + ": expected delta+grouping+codec, got more than three parts");

    AlgorithmConfig config;
    config.delta = DeltaKind::none;
    config.grouping = GroupingKind::none;
    if (parts.size() > 1) config.group_policy = GroupPolicy::one_block;
    auto const expect = [&](bool fine, std::string const& part, char const* what, auto... kinds) {
        if (fine) return;
        std::vector<std::string> names;
        (kinds(names), ...);
        std::string const near = nearest(part, names);
        throw UsageError(place + ": expected " + what + ", got \"" + part + "\"" +
                         (near.empty() ? "" : " (did you mean \"" + near + "\"?)"));
    };
    if (parts.size() == 3) {
        expect(read_delta(parts[0], config), parts[0], "a delta", add_names<DeltaKind>);
        expect(read_grouping(parts[1], config), parts[1], "a grouping", add_names<GroupingKind>);
    } else if (parts.size() == 2) {
        expect(read_delta(parts[0], config) || read_grouping(parts[0], config), parts[0], "a delta or a grouping",
               add_names<DeltaKind>, add_names<GroupingKind>);
    }
    expect(read_codec(parts.back(), config), parts.back(), "a codec", add_names<CodecKind>);
    for (std::size_t i = 1; i < options.size(); ++i) read_option(place, options[i], config);

    Problems problems;
    check_ranges(place, config, problems);
    config.check(place + ": ", problems);
    problems.throw_if_any<UsageError>();
    return config;
}

std::vector<AlgorithmConfig> default_combinations() {
    std::vector<AlgorithmConfig> combinations;
    for (char const* text :
         {"lz4", "snappy", "zstd1", "deflate1", "byte_per_group_or_raw+lz4", "byte_per_group_or_raw+zstd1", "bit+lz4",
          "min_previous+bit+lz4", "min_previous+bit+snappy", "packet_exponent+bit+lz4", "exponent_window3",
          "exponent_prefix_4lanes", "float_p1+bit+lz4", "float_true+bit+lz4"}) {
        combinations.push_back(parse_combination(text));
    }
    return combinations;
}

std::vector<AlgorithmConfig> all_combinations() {
    std::vector<AlgorithmConfig> combinations;
    auto const add = [&](AlgorithmConfig const& config) {
        Problems problems;
        config.check("", problems);
        if (problems.empty()) combinations.push_back(config);
    };
    AlgorithmConfig config;
    for (auto const& [codec, codec_name] : EnumNames<CodecKind>::values) {
        config.codec = codec;
        for (auto const& [delta, delta_name] : EnumNames<DeltaKind>::values) {
            config.delta = delta;
            for (auto const& [grouping, grouping_name] : EnumNames<GroupingKind>::values) {
                config.grouping = grouping;
                for (auto const& [policy, policy_name] : EnumNames<GroupPolicy>::values) {
                    config.group_policy = policy;
                    add(config);
                }
            }
        }
    }
    for (std::uint64_t const bits : {2, 4}) {
        for (auto const& [base, base_name] : EnumNames<WindowBase>::values) {
            combinations.push_back(
                parse_combination("exponent_window" + std::to_string(bits) + "_" + std::string(base_name)));
        }
    }
    for (auto const& [base, base_name] : EnumNames<WindowBase>::values) {
        if (base == WindowBase::best_of_packet) continue;
        combinations.push_back(parse_combination("exponent_window3_" + std::string(base_name)));
    }
    return combinations;
}

}  // namespace netzip
