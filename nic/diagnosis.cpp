#include "nic/diagnosis.h"

#include <fmt/format.h>

#include "nic/two_node.h"

namespace netzip {
namespace {

void add_stages(std::string& text, char const* node, std::vector<StageStats> const& stages) {
    for (StageStats const& stage : stages) {
        if (stage.inside == 0 && stage.waits_for.empty()) continue;
        text += fmt::format("\n  {}.{}: {} packets inside ({} slots), {} in, {} out{}", node, stage.name, stage.inside,
                            stage.slots, stage.packets_in, stage.packets_out,
                            stage.waits_for.empty() ? "" : ", waits for " + stage.waits_for);
    }
}

}  // namespace

std::string describe_stuck(TwoNode const& system, std::string const& what) {
    std::string text = fmt::format("no progress at {}: {}; {} messages outstanding, {} packets complete",
                                   to_string(now()), what, system.sender.outstanding(), system.receiver.packets_done());
    add_stages(text, "a", system.nic_a.transmit_stats());
    add_stages(text, "ab", {system.link_ab.stats()});
    add_stages(text, "b", system.nic_b.receive_stats());
    add_stages(text, "b", system.nic_b.transmit_stats());
    add_stages(text, "ba", {system.link_ba.stats()});
    add_stages(text, "a", system.nic_a.receive_stats());
    return text;
}

}  // namespace netzip
