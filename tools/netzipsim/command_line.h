#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace netzip {

/// Options and arguments of one command, and the help that teaches them.
///
/// Declare with the functions below, then `parse`. Everything is spelled in full: no option may be abbreviated.
class CommandLine {
public:
    /// `command` is its name, `purpose` a sentence.
    CommandLine(std::string command, std::string purpose);
    ~CommandLine();

    /// `name` is "output" or, with a letter for short, "output,o". Targets keep their value when not given.
    void flag(std::string const& name, bool& target, std::string const& sentence);
    void text(std::string const& name, std::string& target, std::string const& placeholder,
              std::string const& sentence);
    void number(std::string const& name, std::uint64_t& target, std::string const& placeholder,
                std::string const& sentence);
    /// May be given several times.
    void texts(std::string const& name, std::vector<std::string>& target, std::string const& placeholder,
               std::string const& sentence);
    /// What stands without an option; at least `least` and at most `most` of them.
    void arguments(std::string const& placeholder, std::vector<std::string>& target, std::string const& sentence,
                   std::size_t least, std::size_t most);
    /// A command line with what it does, for the help; tests run all of them.
    void example(std::string const& line, std::string const& sentence);

    /// False when `--help` was asked for and printed. Throws UsageError with every problem.
    bool parse(std::span<std::string const> words);

    std::string help() const;

private:
    struct Option;
    using Given = std::map<std::string, std::vector<std::string>>;  ///< long name and its values

    Option& add(std::string const& name, std::string const& placeholder, std::string const& sentence);
    Given read(std::span<std::string const> words) const;
    std::string unknown_option(std::string const& name) const;
    /// Sets the target of `option`; the problem, or an empty string.
    static std::string store(Option const& option, std::vector<std::string> const& values);

    std::string command_;
    std::string purpose_;
    std::vector<std::unique_ptr<Option>> options_;
    std::string placeholder_;
    std::string sentence_;
    std::vector<std::string>* arguments_ = nullptr;
    std::size_t least_ = 0;
    std::size_t most_ = 0;
    std::vector<std::pair<std::string, std::string>> examples_;
};

}  // namespace netzip
