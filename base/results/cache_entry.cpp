#include "base/results/cache_entry.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "base/results/output_file.h"

namespace netzip {

CacheEntry::CacheEntry(std::string const& directory, std::string const& name) : file_(directory + "/" + name) {
    std::error_code problem;
    std::filesystem::create_directories(directory, problem);
    if (problem) throw RunError(directory + ": cannot be created: " + problem.message());
    std::string const lock = file_ + ".lock";
    constexpr mode_t kWritableByAll = 0666;  // less the umask
    lock_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kWritableByAll);
    while (lock_ >= 0 && ::flock(lock_, LOCK_EX) != 0 && errno == EINTR) {
    }
}

void CacheEntry::store(std::string_view content) const {
    try {
        write_file(file_, content);
    } catch (RunError const& error) {
        log_warning(error.what());
    }
}

CacheEntry::~CacheEntry() {
    if (lock_ >= 0) ::close(lock_);  // and with it the lock
}

}  // namespace netzip
