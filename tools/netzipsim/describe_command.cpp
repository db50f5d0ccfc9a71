#include <algorithm>
#include <fmt/format.h>
#include <iostream>

#include "base/config/registry.h"
#include "base/json_text.h"
#include "base/results/output_file.h"
#include "nic/experiment_config.h"
#include "tools/netzipsim/command_line.h"
#include "tools/netzipsim/commands.h"

namespace netzip {
namespace {

using Parameters = std::vector<Parameter const*>;

/// The parameters below any of `keys`, or all.
Parameters selected(ConfigRegistry const& registry, std::vector<std::string> const& keys) {
    Parameters result;
    Problems problems;
    for (Parameter const& parameter : registry.parameters()) {
        bool wanted = keys.empty();
        for (std::string const& key : keys) {
            wanted = wanted || parameter.path == key || parameter.path.starts_with(key + ".");
        }
        if (wanted) result.push_back(&parameter);
    }
    for (std::string const& key : keys) {
        auto const known = registry.paths();
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        std::string const near = registry.suggestion(key);
        problems.add("netzipsim describe: unknown key " + key +
                     (near.empty() ? "" : " (did you mean \"" + near + "\"?)"));
    }
    problems.throw_if_any<UsageError>();
    return result;
}

std::string as_text(Parameters const& parameters) {
    std::string text;
    for (Parameter const* parameter : parameters) {
        std::string const range = range_text(*parameter);
        text += fmt::format("{} = {}\n    {}\n    {}{}{}\n    default from: {}\n", parameter->path,
                            parameter->default_text, parameter->sentence, type_name(*parameter),
                            range.empty() ? "" : ": ", range, parameter->source);
    }
    return text;
}

std::string cell(std::string const& text) {
    std::string result;
    for (char const c : text) {
        if (c == '|') result += '\\';
        result += c;
    }
    return result;
}

std::string as_markdown(ConfigRegistry const& registry, Parameters const& parameters) {
    std::string text =
        "# Parameters\n\nWritten by `netzipsim describe --markdown`; do not edit.\n\n"
        "A quantity is given with its unit: `\"50 Gb/s\"`, `\"300 MHz\"`, `\"4 KiB\"`, `\"550 ns\"`, `\"4 cycles\"`. "
        "Of two values for one key the later one stands: default, included file, the file that includes it, later "
        "file, "
        "`--set KEY=VALUE`.\n";
    std::string section = "\n";
    for (Parameter const* parameter : parameters) {
        if (parameter->section() != section) {
            section = parameter->section();
            ConfigRegistry::Section const* const known = registry.find_section(section);
            text += fmt::format(
                "\n## {}\n{}\n\n| key | type | range | default | what it is | source of the default |\n"
                "|---|---|---|---|---|---|\n",
                section.empty() ? "Top level" : "`" + section + "`", known == nullptr ? "" : "\n" + known->sentence);
        }
        text += fmt::format("| `{}` | {} | {} | `{}` | {} | {} |\n", parameter->key(), type_name(*parameter),
                            cell(range_text(*parameter)), cell(parameter->default_text), cell(parameter->sentence),
                            cell(parameter->source));
    }
    return text;
}

std::string as_json(Parameters const& parameters) {
    std::string text;
    for (Parameter const* parameter : parameters) {
        std::string choices;
        for (std::string const& choice : parameter->choices) {
            choices += (choices.empty() ? "" : ", ") + json_string(choice);
        }
        auto const bound = [](std::optional<double> const& value) { return value ? json_number(*value) : "null"; };
        text += fmt::format(
            "{}  {{\"key\": {}, \"type\": {}, \"unit\": {}, \"low\": {}, \"low_is_excluded\": {}, \"high\": {}, "
            "\"choices\": [{}], \"default\": {}, \"sentence\": {}, \"source\": {}}}",
            text.empty() ? "" : ",\n", json_string(parameter->path), json_string(type_name(*parameter)),
            json_string(unit_name(*parameter)), bound(parameter->range.low), parameter->range.exclusive_low,
            bound(parameter->range.high), choices, json_string(parameter->default_text),
            json_string(parameter->sentence), json_string(parameter->source));
    }
    return "[\n" + text + "\n]\n";
}

}  // namespace

int describe_command(Arguments arguments) {
    std::vector<std::string> keys;
    bool markdown = false;
    bool json = false;
    std::string output;
    CommandLine line("describe", "Lists the parameters of an experiment: type, unit, range, default, source.");
    line.arguments("[KEY...]", keys, "A parameter or a section, such as nic.compressor; all when none is given.", 0,
                   1000);
    line.flag("markdown", markdown, "As a page of documentation.");
    line.flag("json", json, "For other programs; bounds are counts of B, b/s, Hz, fs or cycles.");
    line.text("output,o", output, "FILE", "Write to FILE instead of the terminal.");
    line.example("netzipsim describe nic.compressor", "What can be set about the compressor?");
    line.example("netzipsim describe --markdown -o docs/parameters.md", "Write the reference page.");
    if (!line.parse(arguments)) return 0;
    if (markdown && json) throw UsageError("netzipsim describe: expected one of --markdown and --json, got both");

    ExperimentConfig config;
    ConfigRegistry const registry = registry_of(config);
    Parameters const parameters = selected(registry, keys);
    std::string const text = markdown ? as_markdown(registry, parameters)
                             : json   ? as_json(parameters)
                                      : as_text(parameters);
    if (output.empty()) {
        std::cout << text;
    } else {
        write_file(output, text);
    }
    return 0;
}

}  // namespace netzip
