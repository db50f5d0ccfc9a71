#pragma once

#include <memory>

#include "nic/dma_reader.h"
#include "nic/dma_writer.h"
#include "nic/protocol_engine.h"
#include "nic/receive_path.h"
#include "nic/transmit_path.h"

namespace netzip {

/// One NIC, composition only: DMA engine, accelerator (or none), protocol engine.
class Nic : public sc_core::sc_module {
public:
    DmaReader dma_reader;
    DmaWriter dma_writer;
    ProtocolEngine protocol;

    Nic(sc_core::sc_module_name name, NicConfig const& config, PayloadPool& pool, std::unique_ptr<PayloadWork> work,
        bool with_bytes, ProtocolEngine::MessageDone message_done, DmaWriter::PacketDone packet_done);

    /// Null in a plain NIC.
    TransmitPath const* transmit_path() const { return transmit_.get(); }
    ReceivePath const* receive_path() const { return receive_.get(); }
    /// Every stage from host memory to the link.
    std::vector<StageStats> transmit_stats() const;
    /// Every stage from the link to host memory.
    std::vector<StageStats> receive_stats() const;

private:
    std::unique_ptr<PayloadWork> work_;
    std::unique_ptr<TransmitPath> transmit_;
    std::unique_ptr<ReceivePath> receive_;
};

}  // namespace netzip
