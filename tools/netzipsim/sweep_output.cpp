#include "tools/netzipsim/sweep_output.h"

#include <fmt/format.h>
#include <iostream>

#include "base/error.h"
#include "base/log.h"
#include "base/results/output_file.h"
#include "tools/explore/report/page.h"
#include "tools/explore/report/sweep_report.h"
#include "tools/netzipsim/command_line.h"

namespace netzip {
namespace {

std::vector<Objective> objectives_of(SweepTable const& table, std::vector<std::string> const& texts) {
    std::vector<Objective> objectives;
    for (auto const& text : texts) objectives.push_back(parse_objective(table, text));
    return objectives;
}

/// Those of the sweep file that this result has: the file was written before there were results.
std::vector<Objective> known_objectives(SweepTable const& table) {
    std::vector<Objective> objectives;
    for (auto const& text : table.identity.objectives) {
        try {
            objectives.push_back(parse_objective(table, text));
        } catch (UsageError const& error) {
            log_warning("objective " + std::string(error.what()));
        }
    }
    return objectives;
}

std::string words(Objective const& objective) {
    return objective.name + (objective.better == Better::lower ? " low" : " high");
}

void print_front(SweepTable const& table, std::vector<Objective> const& objectives,
                 std::vector<Condition> const& conditions, std::size_t most) {
    std::vector<std::string> names;
    std::string heading;
    for (auto const& objective : objectives) {
        names.push_back(objective.name);
        heading += (heading.empty() ? "" : ", ") + words(objective);
    }
    auto const front = pareto_front(table, objectives, conditions);
    std::cout << fmt::format("\nPareto front of {}: {} points\n", heading, front.size())
              << points_text(table, front, names, most);
}

void print_best(SweepTable const& table, Objective const& goal, std::vector<Condition> const& conditions,
                std::size_t most) {
    std::vector<std::string> names{goal.name};
    for (auto const& condition : conditions) {
        if (table.columns.contains(condition.name) && condition.name != goal.name) names.push_back(condition.name);
    }
    auto const best = ranked(table, goal, conditions);
    std::cout << fmt::format("\nBest points, {}: {} of {} meet the conditions\n", words(goal), best.size(),
                             table.points.size())
              << points_text(table, best, names, most);
}

void print_failed(SweepTable const& table, std::size_t most) {
    std::vector<StoredPoint const*> failed;
    for (auto const& point : table.points) {
        if (!point.statistics) failed.push_back(&point);
    }
    if (failed.empty()) return;
    std::cout << fmt::format("\n{} of {} points failed:\n", failed.size(), table.points.size());
    for (std::size_t i = 0; i < std::min(most, failed.size()); ++i) {
        std::cout << fmt::format("  point {} ({}): {}\n", failed[i]->point.index, point_key(failed[i]->point.axes),
                                 failed[i]->error);
    }
    if (failed.size() > most) std::cout << fmt::format("  ... and {} more\n", failed.size() - most);
}

}  // namespace

void SweepOutput::declare(CommandLine& line) {
    line.text("goal", goal, "STATISTIC", "Print the best points for it; \"min NAME\" or \"max NAME\" sets the side.");
    line.texts("subject", subject, "CONDITION", "Only points that meet it, such as \"cost.area < 1\"; all of several.");
    line.texts("pareto", pareto, "STATISTIC",
               "Objective of the Pareto front; give two or more (default: the objectives of the sweep file).");
    line.number("top", top, "N", "Rows of the tables (default 10).");
    line.text("csv", csv, "FILE", "Write every point with every statistic.");
    line.text("html", html, "FILE", "Write a page with the scatter of the points, without network or other files.");
}

void SweepOutput::check() const {
    if (!html.empty()) require_page_support("--html");
    if (!pareto.empty() && pareto.size() < 2) throw UsageError("--pareto: expected two or more, got one");
}

void SweepOutput::write(SweepTable const& table) const {
    print_failed(table, top);
    if (table.columns.empty()) return;
    std::vector<Condition> conditions;
    for (auto const& text : subject) conditions.push_back(parse_condition(table, text));
    auto const objectives = pareto.empty() ? known_objectives(table) : objectives_of(table, pareto);
    if (objectives.size() > 1) print_front(table, objectives, conditions, top);
    if (!goal.empty()) print_best(table, parse_objective(table, goal), conditions, top);
    if (!csv.empty()) write_file(csv, csv_text(table));
    if (!html.empty()) write_file(html, sweep_html(table, objectives));
}

}  // namespace netzip
