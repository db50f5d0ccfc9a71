#include "tools/netzipsim/command_line.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <fmt/format.h>
#include <iostream>

#include "base/error.h"

namespace netzip {
namespace {

namespace po = boost::program_options;

/// No guessing: an abbreviation that works today would mean something else after the next option.
constexpr int kStyle = po::command_line_style::allow_long | po::command_line_style::long_allow_adjacent |
                       po::command_line_style::long_allow_next | po::command_line_style::allow_short |
                       po::command_line_style::allow_dash_for_short | po::command_line_style::short_allow_adjacent |
                       po::command_line_style::short_allow_next;

char const* const kArguments = "arguments";

}  // namespace

struct CommandLine::Option {
    std::string name;  ///< as Boost takes it, "output,o"
    std::string placeholder;
    std::string sentence;
    bool* flag = nullptr;
    std::string* text = nullptr;
    std::uint64_t* number = nullptr;
    std::vector<std::string>* texts = nullptr;

    std::string long_name() const { return name.substr(0, name.find(',')); }
    std::string spelled() const {
        auto const comma = name.find(',');
        std::string const shorter = comma == std::string::npos ? "" : "-" + name.substr(comma + 1) + ", ";
        return shorter + "--" + long_name() + (placeholder.empty() ? "" : " " + placeholder);
    }
};

CommandLine::CommandLine(std::string command, std::string purpose)
    : command_(std::move(command)), purpose_(std::move(purpose)) {}
CommandLine::~CommandLine() = default;

CommandLine::Option& CommandLine::add(std::string const& name, std::string const& placeholder,
                                      std::string const& sentence) {
    options_.push_back(std::make_unique<Option>(Option{name, placeholder, sentence}));
    return *options_.back();
}

void CommandLine::flag(std::string const& name, bool& target, std::string const& sentence) {
    add(name, "", sentence).flag = &target;
}

void CommandLine::text(std::string const& name, std::string& target, std::string const& placeholder,
                       std::string const& sentence) {
    add(name, placeholder, sentence).text = &target;
}

void CommandLine::number(std::string const& name, std::uint64_t& target, std::string const& placeholder,
                         std::string const& sentence) {
    add(name, placeholder, sentence).number = &target;
}

void CommandLine::texts(std::string const& name, std::vector<std::string>& target, std::string const& placeholder,
                        std::string const& sentence) {
    add(name, placeholder, sentence).texts = &target;
}

void CommandLine::arguments(std::string const& placeholder, std::vector<std::string>& target,
                            std::string const& sentence, std::size_t least, std::size_t most) {
    placeholder_ = placeholder;
    sentence_ = sentence;
    arguments_ = &target;
    least_ = least;
    most_ = most;
}

void CommandLine::example(std::string const& line, std::string const& sentence) {
    examples_.emplace_back(line, sentence);
}

CommandLine::Given CommandLine::read(std::span<std::string const> words) const {
    auto const list = [] { return po::value<std::vector<std::string>>()->composing(); };
    po::options_description known;
    known.add_options()("help,h", "")(kArguments, list(), "");
    for (auto const& option : options_) {
        if (option->flag != nullptr) {
            known.add_options()(option->name.c_str(), "");
        } else {
            known.add_options()(option->name.c_str(), list(), "");
        }
    }
    po::positional_options_description positional;
    positional.add(kArguments, -1);
    po::command_line_parser parser(std::vector<std::string>(words.begin(), words.end()));
    Given given;
    for (auto const& option : parser.options(known).positional(positional).style(kStyle).run().options) {
        auto& values = given[option.string_key];
        values.insert(values.end(), option.value.begin(), option.value.end());
    }
    return given;
}

std::string CommandLine::unknown_option(std::string const& name) const {
    std::vector<std::string> names{"--help"};
    for (auto const& option : options_) names.push_back("--" + option->long_name());
    std::string const near = nearest(name, names);
    return "unknown option " + name + (near.empty() ? "" : " (did you mean " + near + "?)");
}

std::string CommandLine::store(Option const& option, std::vector<std::string> const& values) {
    if (option.flag != nullptr) *option.flag = true;
    if (option.texts != nullptr) *option.texts = values;
    if (option.text == nullptr && option.number == nullptr) return "";
    if (values.size() > 1) return "--" + option.long_name() + ": given more than once";
    std::string const& text = values.front();
    if (option.text != nullptr) {
        *option.text = text;
        return "";
    }
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), *option.number);
    if (error == std::errc() && end == text.data() + text.size()) return "";
    return "--" + option.long_name() + ": expected a whole number, got \"" + text + "\"";
}

bool CommandLine::parse(std::span<std::string const> words) {
    std::string const where = "netzipsim " + command_ + ": ";
    std::string const see = "; see netzipsim " + command_ + " --help";
    Given given;
    try {
        given = read(words);
    } catch (po::unknown_option const& error) {
        throw UsageError(where + unknown_option(error.get_option_name()) + see);
    } catch (po::error const& error) {
        throw UsageError(where + error.what() + see);
    }
    if (given.count("help") != 0) {
        std::cout << help();
        return false;
    }
    Problems problems;
    for (auto const& option : options_) {
        auto const found = given.find(option->long_name());
        std::string const trouble = found == given.end() ? "" : store(*option, found->second);
        if (!trouble.empty()) problems.add(where + trouble);
    }
    std::vector<std::string> const& plain = given[kArguments];
    if (plain.size() < least_) problems.add(where + "expected " + placeholder_ + see);
    if (plain.size() > most_) problems.add(where + "unexpected argument \"" + plain[most_] + "\"" + see);
    problems.throw_if_any<UsageError>();
    if (!plain.empty()) *arguments_ = plain;
    return true;
}

std::string CommandLine::help() const {
    std::string text = purpose_ + "\n\nUsage: netzipsim " + command_;
    if (!placeholder_.empty()) text += " " + placeholder_;
    text += " [options]\n";
    if (!placeholder_.empty()) text += "\n  " + placeholder_ + "\n      " + sentence_ + "\n";
    text += "\nOptions:\n";
    std::size_t width = std::string("-h, --help").size();
    for (auto const& option : options_) width = std::max(width, option->spelled().size());
    for (auto const& option : options_) {
        text += fmt::format("  {:<{}}  {}\n", option->spelled(), width, option->sentence);
    }
    text += fmt::format("  {:<{}}  {}\n", "-h, --help", width, "This text.");
    if (!examples_.empty()) text += "\nExamples:\n";
    for (auto const& [line, sentence] : examples_) text += "  # " + sentence + "\n  " + line + "\n";
    return text;
}

}  // namespace netzip
