#include "explore/sweep_bench.h"
#include "support/catch.h"
#include "tools/explore/sweep/select.h"

using namespace netzip;

namespace {

/// time = 1200 / (engines * clock), area = engines^2 + clock, for 1 … 4 engines and clocks 1 … 3.
SweepTable table() {
    auto const sweep = formula_sweep(4, 3);
    auto const subject = formula_subject();
    SweepTable result;
    result.identity.axes = sweep.axes;
    for (auto const& point : sweep.points) result.points.push_back({point, subject.run(point.axes), ""});
    result.points.push_back({{12, {{"engines", "9", ""}, {"clock", "9", ""}}}, std::nullopt, "failed"});
    result.columns = {{"summary.time", {"ns", Better::lower, Provenance::measured, false}},
                      {"cost.area", {"mm2", Better::lower, Provenance::assumed, false}},
                      {"stage.bottleneck", {"", Better::none, Provenance::measured, false}}};
    return result;
}

std::vector<std::string> keys(std::vector<StoredPoint const*> const& points) {
    std::vector<std::string> names;
    for (auto const* point : points) names.push_back(point->point.axes[0].value + "x" + point->point.axes[1].value);
    return names;
}

}  // namespace

// Area below 8: 1x1..1x3 (2, 3, 4) and 2x1..2x3 (5, 6, 7); times 1200, 600, 400 and 600, 300, 200.
TEST_CASE("the best points for a goal under conditions come first, failed ones never", "[select]") {
    auto const t = table();
    auto const goal = parse_objective(t, "time");
    CHECK(goal.name == "summary.time");
    auto const best = keys(ranked(t, goal, {parse_condition(t, "area < 8 mm2")}));
    CHECK(best == std::vector<std::string>{"2x3", "2x2", "1x3", "1x2", "2x1", "1x1"});
    CHECK(keys(ranked(t, goal, {parse_condition(t, "engines == 1"), parse_condition(t, "stage.bottleneck != link")})) ==
          std::vector<std::string>{"1x3", "1x2", "1x1"});
    CHECK(keys(ranked(t, parse_objective(t, "max cost.area"), {})).front() == "4x3");
}

// The clock is cheap, so it is at 3, but for the corner where area counts most: 1x1 (1200, 2), 1x2 (600, 3), 1x3
// (400, 4), 2x3 (200, 7), 3x3 (133, 12), 4x3 (100, 19). 2x1 (600, 5) loses to 1x2, 2x2 (300, 6) stays.
TEST_CASE("the Pareto front holds what nothing beats", "[select]") {
    auto const t = table();
    auto const front = keys(pareto_front(t, {parse_objective(t, "time"), parse_objective(t, "area")}, {}));
    CHECK(front == std::vector<std::string>{"4x3", "3x3", "2x3", "2x2", "1x3", "1x2", "1x1"});
    // With one objective it is the best point, and with the bottleneck as condition what is left of it.
    CHECK(keys(pareto_front(t, {parse_objective(t, "time")}, {})) == std::vector<std::string>{"4x3"});
}

TEST_CASE("objectives and conditions that cannot be meant say why", "[select]") {
    auto const t = table();
    CHECK(message_of([&] { parse_objective(t, "summary.tine"); }) ==
          "\"summary.tine\": no such statistic in this sweep (did you mean \"summary.time\"?)");
    CHECK(message_of([&] { parse_objective(t, "bottleneck"); }).find("say \"min stage.bottleneck\"") !=
          std::string::npos);
    CHECK(message_of([&] { parse_condition(t, "area"); }).find("expected a condition") != std::string::npos);
    CHECK(message_of([&] { parse_condition(t, "area = 3"); }).find("expected a condition") != std::string::npos);
    CHECK(message_of([&] { parse_condition(t, "area < much"); }).find("expected a number") != std::string::npos);
    CHECK(message_of([&] { parse_condition(t, "area < 3 um2"); }) ==
          "\"area < 3 um2\": cost.area is in mm2, not in um2");
}
