#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workloads/tensor.h"

namespace netzip {

/// A ZIP file, stored or deflated, ZIP64 or not, read through libzip. Safe to use from several threads.
class ZipArchive : public std::enable_shared_from_this<ZipArchive> {
public:
    struct Member {
        std::string name;
        std::uint64_t size = 0;  ///< bytes, unpacked
        bool stored = false;
    };

    /// Throws InputError.
    static std::shared_ptr<ZipArchive const> open(std::shared_ptr<MappedFile const> file);
    ~ZipArchive();

    std::vector<Member> const& members() const { return members_; }
    /// Index of a member, or -1.
    std::int64_t find(std::string const& name) const;

    /// Bytes of a member from `base` on, as a tensor's data. Pieces of a deflated member are best loaded in order:
    /// going back means unpacking from the start. The last piece of one checks the CRC.
    std::shared_ptr<TensorData const> data(std::size_t member, std::uint64_t base) const;

    /// At most `size` bytes from the start of a member.
    std::vector<std::uint8_t> head(std::size_t member, std::uint64_t size) const;

private:
    friend class ZipMemberData;
    struct Handle;
    explicit ZipArchive(std::shared_ptr<MappedFile const> file);

    std::shared_ptr<MappedFile const> file_;
    std::unique_ptr<Handle> handle_;
    std::vector<Member> members_;
};

}  // namespace netzip
