#include "tools/explore/compare/comparison_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/markup_text.h"

namespace netzip {
namespace {

std::string percent(Difference const& d) {
    if (d.relative == 0) return "";
    if (std::isinf(d.relative)) return "from 0";
    return fmt::format("{:+.3g} %", d.relative * 100);
}

/// The differences worth a line, in their order.
std::vector<Difference> notable(Comparison const& comparison) {
    std::vector<Difference> lines;
    std::copy_if(comparison.all.begin(), comparison.all.end(), std::back_inserter(lines),
                 [](auto const& d) { return d.change < Change::tolerated; });
    return lines;
}

std::string counts(Comparison const& comparison) {
    std::string text = fmt::format("{} statistics compared", comparison.all.size());
    for (auto const& [change, number] : comparison.count) text += fmt::format(", {} {}", number, name_of(change));
    return text;
}

std::string verdict(Comparison const& comparison) {
    if (comparison.clean()) return "No difference beyond the tolerances.";
    std::string const what =
        comparison.only_improvements() ? "Only improvements: the baseline is out of date." : "The numbers moved.";
    return what + " If this is intended: netzipsim baseline update BASELINE NEW --reason \"why\"";
}

std::string markdown_cell(std::string const& text) {
    std::string out;
    for (char const c : text) {
        if (c == '|') out += '\\';
        out += c;
    }
    return out;
}

/// XML 1.0 knows no control characters.
std::string xml(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return markup_escaped(text);
}

}  // namespace

std::string shown(std::optional<Stat> const& stat) {
    if (!stat) return "-";
    auto const* words = std::get_if<std::string>(&stat->value);
    std::string const text = words != nullptr ? *words : json_value(stat->value);
    return stat->unit.empty() || stat->unit == "1" ? text : text + " " + stat->unit;
}

std::string terminal_text(Comparison const& comparison, std::size_t most) {
    std::string text = comparison.base_name + " -> " + comparison.new_name + "\n";
    auto const lines = notable(comparison);
    std::size_t const count = std::min(most, lines.size());
    std::size_t name_width = 0;
    std::size_t base_width = 0;
    std::size_t now_width = 0;
    for (std::size_t i = 0; i < count; ++i) {
        name_width = std::max(name_width, lines[i].name.size());
        base_width = std::max(base_width, shown(lines[i].base).size());
        now_width = std::max(now_width, shown(lines[i].now).size());
    }
    for (std::size_t i = 0; i < count; ++i) {
        auto const& d = lines[i];
        text += fmt::format("  {:<12}  {:<{}}  {:>{}}  ->  {:>{}}  {}\n", name_of(d.change), d.name, name_width,
                            shown(d.base), base_width, shown(d.now), now_width, percent(d));
    }
    if (count < lines.size()) text += fmt::format("  ... and {} more (--all shows them)\n", lines.size() - count);
    for (auto const& pattern : comparison.unused_tolerances) {
        text += "  tolerance \"" + pattern + "\" matches no statistic\n";
    }
    for (auto const& line : comparison.information) text += "  for information, " + line + "\n";
    return text + counts(comparison) + ".\n" + verdict(comparison) + "\n";
}

std::string markdown_text(Comparison const& comparison, std::size_t most) {
    std::string text = fmt::format("### {}\n\n{}.\n\n{}\n", comparison.clean() ? "Numbers unchanged" : "Numbers moved",
                                   counts(comparison), verdict(comparison));
    auto const lines = notable(comparison);
    std::size_t const count = std::min(most, lines.size());
    if (count > 0) text += "\n| | statistic | base | new | change |\n|---|---|--:|--:|--:|\n";
    for (std::size_t i = 0; i < count; ++i) {
        auto const& d = lines[i];
        text += fmt::format("| {} | `{}` | {} | {} | {} |\n", name_of(d.change), markdown_cell(d.name),
                            markdown_cell(shown(d.base)), markdown_cell(shown(d.now)), percent(d));
    }
    if (count < lines.size()) text += fmt::format("\n… and {} more.\n", lines.size() - count);
    for (auto const& line : comparison.information) text += "\nFor information, " + line + "\n";
    return text;
}

std::string junit_text(Comparison const& comparison) {
    auto cases = comparison.all;
    std::sort(cases.begin(), cases.end(), [](auto const& a, auto const& b) { return a.name < b.name; });
    std::string text = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"netzipsim compare {} {}\" "
        "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\">\n",
        xml(comparison.base_name), xml(comparison.new_name), cases.size(), notable(comparison).size());
    for (auto const& d : cases) {
        text +=
            fmt::format("<testcase classname=\"{}\" name=\"{}\"", xml(d.name.substr(0, d.name.find('.'))), xml(d.name));
        if (d.change >= Change::tolerated) {
            text += "/>\n";
            continue;
        }
        std::string const message = name_of(d.change) + ": " + shown(d.base) + " -> " + shown(d.now) +
                                    (d.relative != 0 ? " (" + percent(d) + ")" : "");
        text +=
            fmt::format("><failure type=\"{}\" message=\"{}\"/></testcase>\n", xml(name_of(d.change)), xml(message));
    }
    return text + "</testsuite>\n</testsuites>\n";
}

}  // namespace netzip
