#pragma once

#include <string>
#include <string_view>

namespace netzip {

/// A file that is there whole or not at all.
///
/// Bytes go to NAME.partial, which `commit` flushes to the disk and renames to NAME; without `commit` it is removed.
/// What is no regular file (a pipe, anything below /dev) is written directly.
/// Every failure throws RunError naming the file and the reason ("No space left on device").
class OutputFile {
public:
    explicit OutputFile(std::string name);
    OutputFile(OutputFile const&) = delete;
    OutputFile& operator=(OutputFile const&) = delete;
    ~OutputFile();

    void write(std::string_view bytes);
    /// Overwrites bytes that were written before; for headers whose sizes are known at the end.
    void write_at(std::size_t offset, std::string_view bytes);
    /// All bytes written so far; none when they went to what is no regular file.
    std::string content();
    void commit();

    std::string const& name() const { return name_; }
    /// Bytes written so far.
    std::size_t size() const { return size_; }

private:
    void flush();
    void write_out(std::string_view bytes);
    [[noreturn]] void fail(char const* what) const;

    std::string name_;
    std::string partial_;  ///< empty when written directly
    std::string buffer_;
    std::size_t size_ = 0;
    int descriptor_ = -1;
};

/// Throws UsageError when a file of this name could not be created: before a long run, not after it.
void require_writable(std::string const& name);

/// The whole content at once.
void write_file(std::string const& name, std::string_view content);

}  // namespace netzip
