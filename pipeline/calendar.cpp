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
    Duration const present = now();
    Duration const at = std::max(time, present);
    std::uint64_t const round = at == present ? round_ + 1 : 0;
    if (wakeup.link_ != nullptr) {
        bool const earlier = at != wakeup.time_ ? at < wakeup.time_ : round < wakeup.round_;
        if (!earlier) return;
        remove(wakeup);
    }
    wakeup.time_ = at;
    wakeup.round_ = round;
    insert(wakeup);
    if (!running_) arm();
}

void Calendar::insert(Wakeup& wakeup) {
    Wakeup** link = &first_;
    while (*link != nullptr && (*link)->before(wakeup)) link = &(*link)->next_;
    wakeup.link_ = link;
    wakeup.next_ = *link;
    if (*link != nullptr) (*link)->link_ = &wakeup.next_;
    *link = &wakeup;
}

void Calendar::remove(Wakeup& wakeup) {
    *wakeup.link_ = wakeup.next_;
    if (wakeup.next_ != nullptr) wakeup.next_->link_ = wakeup.link_;
    wakeup.link_ = nullptr;
}

/// Tells the kernel of the first wake-up; an event keeps the earliest time it was told.
void Calendar::arm() {
    if (first_ != nullptr) event_.notify(annotate(first_->time_));
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
    if (first_ != nullptr) round_ = first_->round_;
    while (first_ != nullptr && first_->time_ <= end) {
        Wakeup& due = *first_;
        // Without a quantum other processes may be due between the rounds.
        if (quantum == Duration::zero() && due.round_ != round_) return;
        remove(due);
        round_ = due.round_;
        time_ahead = due.time_ - kernel_now();
        due.action_();
    }
}

Wakeup::Wakeup(std::function<void()> action)
    : calendar_(Calendar::of_simulation()), action_(std::move(action)), number_(calendar_->wakeups_++) {}

Wakeup::~Wakeup() {
    if (link_ != nullptr) calendar_->remove(*this);
}

}  // namespace netzip
