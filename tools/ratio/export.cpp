#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "tools/ratio/report.h"

namespace netzip {
namespace {

using nlohmann::ordered_json;

/// One line of the results: what is summed over which layers.
struct Row {
    std::string scope;  ///< all, kind or layer
    std::string kind;
    std::string name;
    std::string phase;
    AlgorithmConfig const* algorithm;
    Measured measured;
    Floor floor;
};

std::vector<Row> rows_of(RatioResult const& result) {
    std::vector<Row> rows;
    for (std::size_t c = 0; c < result.combinations.size(); ++c) {
        AlgorithmConfig const* const algorithm = &result.combinations[c];
        rows.push_back({"all", "", "", "", algorithm, result.sum(c), result.floor()});
        for (std::string const& kind : result.kinds()) {
            rows.push_back({"kind", kind, "", "", algorithm, result.sum(c, kind), result.floor(kind)});
        }
        for (std::size_t i = 0; i < result.layers.size(); ++i) {
            RatioLayer const& layer = result.layers[i];
            rows.push_back(
                {"layer", layer.kind, layer.name, layer.phase, algorithm, result.cells[c][i], result.floors[i]});
        }
    }
    return rows;
}

/// Quoted when it has to be (RFC 4180).
std::string csv_text(std::string const& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (char const c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

ordered_json to_json(Floor const& floor) {
    return {{"exponent_entropy_bits", floor.exponent},
            {"sign_mantissa_entropy_bits", floor.sign_mantissa},
            {"high_byte_entropy_bits", floor.high_byte},
            {"floor_exponent_coded", floor.exponent_coded()},
            {"floor_both_coded", floor.both_coded()}};
}

ordered_json to_json(Measured const& m) {
    return {{"packets", m.packets},         {"packets_raw", m.raw_packets},
            {"original_bytes", m.original}, {"compressed_bytes", m.compressed},
            {"ratio", m.ratio()},           {"values", m.values},
            {"values_lost", m.lost},        {"bit_exact", m.lost == 0}};
}

std::string text_of(ordered_json const& json) {
    return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string ratio_csv(RatioResult const& result) {
    std::string text =
        "scope,kind,name,phase,combination,lossless,packets,packets_raw,original_bytes,compressed_bytes,ratio,saving,"
        "values,values_lost,lost_share,bit_exact,exponent_entropy_bits,sign_mantissa_entropy_bits,"
        "high_byte_entropy_bits,floor_exponent_coded,floor_both_coded\n";
    for (Row const& row : rows_of(result)) {
        Measured const& m = row.measured;
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", row.scope,
                            csv_text(row.kind), csv_text(row.name), csv_text(row.phase), row.algorithm->name(),
                            row.algorithm->lossless() ? "yes" : "no", m.packets, m.raw_packets, m.original,
                            m.compressed, json_number(m.ratio()), json_number(1 - m.ratio()), m.values, m.lost,
                            json_number(m.lost_share()), m.lost == 0 ? "yes" : "no", json_number(row.floor.exponent),
                            json_number(row.floor.sign_mantissa), json_number(row.floor.high_byte),
                            json_number(row.floor.exponent_coded()), json_number(row.floor.both_coded()));
    }
    return text;
}

std::string ratio_json(Recording const& recording, RatioResult const& result, RatioOptions const& options) {
    ordered_json layers = ordered_json::array();
    for (std::size_t i = 0; i < result.layers.size(); ++i) {
        RatioLayer const& layer = result.layers[i];
        layers.push_back({{"name", layer.name},
                          {"kind", layer.kind},
                          {"phase", layer.phase},
                          {"model_layer", layer.layer},
                          {"dtype", enum_name(layer.type)},
                          {"iterations", layer.iterations.size()},
                          {"neutral_base", layer.neutral_base},
                          {"floor", to_json(result.floors[i])}});
    }
    ordered_json combinations = ordered_json::array();
    for (std::size_t c = 0; c < result.combinations.size(); ++c) {
        ordered_json kinds;
        for (std::string const& kind : result.kinds()) kinds[kind] = to_json(result.sum(c, kind));
        ordered_json cells = ordered_json::array();
        for (Measured const& cell : result.cells[c]) cells.push_back(to_json(cell));
        combinations.push_back({{"name", result.combinations[c].name()},
                                {"lossless", result.combinations[c].lossless()},
                                {"all", to_json(result.sum(c))},
                                {"kinds", kinds},
                                {"layers", cells}});
    }
    ordered_json kinds;
    for (std::string const& kind : result.kinds()) kinds[kind] = to_json(result.floor(kind));
    ordered_json const document{
        {"packet_size_bytes", options.whole ? ordered_json(nullptr) : ordered_json(options.packet_size)},
        {"whole_tensors", options.whole},
        {"notes", recording.notes},
        {"layers", layers},
        {"floors", {{"all", to_json(result.floor())}, {"kinds", kinds}}},
        {"combinations", combinations}};
    return text_of(document);
}

std::string artifact_csv(ArtifactTable const& table) {
    std::string text = "row,delta,tensors,original_bytes,compressed_bytes,ratio,lost_share\n";
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            Measured const& cell = table.cells[r][c];
            text += fmt::format("{},{},{},{},{},{},{}\n", table.rows[r], table.columns[c], cell.packets, cell.original,
                                cell.compressed, json_number(cell.ratio()), json_number(table.deltas[c].lost_share()));
        }
    }
    return text;
}

std::string artifact_json(ArtifactTable const& table) {
    ordered_json rows;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            Measured const& cell = table.cells[r][c];
            rows[table.rows[r]][table.columns[c]] = {
                {"original_bytes", cell.original}, {"compressed_bytes", cell.compressed}, {"ratio", cell.ratio()}};
        }
    }
    ordered_json lost;
    for (std::size_t c = 0; c < table.columns.size(); ++c) lost[table.columns[c]] = table.deltas[c].lost_share();
    return text_of({{"rows", rows}, {"lost_share", lost}});
}

}  // namespace netzip
