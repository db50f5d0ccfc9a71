#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workloads/background_config.h"
#include "workloads/message.h"
#include "workloads/workload_config.h"

namespace netzip {

/// What a source will yield in all, known before the first message.
struct WorkloadTotals {
    std::uint64_t messages = 0;
    Bytes bytes;
    std::uint32_t queue_pairs = 0;  ///< messages use the queue pairs 0 to queue_pairs - 1
};

/// A sequence of messages, the same on every machine for equal input.
class MessageSource {
public:
    virtual ~MessageSource() = default;

    /// Replaces `message` by the next one, or returns false at the end and leaves it alone.
    /// `not_before` never decreases. Throws InputError when a file is found damaged on the way.
    virtual bool next(Message& message) = 0;

    /// All messages of the source, also those already yielded; zero when there is no end.
    virtual WorkloadTotals totals() const = 0;

    /// What was left out or assumed when the files were read, a line each; for the report.
    virtual std::vector<std::string> notes() const { return {}; }
};

/// The source that `config` asks for. Throws InputError or UsageError, one line per problem.
std::unique_ptr<MessageSource> make_message_source(WorkloadConfig const& config);

/// Uncompressed messages at a constant rate, without end. Queue pairs count from `first_queue_pair`.
std::unique_ptr<MessageSource> make_background_source(BackgroundConfig const& config, std::uint32_t first_queue_pair);

}  // namespace netzip
