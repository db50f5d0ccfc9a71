#include "workloads/readers/zip_archive.h"

#include <algorithm>
#include <mutex>
#include <zip.h>

#include "base/error.h"
#include "workloads/readers/excerpt.h"

namespace netzip {
namespace {

/// Deflate codes at most 258 bytes in two bits; a member that claims more lies.
constexpr std::uint64_t kLargestExpansion = 1032;

}  // namespace

struct ZipArchive::Handle {
    zip_t* zip = nullptr;
    std::mutex mutex;  ///< libzip's handles share the archive's state
    Handle() = default;
    Handle(Handle const&) = delete;
    Handle& operator=(Handle const&) = delete;
    ~Handle() {
        if (zip != nullptr) zip_discard(zip);
    }
};

/// A member, opened at the first load and read on from where the last load ended.
class ZipMemberData : public TensorData {
public:
    ZipMemberData(std::shared_ptr<ZipArchive const> archive, std::size_t member, std::uint64_t base)
        : archive_(std::move(archive)), member_(member), base_(base) {}
    ZipMemberData(ZipMemberData const&) = delete;
    ZipMemberData& operator=(ZipMemberData const&) = delete;
    ~ZipMemberData() override {
        std::lock_guard const lock(archive_->handle_->mutex);
        close();
    }

    TensorBytes load(std::uint64_t offset, std::uint64_t size) const override {
        auto bytes = std::make_shared<std::vector<std::uint8_t>>(size);
        std::lock_guard const lock(archive_->handle_->mutex);
        go_to(base_ + offset);
        read(bytes->data(), size);
        if (!info().stored && at_ == info().size) {
            // The end has to be seen for the CRC to be compared.
            std::uint8_t beyond = 0;
            if (zip_fread(file_, &beyond, 1) != 0) fail("damaged: the CRC does not match");
        }
        archive_->file_->release(0, archive_->file_->bytes().size());
        return {*bytes, bytes};
    }

private:
    ZipArchive::Member const& info() const { return archive_->members()[member_]; }
    [[noreturn]] void fail(std::string const& what) const {
        throw InputError(archive_->file_->name() + ": member \"" + excerpt(info().name) + "\": " + what);
    }
    void close() const {
        if (file_ != nullptr) zip_fclose(file_);
        file_ = nullptr;
    }
    void open() const {
        close();
        file_ = zip_fopen_index(archive_->handle_->zip, member_, 0);
        at_ = 0;
        if (file_ == nullptr) fail(std::string("cannot be read (") + zip_strerror(archive_->handle_->zip) + ")");
    }
    void go_to(std::uint64_t position) const {
        if (file_ == nullptr || (position < at_ && !info().stored)) open();
        if (position == at_) return;
        if (info().stored) {
            if (zip_fseek(file_, static_cast<zip_int64_t>(position), SEEK_SET) != 0) fail("cannot be read (seek)");
            at_ = position;
            return;
        }
        std::vector<std::uint8_t> skipped(std::size_t{1} << 16);
        while (at_ < position) read(skipped.data(), std::min<std::uint64_t>(skipped.size(), position - at_));
    }
    void read(std::uint8_t* to, std::uint64_t size) const {
        for (std::uint64_t done = 0; done < size;) {
            zip_int64_t const n = zip_fread(file_, to + done, size - done);
            if (n <= 0) fail(std::string("damaged (") + (n == 0 ? "ends early" : zip_file_strerror(file_)) + ")");
            done += static_cast<std::uint64_t>(n);
        }
        at_ += size;
    }

    std::shared_ptr<ZipArchive const> archive_;
    std::size_t member_;
    std::uint64_t base_;
    mutable zip_file_t* file_ = nullptr;
    mutable std::uint64_t at_ = 0;
};

ZipArchive::ZipArchive(std::shared_ptr<MappedFile const> file)
    : file_(std::move(file)), handle_(std::make_unique<Handle>()) {
    auto const fail = [&](std::string const& what) { throw InputError(file_->name() + ": " + what); };
    zip_error_t error;
    zip_error_init(&error);
    auto const bytes = file_->bytes();
    zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    if (source != nullptr) handle_->zip = zip_open_from_source(source, ZIP_RDONLY, &error);
    if (handle_->zip == nullptr) {
        std::string const reason = zip_error_strerror(&error);
        zip_error_fini(&error);
        if (source != nullptr) zip_source_free(source);
        fail("not a readable ZIP archive (" + excerpt(reason) + ")");
    }
    zip_int64_t const entries = zip_get_num_entries(handle_->zip, 0);
    for (zip_int64_t i = 0; i < entries; ++i) {
        zip_stat_t stat;
        zip_uint64_t constexpr kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
        if (zip_stat_index(handle_->zip, static_cast<zip_uint64_t>(i), 0, &stat) != 0 ||
            (stat.valid & kNeeded) != kNeeded) {
            fail("member " + std::to_string(i) + " of the archive cannot be read");
        }
        bool const stored = stat.comp_method == ZIP_CM_STORE;
        if (stored ? stat.size != stat.comp_size : stat.size / kLargestExpansion > stat.comp_size) {
            fail("member \"" + excerpt(stat.name) + "\" claims " + std::to_string(stat.size) + " B, its data of " +
                 std::to_string(stat.comp_size) + " B cannot hold them");
        }
        if (stat.comp_size > bytes.size()) {
            fail("member \"" + excerpt(stat.name) + "\" claims " + std::to_string(stat.comp_size) + " B in a file of " +
                 std::to_string(bytes.size()) + " B");
        }
        members_.push_back({stat.name, stat.size, stored});
    }
}

ZipArchive::~ZipArchive() = default;

std::shared_ptr<ZipArchive const> ZipArchive::open(std::shared_ptr<MappedFile const> file) {
    return std::shared_ptr<ZipArchive const>(new ZipArchive(std::move(file)));
}

std::int64_t ZipArchive::find(std::string const& name) const {
    auto const at = std::find_if(members_.begin(), members_.end(), [&](Member const& m) { return m.name == name; });
    return at == members_.end() ? -1 : at - members_.begin();
}

std::shared_ptr<TensorData const> ZipArchive::data(std::size_t member, std::uint64_t base) const {
    return std::make_shared<ZipMemberData const>(shared_from_this(), member, base);
}

std::vector<std::uint8_t> ZipArchive::head(std::size_t member, std::uint64_t size) const {
    TensorBytes const loaded = data(member, 0)->load(0, std::min(size, members_[member].size));
    return {loaded.bytes.begin(), loaded.bytes.end()};
}

}  // namespace netzip
