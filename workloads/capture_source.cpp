#include "workloads/capture_source.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <tuple>

#include "base/error.h"
#include "workloads/readers/capture.h"
#include "workloads/recording.h"

namespace netzip {
namespace {

constexpr std::uint32_t kSequenceMask = 0xffffff;   ///< PSNs have 24 bits
constexpr std::uint32_t kSequenceHalf = 0x800000;   ///< a PSN less than this ahead is later, else earlier
constexpr std::uint64_t kLostAfter = 1024;          ///< packets behind a lost one; more than a sender has in flight
constexpr std::uint64_t kPendingLimit = 256 << 20;  ///< bytes of unfinished messages held
constexpr std::size_t kMaximumFlows = 32767;        ///< each is a layer of 15 bits, without 0
constexpr std::uint64_t kFemtosecondsPerNanosecond = 1'000'000;

struct CaptureCounts {
    std::uint64_t packets = 0;
    std::uint64_t others = 0;      ///< no RDMA write
    std::uint64_t duplicates = 0;  ///< sent again although seen
    std::uint64_t unordered = 0;   ///< behind a lost packet
    std::uint64_t incomplete = 0;  ///< messages without all their packets
    std::uint64_t headless = 0;    ///< packets of messages that began before the capture
};

/// A message that is being put together, or is whole and waits for an earlier one.
struct Pending {
    std::uint32_t flow = 0;
    std::uint64_t nanoseconds = 0;
    std::uint64_t size = 0;
    std::uint32_t announced = 0;
    bool whole = false;
    bool dropped = false;
    std::vector<std::uint8_t> bytes;
};

struct Flow {
    std::uint32_t index = 0;
    std::uint32_t queue_pair = 0;
    std::string destination;
    bool synchronised = false;    ///< `expected` is known
    std::uint32_t expected = 0;   ///< next PSN
    std::uint64_t unordered = 0;  ///< packets ignored since the last one in order
    std::uint32_t messages = 0;   ///< yielded
    std::shared_ptr<Pending> building;
};

/// Turns packets into whole messages, in the order of their first packets.
class Assembler {
public:
    Assembler(std::unique_ptr<Capture> capture, std::string name, bool keep_bytes)
        : capture_(std::move(capture)), name_(std::move(name)), keep_bytes_(keep_bytes) {}

    /// The next whole message, or null at the end.
    std::shared_ptr<Pending> next() {
        while (true) {
            while (!order_.empty() && order_.front()->dropped) order_.pop_front();
            if (!order_.empty() && order_.front()->whole) {
                auto done = std::move(order_.front());
                order_.pop_front();
                held_ -= done->size;
                return done;
            }
            CapturedPacket packet;
            if (!at_end_ && capture_->next(packet)) {
                add(packet);
            } else if (order_.empty()) {
                return nullptr;
            } else {
                at_end_ = true;
                drop(*order_.front());
            }
        }
    }

    CaptureCounts const& counts() const { return counts_; }
    Flow& flow(std::uint32_t index) { return *flows_by_index_[index]; }
    std::size_t flows() const { return flows_by_index_.size(); }

private:
    void add(CapturedPacket const& packet) {
        ++counts_.packets;
        auto const write = parse_roce_write(packet);
        if (!write) {
            ++counts_.others;
            return;
        }
        if (write->cut) {
            throw InputError(name_ + ": packet " + std::to_string(packet.number) + ": only " +
                             std::to_string(packet.bytes.size()) + " of " + std::to_string(packet.wire_size) +
                             " B were captured, a replay needs whole packets (snap length)");
        }
        Flow& flow = flow_of(*write);
        if (!in_order(flow, *write)) return;
        if (write->first) begin(flow, *write, packet.nanoseconds);
        if (!flow.building) {
            ++counts_.headless;
            return;
        }
        append(flow, *write);
    }

    Flow& flow_of(RoceWrite const& write) {
        auto const [at, is_new] = flows_.try_emplace({write.source, write.destination, write.queue_pair});
        if (is_new) {
            if (flows_.size() > kMaximumFlows) {
                throw InputError(name_ + ": more than " + std::to_string(kMaximumFlows) + " queue pairs");
            }
            at->second.index = static_cast<std::uint32_t>(flows_by_index_.size());
            at->second.queue_pair = write.queue_pair;
            at->second.destination = write.destination;
            flows_by_index_.push_back(&at->second);
        }
        return at->second;
    }

    /// As the receiver sees it: the expected PSN goes on, an earlier one is a copy, a later one has to wait.
    bool in_order(Flow& flow, RoceWrite const& write) {
        std::uint32_t const ahead = (write.sequence - flow.expected) & kSequenceMask;
        if (flow.synchronised && ahead >= kSequenceHalf) {
            ++counts_.duplicates;
            return false;
        }
        if (flow.synchronised && ahead != 0) {
            ++counts_.unordered;
            if (write.reliable && ++flow.unordered < kLostAfter) return false;
            // It will not come any more: go on with the next message.
            if (flow.building) drop(*flow.building);
            flow.building.reset();
        }
        flow.synchronised = true;
        flow.unordered = 0;
        flow.expected = (write.sequence + 1) & kSequenceMask;
        return true;
    }

    void begin(Flow& flow, RoceWrite const& write, std::uint64_t nanoseconds) {
        if (flow.building) drop(*flow.building);
        flow.building = std::make_shared<Pending>();
        flow.building->flow = flow.index;
        flow.building->nanoseconds = nanoseconds;
        flow.building->announced = write.message_size;
        order_.push_back(flow.building);
    }

