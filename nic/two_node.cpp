#include "nic/two_node.h"

#include "pipeline/sized_work.h"

namespace netzip {
namespace {

std::unique_ptr<PayloadWork> work_of(ExperimentConfig const& config, CodecTrace const* trace,
                                     TwoNode::MakeWork const& make_work, bool sender) {
    if (make_work) return make_work(sender);
    if (trace != nullptr) return std::make_unique<SizedWork>(*trace);
    return std::make_unique<BytesWork>(config.nic.algorithm, config.nic.base_registers);
}

}  // namespace

TwoNode::TwoNode(sc_core::sc_module_name name, ExperimentConfig const& config, MessageSource& source,
                 MessageSource* background, CodecTrace const* trace, MakeWork const& make_work)
    : sc_module(name),
      sender("host_a", config.host, config.workload, config.nic.protocol.path_mtu, source, background, messages,
             [this](std::uint32_t slot) { return receiver.prepare(slot); }),
      receiver("host_b", config.host, messages, config.nic.protocol.path_mtu, trace),
      nic_a(
          "nic_a", config.nic, pool, work_of(config, trace, make_work, true), trace == nullptr,
          [this](PacketTag const& tag) { acknowledged(tag); }, [](Payload&, Duration) {}),
      nic_b(
          "nic_b", config.nic, pool, work_of(config, trace, make_work, false), trace == nullptr,
          [](PacketTag const&) {}, [this](Payload& payload, Duration at) { packet_done(payload, at); }),
      link_ab("link_ab", config.link, 0, config.nic.protocol.reth, config.nic.protocol.ack_frame),
      link_ba("link_ba", config.link, 1, config.nic.protocol.reth, config.nic.protocol.ack_frame) {
    if (config.link.loss > 0.0 || config.link.bit_error_rate > 0.0) {
        nic_a.protocol.expect_losses();
        nic_b.protocol.expect_losses();
    }
    sender.doorbell.bind(nic_a.dma_reader.doorbell);
    receiver.doorbell.bind(nic_b.dma_reader.doorbell);
    nic_a.dma_reader.memory.bind(sender.memory.read_port);
    nic_a.dma_writer.memory.bind(sender.memory.write_port);
    nic_b.dma_reader.memory.bind(receiver.memory.read_port);
    nic_b.dma_writer.memory.bind(receiver.memory.write_port);
    nic_a.protocol.wire_out.bind(link_ab.in);
    nic_b.protocol.wire_out.bind(link_ba.in);
    if (!config.network_switch.present) {
        link_ab.out.bind(nic_b.protocol.wire_in);
        link_ba.out.bind(nic_a.protocol.wire_in);
        return;
    }
    hop_ab_ = std::make_unique<Hop>("ab", config, 2);
    hop_ba_ = std::make_unique<Hop>("ba", config, 3);
    link_ab.out.bind(hop_ab_->hop.in);
    link_ba.out.bind(hop_ba_->hop.in);
    hop_ab_->egress.out.bind(nic_b.protocol.wire_in);
    hop_ba_->egress.out.bind(nic_a.protocol.wire_in);
}

TwoNode::Hop::Hop(std::string const& name, ExperimentConfig const& config, std::uint64_t link_index)
    : hop(("switch_" + name).c_str(), config.network_switch),
      egress(("egress_" + name).c_str(), config.link, link_index, config.nic.protocol.reth,
             config.nic.protocol.ack_frame) {
    hop.out.bind(egress.in);
}

void TwoNode::acknowledged(PacketTag const& tag) {
    sender.acknowledged(tag, nic_a.dma_writer.write_completion());
    finish(tag.message);
}

void TwoNode::packet_done(Payload& payload, Duration complete) {
    receiver.packet_done(payload, complete);
    finish(tag_of(payload).message);
}

/// A message is over when its last byte is in memory and its sender knows.
void TwoNode::finish(std::uint32_t slot) {
    if (!messages.at(slot).acknowledged || !receiver.complete(slot)) return;
    receiver.finished(slot);
    sender.finished(slot);
}

}  // namespace netzip
