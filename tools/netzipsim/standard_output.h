#pragma once

#include <streambuf>
#include <string>

namespace netzip {

/// Takes the place of std::cout's buffer for its lifetime and remembers the first failure to write:
/// an answer that did not reach its reader is no success.
class StandardOutput : public std::streambuf {
public:
    StandardOutput();
    StandardOutput(StandardOutput const&) = delete;
    StandardOutput& operator=(StandardOutput const&) = delete;
    ~StandardOutput() override;

    /// Throws RunError when anything was not written, unless the reader closed the pipe (`netzipsim ... | head`).
    void finish();

protected:
    int_type overflow(int_type c) override;
    int sync() override;

private:
    std::streambuf* original_;
    std::string buffer_;
    int error_ = 0;  ///< errno of the first failure
};

}  // namespace netzip
