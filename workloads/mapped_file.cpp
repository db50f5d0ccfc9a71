#include "workloads/mapped_file.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

namespace netzip {
namespace {

constexpr std::string_view kLfsPointer = "version https://git-lfs";

/// Closes a file descriptor at the end of its scope.
struct Descriptor {
    int fd;
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
};

[[noreturn]] void fail(std::string const& name, std::string const& what) {
    throw InputError(name + ": " + what);
}

void refuse_lfs_pointer(MappedFile const& file) {
    auto const bytes = file.bytes();
    if (bytes.size() >= kLfsPointer.size() && std::memcmp(bytes.data(), kLfsPointer.data(), kLfsPointer.size()) == 0) {
        fail(file.name(), "this is a Git LFS pointer, not the file itself (run \"git lfs pull\")");
    }
}

MappedFile* all_files = nullptr;
std::mutex all_files_change;  // the handler reads without it

void say(std::string_view text) {
    [[maybe_unused]] ssize_t const ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

MappedFile::MappedFile(std::string name, std::uint8_t const* data, std::size_t size)
    : name_(std::move(name)), data_(data), size_(size) {
    std::lock_guard<std::mutex> const lock(all_files_change);
    next_ = all_files;
    if (next_ != nullptr) next_->before_ = this;
    all_files = this;
}

MappedFile::~MappedFile() {
    std::lock_guard<std::mutex> const lock(all_files_change);
    (before_ == nullptr ? all_files : before_->next_) = next_;
    if (next_ != nullptr) next_->before_ = before_;
    ::munmap(const_cast<std::uint8_t*>(data_), size_);
}

std::shared_ptr<MappedFile const> MappedFile::open(std::filesystem::path const& path) {
    std::string const name = path.string();
    // Without O_NONBLOCK a named pipe would wait for a writer for ever.
    Descriptor const file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.fd < 0) fail(name, std::string("cannot be read: ") + std::strerror(errno));
    struct stat status {};
    if (::fstat(file.fd, &status) != 0) fail(name, std::string("cannot be read: ") + std::strerror(errno));
    if (S_ISDIR(status.st_mode)) fail(name, "expected a file, found a directory");
    if (!S_ISREG(status.st_mode)) fail(name, "expected a regular file, found a device, pipe or socket");
    if (status.st_size == 0) fail(name, "the file is empty");

    auto const size = static_cast<std::size_t>(status.st_size);
    void* const data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.fd, 0);
    if (data == MAP_FAILED) fail(name, std::string("cannot be mapped into memory: ") + std::strerror(errno));
    std::shared_ptr<MappedFile const> mapped(new MappedFile(name, static_cast<std::uint8_t const*>(data), size));
    refuse_lfs_pointer(*mapped);
    return mapped;
}

std::shared_ptr<MappedFile const> MappedFile::of_bytes(std::string name, std::span<std::uint8_t const> bytes) {
    if (bytes.empty()) fail(name, "the file is empty");
    void* const data = ::mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) fail(name, std::string("does not fit into memory: ") + std::strerror(errno));
    std::memcpy(data, bytes.data(), bytes.size());
    std::shared_ptr<MappedFile const> mapped(
        new MappedFile(std::move(name), static_cast<std::uint8_t const*>(data), bytes.size()));
    refuse_lfs_pointer(*mapped);
    return mapped;
}

void MappedFile::release(std::size_t offset, std::size_t size) const {
    static std::size_t const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::size_t const begin = offset / page * page;
    std::size_t const end = std::min(size_, offset + size);
    if (end > begin) ::madvise(const_cast<std::uint8_t*>(data_) + begin, end - begin, MADV_DONTNEED);
}

/// Runs as a signal handler: nothing here may allocate or lock.
void MappedFile::on_bus_error(int signal, siginfo_t* info, void*) {
    auto const* const address = static_cast<std::uint8_t const*>(info->si_addr);
    for (MappedFile const* file = all_files; file != nullptr; file = file->next_) {
        if (address < file->data_ || address >= file->data_ + file->size_) continue;
        say("netzipsim: ");
        say(file->name_);
        say(": another program shortened the file while it was read\n");
        ::_exit(static_cast<int>(ExitStatus::input_file));
    }
    ::signal(signal, SIG_DFL);  // not ours: the read is tried again, and ends the process
}

void report_shortened_files() {
    struct sigaction action {};
    action.sa_sigaction = MappedFile::on_bus_error;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace netzip
