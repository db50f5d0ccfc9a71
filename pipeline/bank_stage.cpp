#include "pipeline/bank_stage.h"

#include <algorithm>

namespace netzip {

BankStage::BankStage(sc_core::sc_module_name name, Shape const& shape, QueuePairOrder& order,
                     std::unique_ptr<EngineBank> bank)
    : sc_module(name),
      in("in", *this),
      out("out", *this),
      shape_(shape),
      order_(order),
      bank_(std::move(bank)),
      clock_(bank_->clock()),
      wake_([this] { arbitrate(); }),
      recorder_(station_name(shape.station), shape.slots) {
    order_.on_bypass_leave([this] { schedule(); });
}

void BankStage::arrived(StreamInput&, Payload& payload, Duration head) {
    PacketTag& tag = tag_of(payload);
    recorder_.entered(payload.get_data_length(), inside_ + 1);
    CodecWork const& done = work(payload);
    BankTimes const times = bank_->admit(head, tag.tail_at, done);
    timed(tag, done, times);

    if (tag.queue_pair >= pairs_.size()) pairs_.resize(tag.queue_pair + std::size_t{1});
    auto& pair = pairs_[tag.queue_pair];
    if (pair.empty()) active_.push_back(tag.queue_pair);
    pair.push_back({&payload, times.complete, head, arrivals_++});
    ++inside_;
    taken_ = std::max(head, std::min(times.taken, tag.tail_at));
    if (pair.size() == 1) schedule();
    grant();
}

void BankStage::grant() {
    if (!in.holding() || !bank_->has_slot()) return;
    Duration const slot = bank_->next_slot(now());
    recorder_.blocked(taken_, slot);
    in.release(slot);
}

void BankStage::slot_free(StreamOutput&, Duration) {
    schedule();
}

/// Wakes the arbiter when the output is free and a packet is complete that may go.
void BankStage::schedule() {
    if (inside_ == 0 || !out.ready()) return;
    Duration next = Duration::max();
    if (choose(next) < active_.size()) next = now();
    if (next != Duration::max()) wake_.at(std::max(next, out.free_at()));
}

void BankStage::arbitrate() {
    // All that could be chosen now was admitted before. Only a bypassing packet that leaves at this very instant
    // changes the choice, and their order within it must not matter: then decide a round later.
    settling_ = !settling_ && order_.bypassing() > 0;
    if (settling_) return wake_.again();
    if (!out.ready()) return;
    Duration next = Duration::max();
    std::size_t const chosen = out.free_at() > now() ? active_.size() : choose(next);
    if (chosen < active_.size()) {
        send(chosen);
    } else {
        schedule();
    }
}

/// Of the oldest packet of each queue pair, the one complete first and, of those, the one that arrived first.
std::size_t BankStage::choose(Duration& next) {
    std::size_t chosen = active_.size();
    Done const* best = nullptr;
    for (std::size_t i = 0; i < active_.size(); ++i) {
        Done const& candidate = pairs_[active_[i]].front();
        if (shape_.order == ResultOrder::global && candidate.arrival != arrivals_ - inside_) continue;
        if (order_.behind_bypass(tag_of(*candidate.payload))) continue;
        if (candidate.complete > now()) {
            next = std::min(next, candidate.complete);
        } else if (best == nullptr || candidate.complete < best->complete ||
                   (candidate.complete == best->complete && candidate.arrival < best->arrival)) {
            chosen = i;
            best = &candidate;
        }
    }
    return chosen;
}

void BankStage::send(std::size_t index) {
    auto& pair = pairs_[active_[index]];
    Done const done = pair.front();
    pair.pop_front();
    if (pair.empty()) active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(index));
    --inside_;
    std::uint64_t const edge = clock_.index_at_or_after(std::max(done.complete, now()));
    std::uint64_t const transfer = beats(done.payload->get_data_length(), shape_.output_width).count();
    leaving_ = {clock_.edge(edge), clock_.edge(edge + transfer), done.head_in};
    bank_->depart(leaving_.tail);
    out.push(*done.payload);
    grant();
}

Departure BankStage::depart(StreamOutput&, Payload& payload, Duration sink_ready) {
    Departure const departure =
        leaving_.leave(clock_, payload.get_data_length(), Bytes{shape_.output_width}, sink_ready);
    tag_of(payload).stamp(shape_.station, departure.tail);
    recorder_.left(tag_of(payload), payload.get_data_length(), leaving_.head_in, departure.tail);
    return departure;
}

StageStats BankStage::stats() const {
    StageStats stats = recorder_.stats();
    stats.overlaps = true;
    stats.servers = bank_->engines();
    for (std::size_t engine = 0; engine < stats.servers; ++engine) stats.busy += clock_.span(bank_->busy(engine));
    stats.inside = inside_;
    if (!out.ready()) stats.waits_for = out.receiver();
    return stats;
}

}  // namespace netzip
