#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace netzip {

/// A file mapped read-only. Pages come in when they are read and can be given back, so that replay takes no more
/// memory than what is in flight.
///
/// Does not model: a file that another program shortens while it is mapped (the kernel then kills the reader).
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
    MappedFile(std::string name, std::uint8_t const* data, std::size_t size);

    std::string name_;
    std::uint8_t const* data_;
    std::size_t size_;
};

}  // namespace netzip
