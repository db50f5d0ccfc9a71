#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace netzip {

class Database;

/// The disk or the database failed, not what was to be stored: nothing more can be stored.
class StorageError : public RunError {
public:
    using RunError::RunError;
};

/// One prepared statement; `bind` in order, then `step` until it returns false.
class Statement {
public:
    Statement(Database& database, std::string_view sql);
    ~Statement();
    Statement(Statement const&) = delete;
    Statement& operator=(Statement const&) = delete;

    Statement& bind(std::string_view text);
    Statement& bind(std::uint64_t number);
    Statement& bind(std::int64_t number);
    Statement& bind(double number);
    Statement& bind_null();
    /// True when there is a row to read.
    bool step();
    /// Runs a statement without rows and makes it ready for the next binding.
    void run();
    /// Makes it ready for the next binding after `step`.
    void reset();

    std::string text(int column) const;
    std::uint64_t number(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;
    bool is_null(int column) const;
    bool is_real(int column) const;
    bool is_text(int column) const;

private:
    Database& database_;
    sqlite3_stmt* statement_ = nullptr;
    int bound_ = 0;
};

/// An SQLite file. A damaged or foreign file, a full disk and a file in use each throw an error that says so.
class Database {
public:
    enum class Access { read, write };

    /// `write` creates the file when absent and keeps it locked against other writers.
    Database(std::filesystem::path const& path, Access access);
    ~Database();
    Database(Database const&) = delete;
    Database& operator=(Database const&) = delete;

    void run(std::string_view sql);
    std::filesystem::path const& path() const { return path_; }

    /// Throws what `code` of SQLite means for the user: InputError for a damaged file, StorageError for a full disk.
    [[noreturn]] void fail(int code) const;

private:
    friend class Statement;
    std::filesystem::path path_;
    sqlite3* handle_ = nullptr;
};

/// Commits when `commit` is called, otherwise undoes everything.
class Transaction {
public:
    explicit Transaction(Database& database) : database_(database) { database_.run("BEGIN IMMEDIATE"); }
    ~Transaction();
    Transaction(Transaction const&) = delete;
    Transaction& operator=(Transaction const&) = delete;

    void commit();

private:
    Database& database_;
    bool open_ = true;
};

}  // namespace netzip
