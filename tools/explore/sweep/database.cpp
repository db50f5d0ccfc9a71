#include "tools/explore/sweep/database.h"

#include <sqlite3.h>

#include "base/error.h"

namespace netzip {
namespace {

/// How long a reader or writer waits for another process, in milliseconds, before it says the file is in use.
constexpr int kPatience = 500;

}  // namespace

Database::Database(std::filesystem::path const& path, Access access) : path_(path) {
    int const flags = access == Access::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (access == Access::read && !std::filesystem::is_regular_file(path)) {
        throw InputError(path.string() + ": expected a sweep database, found no such file");
    }
    try {
        int const code = sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr);
        if (code != SQLITE_OK) fail(code);
        sqlite3_extended_result_codes(handle_, 1);
        sqlite3_busy_timeout(handle_, kPatience);
        if (access == Access::write) {
            // A rollback journal, because write-ahead logs need shared memory, which network file systems lack.
            run("PRAGMA locking_mode = EXCLUSIVE");
            run("PRAGMA journal_mode = DELETE");
            run("PRAGMA synchronous = FULL");
        }
        Statement check(*this, "PRAGMA quick_check(1)");
        if (!check.step() || check.text(0) != "ok") fail(SQLITE_CORRUPT);
    } catch (...) {
        sqlite3_close(handle_);
        throw;
    }
}

Database::~Database() {
    sqlite3_close(handle_);
}

void Database::run(std::string_view sql) {
    Statement statement(*this, sql);
    while (statement.step()) {
    }
}

void Database::fail(int code) const {
    std::string const where = path_.string() + ": ";
    std::string const detail = handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
    switch (code & 0xff) {
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            throw InputError(where + "expected a sweep database, found a damaged or foreign file (" + detail +
                             "); remove it and run the sweep again");
        case SQLITE_FULL:
        case SQLITE_IOERR:
            throw StorageError(where + "cannot write: the disk is full or fails (" + detail +
                               "); finished points are kept, continue with --resume");
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            throw UsageError(where + "in use by another sweep; wait for it or choose another directory");
        case SQLITE_CANTOPEN:
        case SQLITE_READONLY:
        case SQLITE_PERM:
            throw UsageError(where + "cannot be opened for writing (" + detail + ")");
        default:
            throw StorageError(where + detail);
    }
}

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
    int const code =
        sqlite3_prepare_v2(database.handle_, sql.data(), static_cast<int>(sql.size()), &statement_, nullptr);
    if (code != SQLITE_OK) database.fail(code);
}

Statement::~Statement() {
    sqlite3_finalize(statement_);
}

Statement& Statement::bind(std::string_view text) {
    // -1 is SQLITE_TRANSIENT: SQLite copies the text.
    auto const copy = reinterpret_cast<sqlite3_destructor_type>(-1);
    sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()), copy);
    return *this;
}

Statement& Statement::bind(std::uint64_t number) {
    if (number > static_cast<std::uint64_t>(INT64_MAX)) {
        throw RunError(database_.path().string() + ": " + std::to_string(number) + " does not fit a database integer");
    }
    sqlite3_bind_int64(statement_, ++bound_, static_cast<sqlite3_int64>(number));
    return *this;
}

Statement& Statement::bind(std::int64_t number) {
    sqlite3_bind_int64(statement_, ++bound_, number);
    return *this;
}

Statement& Statement::bind(double number) {
    sqlite3_bind_double(statement_, ++bound_, number);
    return *this;
}

Statement& Statement::bind_null() {
    sqlite3_bind_null(statement_, ++bound_);
    return *this;
}

bool Statement::step() {
    int const code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) database_.fail(code);
    return false;
}

void Statement::run() {
    step();
    reset();
}

void Statement::reset() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
    bound_ = 0;
}

std::string Statement::text(int column) const {
    auto const* const bytes = sqlite3_column_text(statement_, column);
    auto const size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return bytes == nullptr ? std::string() : std::string(reinterpret_cast<char const*>(bytes), size);
}

std::uint64_t Statement::number(int column) const {
    return static_cast<std::uint64_t>(sqlite3_column_int64(statement_, column));
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_, column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(statement_, column);
}

bool Statement::is_null(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

bool Statement::is_real(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_FLOAT;
}

bool Statement::is_text(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_TEXT;
}

Transaction::~Transaction() {
    if (!open_) return;
    try {
        database_.run("ROLLBACK");
    } catch (Error const&) {
        // SQLite has already rolled back after the error that brought us here.
    }
}

void Transaction::commit() {
    database_.run("COMMIT");
    open_ = false;
}

}  // namespace netzip
