#include "tools/ratio/report.h"

#include <algorithm>
#include <fmt/format.h>

namespace netzip {
namespace {

constexpr double kPercent = 100;

std::string bits_back(Measured const& m) {
    return m.lost == 0 ? "all" : fmt::format("{:.2f} % lost", kPercent * m.lost_share());
}

std::string plural(std::uint64_t count, std::string const& word) {
    return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

/// Text in columns: the first is aligned left, the others right.
class Columns {
public:
    void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

    std::string text() const {
        std::vector<std::size_t> width;
        for (auto const& cells : rows_) {
            width.resize(std::max(width.size(), cells.size()));
            for (std::size_t i = 0; i < cells.size(); ++i) width[i] = std::max(width[i], cells[i].size());
        }
        std::string out;
        for (auto const& cells : rows_) {
            std::string line;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                line +=
                    i == 0 ? fmt::format("{:<{}}", cells[i], width[i]) : fmt::format("  {:>{}}", cells[i], width[i]);
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out += line + "\n";
        }
        return out;
    }

private:
    std::vector<std::vector<std::string>> rows_;
};

std::string layer_name(RatioLayer const& layer) {
    return (layer.phase.empty() ? "" : layer.phase + "/") + layer.kind + "/" + layer.name;
}

}  // namespace

std::string ratio_heading(Recording const& recording, RatioResult const& result, RatioOptions const& options) {
    std::uint64_t bytes = 0;
    std::size_t neutral = 0;
    for (std::size_t i = 0; i < result.layers.size(); ++i) {
        RatioLayer const& layer = result.layers[i];
        for (std::size_t n = layer.first_reported(); n < layer.iterations.size(); ++n)
            bytes += layer.iterations[n]->size;
        neutral += layer.neutral_base ? 1 : 0;
    }
    std::string text = fmt::format(
        "{}, {:.2f} MB reported, in {}\n", plural(result.layers.size(), "tensor"), static_cast<double>(bytes) * 1e-6,
        options.whole ? "whole tensors" : fmt::format("packets of {} B", options.packet_size));
    if (neutral < result.layers.size()) {
        text += "The first iteration feeds the deltas and is not counted; ratios are of the iterations after it.\n";
    }
    if (neutral > 0) {
        text += fmt::format("{} with one iteration only: counted as it is, its deltas have a neutral base.\n",
                            plural(neutral, "tensor"));
    }
    for (std::string const& note : recording.notes) text += "note: " + note + "\n";
    return text;
}

std::string ratio_table(RatioResult const& result) {
    std::vector<std::string> const kinds = result.kinds();
    Columns columns;
    std::vector<std::string> head{"ratio = compressed / original", "all", "saving", "bits back", "sent raw"};
    head.insert(head.end(), kinds.begin(), kinds.end());
    columns.row(head);
    for (std::size_t c = 0; c < result.combinations.size(); ++c) {
        Measured const all = result.sum(c);
        std::vector<std::string> row{
            result.combinations[c].name() + (result.combinations[c].lossless() ? "" : " (lossy)"),
            fmt::format("{:.4f}", all.ratio()), fmt::format("{:.1f} %", kPercent * (1 - all.ratio())), bits_back(all),
            fmt::format("{} of {}", all.raw_packets, all.packets)};
        for (std::string const& kind : kinds) row.push_back(fmt::format("{:.4f}", result.sum(c, kind).ratio()));
        columns.row(row);
    }
    auto const floor_row = [&](char const* name, auto const& value) {
        std::vector<std::string> row{name, fmt::format("{:.4f}", value(result.floor())), "", "", ""};
        for (std::string const& kind : kinds) row.push_back(fmt::format("{:.4f}", value(result.floor(kind))));
        columns.row(row);
    };
    columns.row({""});
    floor_row("floor: exponent coded, rest raw", [](Floor const& f) { return f.exponent_coded(); });
    floor_row("floor: exponent and rest coded", [](Floor const& f) { return f.both_coded(); });
    floor_row("entropy of exponent, bits", [](Floor const& f) { return f.exponent; });
    floor_row("entropy of sign and mantissa, bits", [](Floor const& f) { return f.sign_mantissa; });
    floor_row("entropy of high byte, bits", [](Floor const& f) { return f.high_byte; });
    return columns.text();
}

std::string ratio_layer_table(RatioResult const& result) {
    Columns columns;
    std::vector<std::string> head{"layer"};
    std::string legend;
    for (std::size_t c = 0; c < result.combinations.size(); ++c) {
        head.push_back(fmt::format("[{}]", c + 1));
        legend += fmt::format("[{}] {}\n", c + 1, result.combinations[c].name());
    }
    head.emplace_back("floor");
    columns.row(head);
    for (std::size_t i = 0; i < result.layers.size(); ++i) {
        std::vector<std::string> row{layer_name(result.layers[i])};
        for (auto const& cells : result.cells) row.push_back(fmt::format("{:.4f}", cells[i].ratio()));
        row.push_back(fmt::format("{:.4f}", result.floors[i].exponent_coded()));
        columns.row(row);
    }
    return columns.text() + legend;
}

std::string artifact_table(ArtifactTable const& table) {
    Columns columns;
    std::vector<std::string> head{"ratio = compressed / original"};
    head.insert(head.end(), table.columns.begin(), table.columns.end());
    columns.row(head);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        std::vector<std::string> row{table.rows[r]};
        for (Measured const& cell : table.cells[r]) row.push_back(fmt::format("{:.4f}", cell.ratio()));
        columns.row(row);
    }
    std::vector<std::string> lost{"values that do not come back"};
    for (Measured const& delta : table.deltas) lost.push_back(fmt::format("{:.2f} %", kPercent * delta.lost_share()));
    columns.row(lost);
    return columns.text();
}

}  // namespace netzip