    void append(Flow& flow, RoceWrite const& write) {
        Pending& message = *flow.building;
        message.size += write.payload.size();
        held_ += write.payload.size();
        if (keep_bytes_) message.bytes.insert(message.bytes.end(), write.payload.begin(), write.payload.end());
        if (message.size > message.announced || (write.last && message.size != message.announced)) {
            drop(message);
            flow.building.reset();
        } else if (write.last) {
            message.whole = true;
            flow.building.reset();
        }
        while (held_ > kPendingLimit && !order_.empty() && !order_.front()->whole) {
            if (!order_.front()->dropped) forget(*order_.front());
            order_.pop_front();
        }
    }

    void forget(Pending& message) {
        Flow& flow = *flows_by_index_[message.flow];
        if (flow.building.get() == &message) flow.building.reset();
        drop(message);
    }

    void drop(Pending& message) {
        if (message.dropped) return;
        message.dropped = true;
        held_ -= message.size;
        message.bytes = {};
        ++counts_.incomplete;
    }

    std::unique_ptr<Capture> capture_;
    std::string name_;
    bool keep_bytes_;
    bool at_end_ = false;
    std::map<std::tuple<std::string, std::string, std::uint32_t>, Flow> flows_;
    std::vector<Flow*> flows_by_index_;
    std::deque<std::shared_ptr<Pending>> order_;
    std::uint64_t held_ = 0;
    CaptureCounts counts_;
};

class CaptureSource : public MessageSource {
public:
    using Open = std::function<std::unique_ptr<Capture>()>;

    CaptureSource(WorkloadConfig const& config, std::string const& name, Open const& open, DataType dtype)
        : compress_(config.compress), name_(name), dtype_(dtype), assembler_(open(), name, true) {
        Assembler count(open(), name, false);
        while (auto const message = count.next()) {
            ++totals_.messages;
            totals_.bytes += Bytes{message->size};
        }
        if (totals_.messages == 0) {
            throw InputError(name + ": no whole RDMA write message among " + std::to_string(count.counts().packets) +
                             " packets (" + std::to_string(count.counts().others) + " others, " +
                             std::to_string(count.counts().incomplete) + " incomplete messages)");
        }
        totals_.queue_pairs = static_cast<std::uint32_t>(count.flows());
        note(count.counts());
    }

    bool next(Message& message) override {
        std::shared_ptr<Pending> const pending = assembler_.next();
        if (!pending) return false;
        Flow& flow = assembler_.flow(pending->flow);
        message.id = id_++;
        message.queue_pair = flow.index;
        message.layer = static_cast<std::uint16_t>(flow.index + 1);
        message.compress = compress_;
        message.dtype = dtype_;
        message.iteration = flow.messages++;
        message.tensor_offset = 0;
        message.name = "queue pair " + std::to_string(flow.queue_pair) + " of " + address_text(flow.destination);
        message.kind = "capture";
        message.not_before = time_of(pending->nanoseconds);
        message.bytes = pending->bytes;
        message.keep = pending;
        return true;
    }

    WorkloadTotals totals() const override { return totals_; }
    std::vector<std::string> notes() const override { return notes_; }

private:
    Duration time_of(std::uint64_t nanoseconds) {
        if (id_ == 1) first_ = nanoseconds;
        latest_ = std::max(latest_, std::max(nanoseconds, first_) - first_);
        if (latest_ > Duration::max().count() / kFemtosecondsPerNanosecond) {
            throw InputError(name_ + ": the capture is longer than the 5.1 hours that a simulation can last");
        }
        return Duration{latest_ * kFemtosecondsPerNanosecond};
    }

    void note(CaptureCounts const& counts) {
        auto const add = [&](std::uint64_t count, char const* what) {
            if (count != 0) notes_.push_back(name_ + ": " + std::to_string(count) + " " + what);
        };
        add(counts.others, "packets skipped: no RDMA write over RoCEv2");
        add(counts.duplicates, "packets skipped: sent again although captured before");
        add(counts.unordered, "packets skipped: behind a lost one, sent again later");
        add(counts.headless, "packets skipped: their message began before the capture or lost its beginning");
        add(counts.incomplete, "messages left out: not all of their packets were captured");
        notes_.push_back(name_ + ": elements are taken as " + enum_name(dtype_) + ", a layer per queue pair");
    }

    bool compress_;
    std::string name_;
    DataType dtype_;
    Assembler assembler_;
    WorkloadTotals totals_;
    std::vector<std::string> notes_;
    std::uint64_t id_ = 0;
    std::uint64_t first_ = 0;   ///< nanoseconds since 1970
    std::uint64_t latest_ = 0;  ///< nanoseconds since `first_`
};

}  // namespace

std::unique_ptr<MessageSource> make_capture_source(WorkloadConfig const& config) {
    if (config.files.size() != 1) {
        throw UsageError("workload.files: expected one capture, got " + std::to_string(config.files.size()) + " files");
    }
    std::string const& path = config.files.front();
    return std::make_unique<CaptureSource>(
        config, path, [&] { return std::make_unique<Capture>(path); },
        parse_data_type(config.dtype).value_or(DataType::bf16));
}

std::unique_ptr<MessageSource> make_capture_source(WorkloadConfig const& config, std::span<std::uint8_t const> bytes) {
    std::string const name = config.files.empty() ? "capture" : config.files.front();
    return std::make_unique<CaptureSource>(
        config, name, [&] { return std::make_unique<Capture>(name, bytes); },
        parse_data_type(config.dtype).value_or(DataType::bf16));
}

}  // namespace netzip
