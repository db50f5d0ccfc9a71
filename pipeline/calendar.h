#pragma once

#include <functional>
#include <memory>
#include <systemc>

#include "base/units.h"

namespace netzip {

class Wakeup;

/// The wake-ups of all modules of one simulation, in order of time, behind one process of the kernel.
///
/// An event of the kernel costs ten times what a module does when it wakes. So the kernel calls the calendar once, and
/// the calendar goes on alone for as long as the TLM-2.0 global quantum allows: temporal decoupling, with now() ahead
/// of the kernel's time. All that happens goes through the one calendar, in order, so that no result depends on the
/// quantum. A simulation with processes of its own beside the modules needs the quantum that SystemC starts with, zero.
///
/// Wake-ups of one instant run in the order in which they were made, and one that is asked for at its own instant in a
/// later round, when all that was due before has run.
class Calendar : public sc_core::sc_module {
public:
    /// The calendar of the modules that exist; made for the first one, gone with the last.
    static std::shared_ptr<Calendar> of_simulation();

    explicit Calendar(sc_core::sc_module_name name);

private:
    friend class Wakeup;

    void ask(Wakeup& wakeup, Duration time);
    void insert(Wakeup& wakeup);
    void remove(Wakeup& wakeup);
    void run();
    void run_ahead();
    void arm();

    Wakeup* first_ = nullptr;  ///< a list in order of time; about ten, so that walking it is faster than a heap
    std::uint64_t wakeups_ = 0;
    std::uint64_t round_ = 0;  ///< of what runs now
    bool running_ = false;
    sc_core::sc_event event_;
};

/// Calls a function of a module at the times it asks for.
class Wakeup {
public:
    explicit Wakeup(std::function<void()> action);
    Wakeup(Wakeup const&) = delete;
    Wakeup& operator=(Wakeup const&) = delete;
    ~Wakeup();

    /// Asks for a call at `time`, or now when that is over. Of several requests the earliest stands; a call ends it.
    void at(Duration time) { calendar_->ask(*this, time); }
    /// Asks for a call when everything that is due now has run.
    void again() { calendar_->ask(*this, Duration::zero()); }

private:
    friend class Calendar;
    /// Whether this one is due before `other`.
    bool before(Wakeup const& other) const {
        if (time_ != other.time_) return time_ < other.time_;
        return round_ != other.round_ ? round_ < other.round_ : number_ < other.number_;
    }

    std::shared_ptr<Calendar> calendar_;
    std::function<void()> action_;
    std::uint64_t number_;  ///< in the order of their making
    Duration time_;         ///< when it is due, and in which round
    std::uint64_t round_ = 0;
    Wakeup* next_ = nullptr;   ///< in the calendar's list
    Wakeup** link_ = nullptr;  ///< what points here; null when it is not in the list
};

}  // namespace netzip
