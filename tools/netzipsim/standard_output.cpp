#include "tools/netzipsim/standard_output.h"

#include <cerrno>
#include <cstring>
#include <iostream>
#include <unistd.h>

#include "base/error.h"

namespace netzip {

StandardOutput::StandardOutput() : original_(std::cout.rdbuf(this)), buffer_(std::size_t{1} << 16, '\0') {
    setp(buffer_.data(), buffer_.data() + buffer_.size());
}

StandardOutput::~StandardOutput() {
    sync();
    std::cout.rdbuf(original_);
}

void StandardOutput::finish() {
    sync();
    if (error_ != 0 && error_ != EPIPE) {
        throw RunError(std::string("standard output: cannot be written: ") + std::strerror(error_));
    }
}

StandardOutput::int_type StandardOutput::overflow(int_type c) {
    sync();
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    *pptr() = traits_type::to_char_type(c);
    pbump(1);
    return c;
}

int StandardOutput::sync() {
    char const* from = pbase();
    while (from != pptr() && error_ == 0) {
        ssize_t const count = ::write(STDOUT_FILENO, from, static_cast<std::size_t>(pptr() - from));
        if (count >= 0) {
            from += count;
        } else if (errno != EINTR) {
            error_ = errno;
        }
    }
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return error_ == 0 ? 0 : -1;
}

}  // namespace netzip
