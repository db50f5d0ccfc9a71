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

void Calendar::ask(Wakeup& wakeup, Duration time) {
    Duration const at = std::max(time, now());
    Due const due{at, at == now() ? round_ + 1 : 0, wakeup.number_, &wakeup};
    if (wakeup.asked_) {
        if (!due.before({wakeup.time_, wakeup.round_, wakeup.number_, &wakeup})) return;
        forget(wakeup);
    }
    wakeup.asked_ = true;
    wakeup.time_ = due.time;
    wakeup.round_ = due.round;
    insert(due);
    if (!running_) arm();
}

void Calendar::insert(Due const& due) {
    due_.push_back(due);
    std::size_t place = due_.size() - 1;
    for (; place > 0 && due_[place - 1].before(due); --place) due_[place] = due_[place - 1];
    due_[place] = due;
}

void Calendar::forget(Wakeup& wakeup) {
    std::erase_if(due_, [&](Due const& due) { return due.wakeup == &wakeup; });
}

/// Tells the kernel of the first wake-up; an event keeps the earliest time it was told.
void Calendar::arm() {
    if (!due_.empty()) event_.notify(annotate(due_.back().time));
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
    if (!due_.empty()) round_ = due_.back().round;
    while (!due_.empty() && due_.back().time <= end) {
        Due const due = due_.back();
        // Without a quantum other processes may be due between the rounds.
        if (quantum == Duration::zero() && due.round != round_) return;
        due_.pop_back();
        round_ = due.round;
        time_ahead = due.time - kernel_now();
        due.wakeup->asked_ = false;
        due.wakeup->action_();
    }
}

Wakeup::Wakeup(std::function<void()> action)
    : calendar_(Calendar::of_simulation()), action_(std::move(action)), number_(calendar_->wakeups_++) {}

Wakeup::~Wakeup() {
    calendar_->forget(*this);
}

}  // namespace netzip
