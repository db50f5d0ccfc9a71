#include "nic/plain_cache.h"

#include "base/config/load.h"
#include "base/results/run_info.h"
#include "base/sha256.h"
#include "workloads/message_source.h"

namespace netzip {
namespace {

void add(Sha256& digest, std::string const& text) {
    digest.add({reinterpret_cast<std::uint8_t const*>(text.data()), text.size()});
}

/// Where things are and what they are called changes no number; what is in the files is in the messages.
bool decides(Parameter const& parameter) {
    return parameter.type != ParameterType::file && parameter.type != ParameterType::file_list &&
           !parameter.path.starts_with("run.") && !parameter.path.starts_with("cost.");
}

}  // namespace

std::string plain_entry_name(ExperimentConfig const& plain) {
    ExperimentConfig config = plain;
    ConfigRegistry const registry = registry_of(config);
    UnusedParameters const unused = registry.unused();
    Sha256 digest;
    add(digest, "netzip plain run 1\n" + program_stamp() + "\n" + to_string(config.run.watchdog) + "\n");
    for (Parameter const& parameter : registry.parameters()) {
        if (!decides(parameter) || unused.find(parameter.path) != nullptr) continue;
        add(digest, parameter.path + " = " + plain_text(parameter) + "\n");
    }
    std::unique_ptr<MessageSource> const source = make_message_source(config.workload);
    Message m;
    while (source->next(m)) {
        add(digest, std::to_string(m.queue_pair) + " " + std::to_string(m.bytes.size()) + " " + m.kind + " " +
                        std::to_string(m.iteration) + " " + std::to_string(static_cast<int>(m.dtype)) + " " +
                        std::to_string(m.not_before.count()) + "\n");
        m = Message{};
    }
    return digest.hex() + ".plain.json";
}

}  // namespace netzip
