#include "pipeline/calendar.h"

#include "pipeline/stream_protocol.h"

namespace netzip {

std::shared_ptr<Calendar> Calendar::of_simulation() {
    static std::weak_ptr<Calendar> current;
    std::shared_ptr<Calendar> calendar = current.lock();
    if (calendar == nullptr) current = calendar = std::make_shared<Calendar>("calendar");
    return calendar;
}

Calendar::Calendar(sc_core::sc_module_name name) : sc_module(name) {
    SC_HAS_PROCESS(Calendar);
    SC_METHOD(run);
    sensitive << event_;
    dont_initialize();
}

std::size_t Calendar::add(Wakeup& wakeup) {
    entries_.push_back({kNever, 0, &wakeup});
    return entries_.size() - 1;
}

void Calendar::remove(std::size_t place) {
    entries_[place] = Entry{};
}

void Calendar::ask(std::size_t place, Duration time) {
    Entry& entry = entries_[place];
    Duration const at = std::max(time, now());
    std::uint64_t const round = at == now() ? round_ + 1 : 0;
    if (entry.time < at.count() || (entry.time == at.count() && entry.round <= round)) return;
    entry.time = at.count();
    entry.round = round;
    if (!running_) arm();
}

std::size_t Calendar::first() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < entries_.size(); ++i) {
        Entry const& entry = entries_[i];
        bool const tie = entry.time == entries_[best].time && entry.round < entries_[best].round;
        if (entry.time < entries_[best].time || tie) best = i;
    }
    return best;
}

/// Tells the kernel of the first wake-up; an event keeps the earliest time it was told.
void Calendar::arm() {
    Duration const time{entries_[first()].time};
    if (time.count() != kNever) event_.notify(to_sc_time(time - kernel_now()));
}

void Calendar::run() {
    running_ = true;
    try {
        run_ahead();
    } catch (...) {
        running_ = false;
        time_ahead = Duration::zero();
        throw;
    }
    running_ = false;
    time_ahead = Duration::zero();
    arm();
}

void Calendar::run_ahead() {
    Duration const quantum = to_duration(tlm::tlm_global_quantum::instance().get());
    Duration const end = kernel_now() + quantum;
    round_ = entries_[first()].round;
    while (true) {
        Entry& next = entries_[first()];
        if (next.time > end.count()) return;  // also when there is none
        // Without a quantum other processes may be due between the rounds.
        if (quantum == Duration::zero() && next.round != round_) return;
        round_ = next.round;
        time_ahead = Duration{next.time} - kernel_now();
        next.time = kNever;
        next.wakeup->action_();
    }
}

Wakeup::Wakeup(std::function<void()> action)
    : calendar_(Calendar::of_simulation()), action_(std::move(action)), place_(calendar_->add(*this)) {}

Wakeup::~Wakeup() {
    calendar_->remove(place_);
}

}  // namespace netzip
