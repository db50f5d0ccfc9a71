#include "pipeline/stage_chain.h"

#include <algorithm>

namespace netzip {

StageChain::StageChain(sc_core::sc_module_name name) : sc_module(name), in("in", *this), out("out", *this) {}

void StageChain::append(std::unique_ptr<Stage> stage) {
    Place place;
    place.follows = !places_.empty() && places_.back().stage->clock() == stage->clock();
    place.stage = std::move(stage);
    places_.push_back(std::move(place));
}

void StageChain::arrived(StreamInput&, Payload& payload, Duration head) {
    enter(0, payload, head, nullptr);
}

void StageChain::enter(std::size_t place, Payload& payload, Duration head, StageEdges const* before) {
    Place& here = places_[place];
    here.stage->enter(payload, head, here.follows ? before : nullptr);
    here.owes = true;
    if (place + 1 == places_.size()) {
        out.push(payload);
    } else {
        forward(place);
    }
    grant(place);
}

/// Packets go on while the next stage has a slot. That may become known while one is on its way: the loop goes on, it
/// does not nest.
void StageChain::forward(std::size_t place) {
    Place& here = places_[place];
    if (here.sending) return;
    here.sending = true;
    while (!here.stage->empty() && !places_[place + 1].owes) {
        Payload& payload = here.stage->oldest();
        Stage::Exit const exit = here.stage->leave(here.next_free);
        here.next_free = exit.departure.tail;
        grant(place);
        enter(place + 1, payload, exit.departure.head, &exit.edges);
    }
    here.sending = false;
}

Departure StageChain::depart(StreamOutput&, Payload&, Duration sink_ready) {
    Departure const departure = places_.back().stage->leave(sink_ready).departure;
    grant(places_.size() - 1);
    return departure;
}

/// Tells the stage before when a slot is free, as soon as that is known.
void StageChain::grant(std::size_t place) {
    Place& here = places_[place];
    if (!here.owes || !here.stage->slot_known()) return;
    here.owes = false;
    Duration const slot = here.stage->take_slot();
    if (place == 0) return in.release(slot);
    Place& before = places_[place - 1];
    before.next_free = std::max(before.next_free, slot);
    forward(place - 1);
}

std::string StageChain::path_of(std::size_t place) const {
    std::string const path = name();
    return path.substr(0, path.rfind('.') + 1) + places_[place].stage->name();
}

void StageChain::watch(Trace& trace, std::string const& track) {
    std::string const beside = track.substr(0, track.rfind('.') + 1);
    for (Place const& place : places_) place.stage->watch(trace, beside + place.stage->name());
}

std::vector<StageStats> StageChain::stats() const {
    std::vector<StageStats> all;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        StageStats stats = places_[i].stage->stats();
        bool const last = i + 1 == places_.size();
        if (last && !out.ready()) stats.waits_for = out.receiver();
        if (!last && places_[i + 1].owes) stats.waits_for = path_of(i + 1);
        all.push_back(std::move(stats));
    }
    return all;
}

}  // namespace netzip
