#include "base/results/output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

namespace netzip {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16;

bool is_special(std::string const& name) {
    // /dev/stdout may lead to a regular file; renaming onto it would replace the link, for everybody when root does it.
    if (name.starts_with("/dev/") || name.starts_with("/proc/")) return true;
    struct stat info {};
    return ::stat(name.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

/// Makes the new name itself durable; a file system that cannot do so is not an error.
void sync_directory(std::string const& name) {
    std::string const parent = std::filesystem::path(name).parent_path().string();
    int const directory = ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return;
    ::fsync(directory);
    ::close(directory);
}

}  // namespace

OutputFile::OutputFile(std::string name) : name_(std::move(name)) {
    bool const direct = is_special(name_);
    // A link stays a link: what it leads to is replaced.
    if (!direct && std::filesystem::is_symlink(name_)) name_ = std::filesystem::weakly_canonical(name_).string();
    if (!direct) partial_ = name_ + ".partial";
    constexpr mode_t kReadableByAll = 0666;  // less the umask
    descriptor_ = ::open(direct ? name_.c_str() : partial_.c_str(),
                         O_CLOEXEC | (direct ? O_WRONLY | O_APPEND : O_RDWR | O_CREAT | O_TRUNC), kReadableByAll);
    if (descriptor_ < 0) fail("cannot be created");
    struct stat info {};
    if (!direct && ::stat(name_.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        ::unlink(partial_.c_str());
        fail("cannot be created");
    }
}

OutputFile::~OutputFile() {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    if (!partial_.empty()) ::unlink(partial_.c_str());
}

void OutputFile::write(std::string_view bytes) {
    size_ += bytes.size();
    if (buffer_.size() + bytes.size() > kBuffer) flush();
    if (bytes.size() >= kBuffer) {
        write_out(bytes);
    } else {
        buffer_ += bytes;
    }
}

void OutputFile::write_at(std::size_t offset, std::string_view bytes) {
    flush();
    while (!bytes.empty()) {
        ssize_t const count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("cannot be written");
        offset += static_cast<std::size_t>(count);
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

std::string OutputFile::content() {
    flush();
    std::string text;
    if (partial_.empty()) return text;
    text.resize(size_);
    for (std::size_t at = 0; at < text.size();) {
        ssize_t const count = ::pread(descriptor_, text.data() + at, text.size() - at, static_cast<off_t>(at));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) fail("cannot be read back");
        at += static_cast<std::size_t>(count);
    }
    return text;
}

void OutputFile::flush() {
    write_out(buffer_);
    buffer_.clear();
}

void OutputFile::write_out(std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t const count = ::write(descriptor_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("cannot be written");
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

void OutputFile::commit() {
    flush();
    // EINVAL and ENOTSUP: a pipe or a file system without fsync.
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) fail("cannot be written");
    int const closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) {
        if (!partial_.empty()) ::unlink(partial_.c_str());
        fail("cannot be written");
    }
    if (partial_.empty()) return;
    if (std::rename(partial_.c_str(), name_.c_str()) != 0) {
        int const reason = errno;
        ::unlink(partial_.c_str());
        errno = reason;
        fail("cannot be renamed to its final name");
    }
    sync_directory(name_);
}

void OutputFile::fail(char const* what) const {
    throw RunError(name_ + ": " + what + ": " + std::strerror(errno));
}

void require_writable(std::string const& name) {
    try {
        OutputFile probe(name);
    } catch (RunError const& error) {
        throw UsageError(error.what());
    }
}

void write_file(std::string const& name, std::string_view content) {
    OutputFile file(name);
    file.write(content);
    file.commit();
}

}  // namespace netzip
