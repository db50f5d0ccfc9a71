#include "nic/reliability.h"

#include "base/error.h"

namespace netzip {

void SendWindow::sent(Payload& payload, Duration time) {
    if (kept_.empty()) progress_ = time;
    kept_.push_back(&payload);
    bool const nothing_to_resend = resend_ == next_;
    ++next_;
    if (nothing_to_resend) resend_ = next_;
}

Payload& SendWindow::take_resend(Duration time) {
    if (!has_resend()) throw RunError("a resend was asked for and there is none");
    if (resend_ == oldest_) progress_ = time;
    return *kept_[resend_++ - oldest_];
}

ReceiveOrder::Verdict ReceiveOrder::judge(std::uint64_t sequence) {
    if (sequence == expected_) {
        ++expected_;
        gap_reported_ = false;
        return Verdict::accept;
    }
    return sequence < expected_ ? Verdict::duplicate : Verdict::gap;
}

}  // namespace netzip
