#include "base/text_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace netzip {
namespace {

constexpr std::size_t kLargest = std::size_t{64} << 20;
constexpr char const* kLfsPointer = "version https://git-lfs.github.com/spec/";

class Descriptor {
public:
    explicit Descriptor(std::string const& name) : number_(::open(name.c_str(), O_RDONLY | O_CLOEXEC)) {}
    Descriptor(Descriptor const&) = delete;
    Descriptor& operator=(Descriptor const&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    int number() const { return number_; }

private:
    int number_;
};

}  // namespace

std::string read_text_file(std::string const& name, ExitStatus status) {
    auto const fail = [&](std::string const& why) {
        std::string const line = (name.empty() ? "\"\"" : name) + ": " + why;
        if (status == ExitStatus::usage) throw UsageError(line);
        throw InputError(line);
    };
    if (name.empty()) fail("expected the name of a file");
    Descriptor const file(name);
    if (file.number() < 0) fail(std::string("cannot be opened: ") + std::strerror(errno));
    struct stat info {};
    if (::fstat(file.number(), &info) == 0 && S_ISDIR(info.st_mode)) fail("is a directory, expected a file");
    std::string text;
    std::array<char, 65536> buffer;
    for (;;) {
        ssize_t const count = ::read(file.number(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(std::string("cannot be read: ") + std::strerror(errno));
        if (count == 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(count));
        if (text.size() > kLargest) fail("is larger than 64 MiB, expected a small text file");
    }
    if (text.empty()) fail("is empty");
    if (text.starts_with(kLfsPointer)) fail("is a Git LFS pointer, not the content: run git lfs pull");
    return text;
}

}  // namespace netzip
