#pragma once

#include <systemc>
#include <tlm>
#include <type_traits>

#include "base/units.h"

namespace netzip {

/// The protocol of packets on their way: stage -> stage -> protocol engine -> link.
///
/// Contract:
/// 1. At most one BEGIN_REQ per socket without its END_REQ.
/// 2. BEGIN_REQ is sent for the time at which the packet's **first** byte is there (head). The tag carries
///    `tail_at`, when its **last** byte will be. One transaction per packet, never per beat.
/// 3. Every call returns TLM_ACCEPTED; an annotated delay is added, never ignored. A caller that knows its times
///    ahead calls at once and annotates them: a linear chain of stages then needs no event of the kernel at all.
/// 4. END_REQ means a slot for a whole packet is free again; it is the only back-pressure. Admission is by whole
///    packets, so a packet that has started never stalls midway. Nothing is ever dropped silently.
/// 5. Who keeps a payload acquires it, who hands it on for good releases it. Payloads come from a pool whose
///    `free()` calls `reset()`; `live() == 0` is checked at the end of every run.
/// 6. Only the current owner writes bytes and sizes.
///
/// Separate traits make a stream socket unbindable to a memory socket.
struct StreamProtocol {
    using tlm_payload_type = tlm::tlm_generic_payload;
    using tlm_phase_type = tlm::tlm_phase;
};

using Payload = tlm::tlm_generic_payload;

/// The kernel counts femtoseconds, like Duration. sc_time::from_value() is a call into a shared library, and a packet
/// needs some 50: the count is written into the one member that an sc_time has.
inline sc_core::sc_time to_sc_time(Duration d) {
    static_assert(std::is_standard_layout_v<sc_core::sc_time> && sizeof(sc_core::sc_time) == sizeof(sc_dt::uint64));
    sc_core::sc_time time;
    reinterpret_cast<sc_dt::uint64&>(time) = d.count();
    return time;
}
inline Duration to_duration(sc_core::sc_time const& t) {
    return Duration{t.value()};
}

/// Where the kernel keeps its time. sc_time_stamp() finds the same place by two calls into a shared library, and a
/// packet asks some 250 times.
inline sc_core::sc_time const* kernel_time = &sc_core::SC_ZERO_TIME;
inline Duration kernel_now() {
    return to_duration(*kernel_time);
}

/// The time of what happens: the kernel's, or ahead of it while a Calendar runs.
inline Duration time_ahead{0};
inline Duration now() {
    return kernel_now() + time_ahead;
}

/// A time as the annotation of a call, and back: relative to the kernel's time, as TLM-2.0 has it.
inline sc_core::sc_time annotate(Duration time) {
    return to_sc_time(time - kernel_now());
}
inline Duration annotated(sc_core::sc_time const& delay) {
    return kernel_now() + to_duration(delay);
}

/// Sets the kernel's resolution to 1 fs and finds its time; call once per simulation, before any module.
void set_time_resolution();

}  // namespace netzip
