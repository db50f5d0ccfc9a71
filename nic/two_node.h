#pragma once

#include <functional>
#include <memory>

#include "nic/link.h"
#include "nic/nic.h"
#include "nic/receiver.h"
#include "nic/sender.h"
#include "nic/switch.h"

namespace netzip {

/// Two hosts, two NICs and the network between them; node A sends, node B answers with acknowledgements.
///
/// Without a `trace` bytes travel; with one, sizes alone, and the trace must outlive the system.
///
/// Composition, and the question "are we done?": nothing here takes time.
class TwoNode : public sc_core::sc_module {
public:
    /// Makes what a node does to the bytes of packets.
    using MakeWork = std::function<std::unique_ptr<PayloadWork>(bool sender)>;

    TwoNode(sc_core::sc_module_name name, ExperimentConfig const& config, MessageSource& source,
            MessageSource* background, CodecTrace const* trace, MakeWork const& make_work = {});

    PayloadPool pool;
    MessageTable messages;
    Sender sender;
    Receiver receiver;
    Nic nic_a;
    Nic nic_b;
    Link link_ab;
    Link link_ba;

    bool done() const { return sender.done() && messages.in_use() == 0; }
    /// Null when the nodes are back to back.
    Switch const* switch_ab() const { return hop_ab_ != nullptr ? &hop_ab_->hop : nullptr; }
    Link const* egress_ab() const { return hop_ab_ != nullptr ? &hop_ab_->egress : nullptr; }

private:
    void acknowledged(PacketTag const& tag);
    void packet_done(Payload& payload, Duration complete);
    void finish(std::uint32_t slot);

    /// A switch and the link behind it.
    struct Hop {
        Hop(std::string const& name, ExperimentConfig const& config, std::uint64_t link_index);
        Switch hop;
        Link egress;
    };
    std::unique_ptr<Hop> hop_ab_;
    std::unique_ptr<Hop> hop_ba_;
};

}  // namespace netzip
