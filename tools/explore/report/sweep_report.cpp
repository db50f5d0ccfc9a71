#include "tools/explore/report/sweep_report.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/json_text.h"
#include "tools/explore/report/page.h"

namespace netzip {
namespace {

/// A field of CSV (RFC 4180): quoted when it holds a comma, a quote or a line break.
std::string csv_field(std::string const& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (char const c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + "\"";
}

std::string plain(StatValue const& value) {
    if (auto const* text = std::get_if<std::string>(&value)) return *text;
    if (std::holds_alternative<std::nullptr_t>(value)) return "";
    return json_value(value);
}

std::string heading(std::string const& name, std::string const& unit) {
    return unit.empty() || unit == "1" ? name : name + " [" + unit + "]";
}

std::string axis_value(StoredPoint const& point, std::string const& key) {
    for (auto const& axis : point.point.axes) {
        if (axis.key == key) return axis.value;
    }
    return "";
}

Stat const* stat_of(StoredPoint const& point, std::string const& name) {
    return point.statistics ? point.statistics->find(name) : nullptr;
}

/// For people: six significant digits.
std::string rounded(StatValue const& value) {
    auto const* real = std::get_if<double>(&value);
    return real != nullptr ? fmt::format("{:.6g}", *real) : plain(value);
}

std::string table_text(std::vector<std::vector<std::string>> const& rows) {
    std::vector<std::size_t> widths(rows.front().size());
    for (auto const& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (auto const& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}", row[i], widths[i] + 2);
        text += "  " + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string provenance_of(SweepTable::Column const& column) {
    return column.mixed_provenance ? "measured, calibrated or assumed: not the same in all points"
                                   : enum_name(column.provenance);
}

std::string point_json(SweepTable const& table, StoredPoint const& point) {
    std::string text =
        fmt::format("{{\"index\":{},\"status\":\"{}\"", point.point.index, point.statistics ? "ok" : "failed");
    if (!point.statistics) text += ",\"error\":" + json_string(point.error);
    text += ",\"axes\":[";
    for (auto const& axis : table.identity.axes) {
        if (text.back() != '[') text += ',';
        text += json_string(axis_value(point, axis));
    }
    text += "],\"values\":[";
    for (auto const& [name, column] : table.columns) {
        if (text.back() != '[') text += ',';
        Stat const* const stat = stat_of(point, name);
        text += stat == nullptr ? "null" : json_value(stat->value);
    }
    return text + "]}";
}

std::string page_json(SweepTable const& table, std::vector<Objective> const& objectives) {
    auto const& identity = table.identity;
    std::string text = "{\"command\":" + json_string(identity.command) + ",\"axes\":[";
    for (std::size_t i = 0; i < identity.axes.size(); ++i) text += (i > 0 ? "," : "") + json_string(identity.axes[i]);
    text += "],\"objectives\":[";
    for (auto const& objective : objectives) {
        if (text.back() != '[') text += ',';
        text +=
            fmt::format("{{\"name\":{},\"better\":\"{}\"}}", json_string(objective.name), enum_name(objective.better));
    }
    text += "],\"statistics\":[";
    for (auto const& [name, column] : table.columns) {
        if (text.back() != '[') text += ",\n";
        text += fmt::format("{{\"name\":{},\"unit\":{},\"better\":\"{}\",\"provenance\":{}}}", json_string(name),
                            json_string(column.unit), enum_name(column.better), json_string(provenance_of(column)));
    }
    text += "],\"points\":[";
    for (auto const& point : table.points) text += (text.back() != '[' ? ",\n" : "") + point_json(table, point);
    return text + "]}";
}

}  // namespace

std::string csv_text(SweepTable const& table) {
    std::string text = "point,status,error";
    for (auto const& axis : table.identity.axes) text += "," + csv_field(axis);
    for (auto const& [name, column] : table.columns) text += "," + csv_field(heading(name, column.unit));
    text += "\n";
    for (auto const& point : table.points) {
        text += fmt::format("{},{},{}", point.point.index, point.statistics ? "ok" : "failed", csv_field(point.error));
        for (auto const& axis : table.identity.axes) text += "," + csv_field(axis_value(point, axis));
        for (auto const& [name, column] : table.columns) {
            Stat const* const stat = stat_of(point, name);
            text += "," + (stat == nullptr ? "" : csv_field(plain(stat->value)));
        }
        text += "\n";
    }
    return text;
}

std::string points_text(SweepTable const& table, std::vector<StoredPoint const*> const& points,
                        std::vector<std::string> const& statistics, std::size_t most) {
    if (points.empty()) return "  none\n";
    std::vector<std::vector<std::string>> rows{{"point"}};
    for (auto const& axis : table.identity.axes) rows[0].push_back(axis);
    for (auto const& name : statistics) rows[0].push_back(heading(name, table.columns.at(name).unit));
    for (std::size_t i = 0; i < std::min(most, points.size()); ++i) {
        rows.push_back({std::to_string(points[i]->point.index)});
        for (auto const& axis : table.identity.axes) rows.back().push_back(axis_value(*points[i], axis));
        for (auto const& name : statistics) {
            Stat const* const stat = stat_of(*points[i], name);
            rows.back().push_back(stat == nullptr ? "-" : rounded(stat->value));
        }
    }
    std::string const rest = points.size() > most ? fmt::format("  ... and {} more\n", points.size() - most) : "";
    return table_text(rows) + rest;
}

std::string sweep_html(SweepTable const& table, std::vector<Objective> const& objectives) {
    auto const& identity = table.identity;
    PageContent content;
    content.title = "Sweep " + identity.file;
    content.question = identity.question;
    content.description = fmt::format(
        "{} of {} points, netzipsim {}. Every number has the unit beside its name; below the "
        "chart stands where the two shown come from.",
        table.points.size(), identity.points, identity.version);
    content.json = page_json(table, objectives);
    return sweep_page(content);
}

}  // namespace netzip
