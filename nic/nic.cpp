#include "nic/nic.h"

#include "models/packet_codec.h"

namespace netzip {

Nic::Nic(sc_core::sc_module_name name, NicConfig const& config, PayloadPool& pool, std::unique_ptr<PayloadWork> work,
         bool with_bytes, ProtocolEngine::MessageDone message_done, DmaWriter::PacketDone packet_done)
    : sc_module(name),
      dma_reader("dma_reader", config.dma, config.clock, config.protocol.path_mtu, pool, with_bytes),
      dma_writer("dma_writer", config.dma, std::move(packet_done)),
      protocol("protocol", config.protocol, config.clock, Bytes{config.accelerator ? kNetzipHeaderBytes : 0}, pool,
               std::move(message_done)),
      work_(std::move(work)) {
    if (!config.accelerator) {
        dma_reader.out.bind(protocol.in);
        protocol.out.bind(dma_writer.in);
        return;
    }
    transmit_ = std::make_unique<TransmitPath>("tx", config, *work_);
    receive_ = std::make_unique<ReceivePath>("rx", config, *work_);
    dma_reader.out.bind(transmit_->in());
    transmit_->out().bind(protocol.in);
    protocol.out.bind(receive_->in());
    receive_->out().bind(dma_writer.in);
}

std::vector<StageStats> Nic::transmit_stats() const {
    std::vector<StageStats> stats{dma_reader.stats()};
    if (transmit_ != nullptr) {
        append(stats, transmit_->stats());
    }
    stats.push_back(protocol.send_stats());
    return stats;
}

std::vector<StageStats> Nic::receive_stats() const {
    std::vector<StageStats> stats{protocol.receive_stats()};
    if (receive_ != nullptr) {
        append(stats, receive_->stats());
    }
    stats.push_back(dma_writer.stats());
    return stats;
}

}  // namespace netzip
