#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "models/algorithm.h"
#include "models/timing/bank_config.h"
#include "models/timing/edge_cursor.h"
#include "models/timing/engine.h"

namespace netzip {

/// What happens to one packet in a bank. Half-open, like StageTimes.
struct BankTimes {
    Duration start{0};      ///< an engine takes its first byte
    Duration taken{0};      ///< the engines have taken its last byte
    Duration first_out{0};  ///< its first result byte is there
    Duration complete{0};   ///< its last result byte is there
    std::uint64_t engine = 0;
};

/// A bank of engines. The caller offers a packet only when there is a slot, and says when results have left.
class EngineBank {
public:
    virtual ~EngineBank() = default;

    /// The next packet, whose bytes arrive from `head_in` to `tail_in`. `work` is what the codec did to it.
    BankTimes admit(Duration head_in, Duration tail_in, CodecWork const& work);
    /// A result has left the bank for good at `tail`; to be called in order of time.
    void depart(Duration tail);

    /// Whether the packets that have not departed leave room for one more.
    bool has_slot() const { return inside_ < departures_.size(); }
    /// When the next packet may come in, `at` or later; only with `has_slot()`.
    Duration next_slot(Duration at = Duration{0}) const;

    std::size_t engines() const { return engines_.size(); }
    /// Cycles in which an engine was taking a packet, stalls included, or those of a part behind it that is busier.
    Cycles busy(std::size_t engine) const { return Cycles{std::max(busy_[engine], engines_[engine]->worked())}; }
    Frequency clock() const { return cursor_.clock().frequency(); }
    /// Tensor bytes per second that the whole bank carries when every packet costs what `work` says.
    double capacity(CodecWork const& work) const;

protected:
    struct Shape {
        Arrangement arrangement;
        std::uint64_t engine_slots;
        std::uint64_t in_flight;
        std::uint64_t before;  ///< cycles from the input of the bank to an engine
        Frequency clock;
    };
    EngineBank(Shape const& shape, std::vector<std::unique_ptr<Engine>> engines);

private:
    struct Inputs {
        std::vector<std::uint64_t> taken;  ///< edge, ring of `engine_slots` packets
        std::size_t at = 0;                ///< place of the next packet
        std::uint64_t slot = 0;            ///< edge from which it may come: what is at its place
        std::uint64_t free = 0;            ///< edge at which the last packet is taken
    };
    std::size_t choose(std::uint64_t offered) const;
    void one_block(std::size_t engine, std::uint64_t head, std::uint64_t tail, BlockWork const& work,
                   EngineStamps& total);
    void sliced_block(std::uint64_t head, std::uint64_t tail, BlockWork const& work, EngineStamps& total);
    void occupy(std::size_t engine);

    Shape shape_;
    std::vector<std::unique_ptr<Engine>> engines_;
    EdgeCursor cursor_;
    std::vector<Inputs> inputs_;
    std::vector<std::uint64_t> busy_;
    std::vector<std::uint64_t> departures_;  ///< edge, ring of `in_flight`
    std::uint64_t inside_ = 0;
    std::size_t admit_at_ = 0;  ///< places in the ring of departures
    std::size_t depart_at_ = 0;
    BlockWork slice_;
};

class CompressorBank final : public EngineBank {
public:
    /// `upstream_clock` 0 Hz means the NIC's.
    CompressorBank(CompressorConfig const& config, AlgorithmConfig const& algorithm, Frequency nic_clock,
                   Frequency upstream_clock = Frequency{0});
};

class DecompressorBank final : public EngineBank {
public:
    DecompressorBank(DecompressorConfig const& config, AlgorithmConfig const& algorithm, Frequency nic_clock,
                     Frequency upstream_clock = Frequency{0});
};

}  // namespace netzip
