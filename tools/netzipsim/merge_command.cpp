#include <filesystem>
#include <fmt/format.h>
#include <iostream>

#include "base/error.h"
#include "tools/explore/sweep/merge.h"
#include "tools/netzipsim/command_line.h"
#include "tools/netzipsim/commands.h"
#include "tools/netzipsim/sweep_output.h"

namespace netzip {

int merge_command(Arguments arguments) {
    std::vector<std::string> inputs;
    std::string output;
    SweepOutput results;
    CommandLine line("merge", "Joins the shards of a sweep that was run in parts, or says what is missing.");
    line.arguments("DIR | SHARD.sqlite...", inputs, "A directory with shard-*-of-*.sqlite, or the databases.", 1,
                   100000);
    line.text("output,o", output, "FILE", "The joined database (default: DIR/sweep.sqlite).");
    results.declare(line);
    line.example("netzipsim merge DIR", "After all tasks of a job array ended");
    if (!line.parse(arguments)) return 0;
    results.check();

    bool const directory = inputs.size() == 1 && std::filesystem::is_directory(inputs[0]);
    if (output.empty() && !directory) throw UsageError("netzipsim merge: expected -o FILE with a list of databases");
    if (output.empty()) output = inputs[0] + "/sweep.sqlite";
    std::vector<std::filesystem::path> const shards =
        directory ? shards_in(inputs[0]) : std::vector<std::filesystem::path>(inputs.begin(), inputs.end());
    auto const store = merge(shards, output);
    std::cout << fmt::format("{} points of {} shards in {}\n", store.done().size(), shards.size(), output);
    results.write(read_table(store));
    return static_cast<int>(store.failed() > 0 ? ExitStatus::run_failed : ExitStatus::ok);
}

}  // namespace netzip
