#pragma once

#include <functional>
#include <memory>

#include "nic/doorbell.h"
#include "nic/experiment_config.h"
#include "nic/host_memory.h"
#include "nic/message_table.h"
#include "pipeline/calendar.h"
#include "pipeline/packet_tag.h"
#include "pipeline/ring.h"
#include "workloads/message_source.h"

namespace netzip {

/// The sending host: posts messages and hears when they are acknowledged.
///
/// Models:          a work queue entry in memory and a doorbell per message; closed replay with a number of outstanding
///                  messages, or open replay at the messages' own times; background traffic until the workload ends.
/// Approximates:    a completion is seen as soon as its entry is visible in memory.
/// Does not model:  the processor's work; collectives and what depends on a message.
class Sender : public sc_core::sc_module {
public:
    Doorbell doorbell;
    HostMemory memory;

    /// Registers the receiving end of a message before it is posted.
    using Prepare = std::function<std::uint64_t(std::uint32_t slot)>;

    Sender(sc_core::sc_module_name name, HostConfig const& host, WorkloadConfig const& workload, Bytes path_mtu,
           MessageSource& source, MessageSource* background, MessageTable& table, Prepare prepare);

    /// The NIC saw the acknowledgement of the message's last packet; its completion entry is at the memory at
    /// `completion`.
    void acknowledged(PacketTag const& tag, Duration completion);
    /// The message is complete at both ends: its slot is free.
    void finished(std::uint32_t slot);

    bool done() const { return exhausted_ && outstanding_ == 0; }
    std::uint64_t posted() const { return posted_; }
    std::uint64_t outstanding() const { return outstanding_; }
    Bytes posted_bytes() const { return posted_bytes_; }

private:
    void post_ready();
    bool may_post() const;
    void post_background();
    void post(Message message, bool background);

    HostConfig host_;
    WorkloadConfig workload_;
    Bytes path_mtu_;
    MessageSource& source_;
    MessageSource* background_;
    MessageTable& table_;
    Prepare prepare_;
    Message next_;
    Message next_background_;
    bool exhausted_ = false;
    std::uint64_t outstanding_ = 0;
    Ring<Duration> completions_;  ///< when the host sees that outstanding messages are complete
    std::uint64_t posted_ = 0;
    Bytes posted_bytes_;
    std::uint64_t packets_posted_ = 0;
    Wakeup post_;
    Wakeup post_background_;
};

}  // namespace netzip
