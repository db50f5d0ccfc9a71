#include "tools/ratio/plot.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/markup_text.h"

namespace netzip {
namespace {

// Pixels of the picture.
constexpr double kLeft = 330;
constexpr double kWidth = 560;  ///< from ratio 0 to the largest
constexpr double kRight = 70;
constexpr double kTop = 64;
constexpr double kRow = 26;
constexpr double kBar = 16;
constexpr double kBottom = 56;
constexpr double kMark = 4;  ///< radius

constexpr char const* kLossless = "#4878a8";
constexpr char const* kLossy = "#b0b0b0";
constexpr char const* kFloor = "#b03030";
/// Told apart by the colour-blind, too (Okabe and Ito).
constexpr std::array<char const*, 6> kKindColours{"#e69f00", "#56b4e9", "#009e73", "#f0e442", "#cc79a7", "#000000"};

class Picture {
public:
    explicit Picture(RatioResult const& result) : result_(result), kinds_(result.kinds()) {
        largest_ = 1;
        for (std::size_t c = 0; c < result.combinations.size(); ++c) {
            largest_ = std::max(largest_, result.sum(c).ratio());
            for (std::string const& kind : kinds_) largest_ = std::max(largest_, result.sum(c, kind).ratio());
        }
        largest_ = largest_ <= 1.02 ? 1.05 : largest_ * 1.03;
        bottom_ = kTop + kRow * static_cast<double>(result.combinations.size());
    }

    std::string draw() {
        double const width = kLeft + kWidth + kRight;
        double const height = bottom_ + kBottom;
        text_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
            width, height);
        label(kLeft, 20, "start", "Compressed size / original size, headers included", " font-weight=\"bold\"");
        legend();
        grid();
        for (std::size_t c = 0; c < result_.combinations.size(); ++c) bar(c);
        floor_line();
        return text_ + "</svg>\n";
    }

private:
    double x(double ratio) const { return kLeft + kWidth * ratio / largest_; }

    void label(double at_x, double at_y, char const* anchor, std::string const& words, std::string const& style = "") {
        text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", at_x, at_y, anchor,
                             style, markup_escaped(words));
    }
    void line(double at_x, char const* colour, char const* style) {
        text_ += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\"{4}/>\n",
                             at_x, kTop - 6, bottom_ + 4, colour, style);
    }
    void mark(double at_x, double at_y, std::size_t kind) {
        text_ += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" stroke=\"#333\" stroke-width=\"0.7\"/>\n", at_x,
            at_y, kMark, kKindColours[kind % kKindColours.size()]);
    }

    void legend() {
        double at = 12;
        double const y = 42;
        auto const box = [&](char const* colour, char const* words) {
            text_ +=
                fmt::format("<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{}\"/>\n", at, y - 10, colour);
            label(at + 16, y, "start", words);
            at += 28 + 6.6 * static_cast<double>(std::string_view(words).size());
        };
        box(kLossless, "all tensors, lossless");
        box(kLossy, "all tensors, lossy");
        for (std::size_t k = 0; k < kinds_.size(); ++k) {
            mark(at + 5, y - 4, k);
            label(at + 14, y, "start", kinds_[k]);
            at += 28 + 6.6 * static_cast<double>(kinds_[k].size());
        }
    }

    void grid() {
        for (int tenth = 0; tenth <= static_cast<int>(largest_ * 10); tenth += 2) {
            double const ratio = tenth / 10.0;
            line(x(ratio), tenth == 10 ? "#666" : "#ddd", "");
            label(x(ratio), bottom_ + 18, "middle", fmt::format("{:.1f}", ratio));
        }
    }

    void bar(std::size_t c) {
        double const y = kTop + kRow * static_cast<double>(c);
        AlgorithmConfig const& algorithm = result_.combinations[c];
        Measured const all = result_.sum(c);
        label(kLeft - 8, y + kBar - 3, "end", algorithm.name());
        text_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n", kLeft, y,
                             x(all.ratio()) - kLeft, kBar, algorithm.lossless() ? kLossless : kLossy);
        for (std::size_t k = 0; k < kinds_.size(); ++k) mark(x(result_.sum(c, kinds_[k]).ratio()), y + kBar / 2, k);
        std::string const lost = all.lost == 0 ? "" : fmt::format(" ({:.0f} % lost)", 100 * all.lost_share());
        label(kLeft + 6, y + kBar - 4, "start", fmt::format("{:.3f}{}", all.ratio(), lost),
              algorithm.lossless() ? " fill=\"white\"" : "");
    }

    void floor_line() {
        double const floor = result_.floor().exponent_coded();
        line(x(floor), kFloor, " stroke-width=\"1.5\" stroke-dasharray=\"5 3\"");
        label(x(floor), bottom_ + 36, "middle",
              fmt::format("order-0 floor of the exponents, all tensors: {:.3f}", floor),
              fmt::format(" fill=\"{}\"", kFloor));
    }

    RatioResult const& result_;
    std::vector<std::string> kinds_;
    double largest_ = 1;
    double bottom_ = 0;
    std::string text_;
};

}  // namespace

std::string ratio_svg(RatioResult const& result) {
    return Picture(result).draw();
}

std::string ratio_html(RatioResult const& result) {
    return "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>netzipsim ratio</title>\n<body>\n" +
           ratio_svg(result) + "</body>\n</html>\n";
}

}  // namespace netzip
