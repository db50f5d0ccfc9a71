#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace netzip {

/// A file mapped read-only. Pages come in when they are read and can be given back, so that replay takes no more
/// memory than what is in flight. Reading what another program has cut off raises SIGBUS: `report_shortened_files`.
class MappedFile {
public:
    /// Throws InputError for what is missing, unreadable, not a regular file, empty or a Git LFS pointer.
    static std::shared_ptr<MappedFile const> open(std::filesystem::path const& path);
    /// The same for bytes that are in memory already.
    static std::shared_ptr<MappedFile const> of_bytes(std::string name, std::span<std::uint8_t const> bytes);
    ~MappedFile();
    MappedFile(MappedFile const&) = delete;
    MappedFile& operator=(MappedFile const&) = delete;

    std::string const& name() const { return name_; }
    std::span<std::uint8_t const> bytes() const { return {data_, size_}; }

    /// Gives the pages that hold this range back to the kernel; they come in again when read again.
    void release(std::size_t offset, std::size_t size) const;

private:
    friend void report_shortened_files();
    static void on_bus_error(int signal, siginfo_t* info, void* context);
    MappedFile(std::string name, std::uint8_t const* data, std::size_t size);

    std::string name_;
    std::uint8_t const* data_;
    std::size_t size_;
    MappedFile* next_ = nullptr;  ///< list of all, for the signal handler
    MappedFile* before_ = nullptr;
};

/// Makes a mapped file that another program shortens end this process with one line on standard error and the status
/// of an input error, not with a signal.
void report_shortened_files();

}  // namespace netzip
