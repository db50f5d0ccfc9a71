#include "tools/explore/sweep/store.h"

#include "base/error.h"

namespace netzip {
namespace {

constexpr char const* kSchemaVersion = "1";

/// Marks the file as ours in its header ("nzsw").
constexpr char const* kApplicationId = "0x6e7a7377";

constexpr char const* kTables[] = {
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE configuration(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE objective(position INTEGER PRIMARY KEY, text TEXT NOT NULL)",
    "CREATE TABLE axis(position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE)",
    "CREATE TABLE point(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, status TEXT NOT NULL, error TEXT)",
    "CREATE TABLE point_value(point INTEGER REFERENCES point, axis TEXT, value TEXT NOT NULL, "
    "PRIMARY KEY(point, axis)) WITHOUT ROWID",
    "CREATE TABLE statistic(name TEXT PRIMARY KEY, unit TEXT NOT NULL, better TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE result(point INTEGER REFERENCES point, statistic TEXT REFERENCES statistic, value, "
    "provenance TEXT NOT NULL, out_of_range INTEGER NOT NULL, PRIMARY KEY(point, statistic)) WITHOUT ROWID",
};

template <class E>
E enum_value(std::string const& name) {
    for (auto const& [value, spelling] : EnumNames<E>::values) {
        if (name == spelling) return value;
    }
    throw InputError("\"" + name + "\" is no value of this version");
}

void bind(Statement& statement, StatValue const& value) {
    if (auto const* whole = std::get_if<std::uint64_t>(&value))
        statement.bind(*whole);
    else if (auto const* negative = std::get_if<std::int64_t>(&value))
        statement.bind(*negative);
    else if (auto const* real = std::get_if<double>(&value))
        statement.bind(*real);
    else if (auto const* text = std::get_if<std::string>(&value))
        statement.bind(*text);
    else
        statement.bind_null();
}

StatValue value_of(Statement const& row, int column) {
    if (row.is_null(column)) return nullptr;
    if (row.is_text(column)) return row.text(column);
    if (row.is_real(column)) return row.real(column);
    auto const number = row.integer(column);
    if (number < 0) return number;
    return static_cast<std::uint64_t>(number);
}

std::string difference(std::string const& what, std::string const& a, std::string const& b) {
    return a == b ? "" : what + ": \"" + a + "\" against \"" + b + "\"";
}

}  // namespace

std::string first_difference(SweepIdentity const& a, SweepIdentity const& b) {
    auto line = difference("version of netzipsim", a.version, b.version);
    if (line.empty()) line = difference("number of points", std::to_string(a.points), std::to_string(b.points));
    for (std::size_t i = 0; line.empty() && i < std::max(a.axes.size(), b.axes.size()); ++i) {
        auto const axis = [i](SweepIdentity const& side) { return i < side.axes.size() ? side.axes[i] : "none"; };
        line = difference("axis " + std::to_string(i), axis(a), axis(b));
    }
    for (auto const& [key, value] : a.configuration) {
        if (!line.empty()) break;
        auto const other = b.configuration.find(key);
        line = difference(key, value, other == b.configuration.end() ? "not set" : other->second);
    }
    for (auto const& [key, value] : b.configuration) {
        if (line.empty() && !a.configuration.contains(key)) line = difference(key, "not set", value);
    }
    if (line.empty()) line = difference("values of the axes, digest", a.points_digest, b.points_digest);
    return line;
}

SweepStore SweepStore::create(std::filesystem::path const& path, SweepIdentity const& identity) {
    if (std::filesystem::exists(path)) {
        throw UsageError(path.string() + ": exists already; continue it with --resume, or choose another directory");
    }
    SweepStore store(std::make_unique<Database>(path, Database::Access::write));
    store.write_identity(identity);
    store.identity_ = identity;
    return store;
}

SweepStore SweepStore::resume(std::filesystem::path const& path, SweepIdentity const& identity) {
    SweepStore store(std::make_unique<Database>(path, Database::Access::write));
    Statement tables(*store.database_, "SELECT count(*) FROM sqlite_master");
    tables.step();
    // Killed between creating the file and its first transaction, it is empty.
    if (tables.number(0) == 0) store.write_identity(identity);
    store.identity_ = store.read_identity();
    auto line = first_difference(store.identity_, identity);
    if (line.empty()) line = difference("shard", to_string(store.identity_.shard), to_string(identity.shard));
    if (!line.empty()) {
        throw UsageError(path.string() + ": belongs to another sweep than " + identity.file + ": " + line +
                         "; choose another directory");
    }
    return store;
}

SweepStore SweepStore::open(std::filesystem::path const& path) {
    SweepStore store(std::make_unique<Database>(path, Database::Access::read));
    store.identity_ = store.read_identity();
    return store;
}

void SweepStore::write_identity(SweepIdentity const& identity) {
    Transaction transaction(*database_);
    for (auto const* table : kTables) database_->run(table);
    Statement meta(*database_, "INSERT INTO meta VALUES(?, ?)");
    std::map<std::string, std::string> const entries{
        {"schema", kSchemaVersion},
        {"file", identity.file},
        {"question", identity.question},
        {"command", identity.command},
        {"version", identity.version},
        {"points", std::to_string(identity.points)},
        {"points_digest", identity.points_digest},
        {"shard", to_string(identity.shard)},
    };
    for (auto const& [key, value] : entries) meta.bind(key).bind(value).run();
    Statement configuration(*database_, "INSERT INTO configuration VALUES(?, ?)");
    for (auto const& [key, value] : identity.configuration) configuration.bind(key).bind(value).run();
    Statement objective(*database_, "INSERT INTO objective VALUES(?, ?)");
    for (std::uint64_t i = 0; i < identity.objectives.size(); ++i) objective.bind(i).bind(identity.objectives[i]).run();
    Statement axis(*database_, "INSERT INTO axis VALUES(?, ?)");
    for (std::uint64_t i = 0; i < identity.axes.size(); ++i) axis.bind(i).bind(identity.axes[i]).run();
    database_->run(std::string("PRAGMA application_id = ") + kApplicationId);
    transaction.commit();
}

SweepIdentity SweepStore::read_identity() const {
    Statement header(*database_, "PRAGMA application_id");
    header.step();
    if (header.number(0) != std::stoull(kApplicationId, nullptr, 16)) {
        throw InputError(path().string() + ": expected a sweep database, found an SQLite file of another program");
    }
    std::map<std::string, std::string> meta;
    Statement rows(*database_, "SELECT key, value FROM meta");
    while (rows.step()) meta[rows.text(0)] = rows.text(1);
    if (meta["schema"] != kSchemaVersion) {
        throw InputError(path().string() + ": expected schema " + kSchemaVersion + ", found \"" + meta["schema"] +
                         "\": written by another version of netzipsim");
    }
    SweepIdentity identity;
    identity.file = meta["file"];
    identity.question = meta["question"];
    identity.command = meta["command"];
    identity.version = meta["version"];
    identity.points = std::stoull(meta["points"]);
    identity.points_digest = meta["points_digest"];
    identity.shard = parse_shard(meta["shard"]);
    Statement configuration(*database_, "SELECT key, value FROM configuration");
    while (configuration.step()) identity.configuration[configuration.text(0)] = configuration.text(1);
    Statement axes(*database_, "SELECT key FROM axis ORDER BY position");
    while (axes.step()) identity.axes.push_back(axes.text(0));
    Statement objectives(*database_, "SELECT text FROM objective ORDER BY position");
    while (objectives.step()) identity.objectives.push_back(objectives.text(0));
    return identity;
}

void SweepStore::add(StoredPoint const& result) {
    Transaction transaction(*database_);
    insert(result);
    transaction.commit();
}

void SweepStore::add_all(SweepStore const& other) {
    Transaction transaction(*database_);
    other.for_each([this](StoredPoint const& result) { insert(result); });
    transaction.commit();
}

void SweepStore::insert(StoredPoint const& result) {
    auto const id = result.point.index;
    bool const ok = result.statistics.has_value();
    Statement point(*database_, "INSERT INTO point VALUES(?, ?, ?, ?)");
    point.bind(id).bind(point_key(result.point.axes)).bind(ok ? "ok" : "failed");
    if (ok)
        point.bind_null();
    else
        point.bind(result.error);
    point.run();
    Statement axis(*database_, "INSERT INTO point_value VALUES(?, ?, ?)");
    for (auto const& value : result.point.axes) axis.bind(id).bind(value.key).bind(value.value).run();
    if (ok) {
        Statement known(*database_,
                        "INSERT INTO statistic VALUES(?1, ?2, ?3) ON CONFLICT(name) DO UPDATE SET name = name "
                        "WHERE unit = ?2 AND better = ?3 RETURNING name");
        Statement row(*database_, "INSERT INTO result VALUES(?, ?, ?, ?, ?)");
        for (auto const& [name, stat] : result.statistics->entries()) {
            known.bind(name).bind(stat.unit).bind(enum_name(stat.better));
            if (!known.step()) throw RunError(name + ": another unit or direction than in an earlier point");
            known.reset();
            row.bind(id).bind(name);
            bind(row, stat.value);
            row.bind(enum_name(stat.provenance)).bind(std::uint64_t{stat.out_of_range ? 1u : 0u}).run();
        }
    }
}

void SweepStore::forget_failed() {
    Transaction transaction(*database_);
    database_->run("DELETE FROM point_value WHERE point IN (SELECT id FROM point WHERE status = 'failed')");
    database_->run("DELETE FROM point WHERE status = 'failed'");
    transaction.commit();
}

std::vector<std::uint64_t> SweepStore::done() const {
    std::vector<std::uint64_t> indices;
    Statement rows(*database_, "SELECT id FROM point ORDER BY id");
    while (rows.step()) indices.push_back(rows.number(0));
    return indices;
}

std::uint64_t SweepStore::failed() const {
    Statement rows(*database_, "SELECT count(*) FROM point WHERE status = 'failed'");
    rows.step();
    return rows.number(0);
}

StoredPoint SweepStore::read(std::uint64_t index) const {
    StoredPoint result;
    result.point.index = index;
    Statement point(*database_, "SELECT status, error FROM point WHERE id = ?");
    point.bind(index);
    if (!point.step()) throw InputError(path().string() + ": has no point " + std::to_string(index));
    result.error = point.text(1);
    Statement axes(*database_,
                   "SELECT a.key, v.value FROM axis a JOIN point_value v ON v.axis = a.key "
                   "WHERE v.point = ? ORDER BY a.position");
    axes.bind(index);
    while (axes.step()) result.point.axes.push_back({axes.text(0), axes.text(1), ""});
    if (point.text(0) != "ok") return result;
    result.statistics.emplace();
    Statement rows(*database_,
                   "SELECT r.statistic, r.value, s.unit, s.better, r.provenance, r.out_of_range FROM result r "
                   "JOIN statistic s ON s.name = r.statistic WHERE r.point = ?");
    rows.bind(index);
    while (rows.step()) {
        result.statistics->set(rows.text(0), value_of(rows, 1), rows.text(2), enum_value<Better>(rows.text(3)),
                               enum_value<Provenance>(rows.text(4)));
        if (rows.number(5) != 0) result.statistics->mark_out_of_range(rows.text(0));
    }
    return result;
}

}  // namespace netzip
