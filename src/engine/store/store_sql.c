/* The store's statements, and how values go into them and come out: what pairs and
 * measures have in common. */
#include "engine_store_parts.h"

#include <math.h>
#include <string.h>

#define PAIR                                                                                       \
    "SELECT p.source, p.target, p.failed, p.reason, p.is_, p.se, p.h, p.h_cond, p.n_eval,"         \
    " p.epochs, p.seconds, p.id, "
#define BESIDE "b.information, b.information_se, b.lambda, b.rare, b.limited"
#define NO_BESIDE "NULL, NULL, NULL, 0, 0"
#define BESIDE_JOIN " LEFT JOIN beside b ON b.pair = p.id"
#define PMI ", m.value"
#define PMI_JOIN " LEFT JOIN pmi m ON m.pair = p.id"
#define ONE(columns, join)                                                                         \
    PAIR columns " FROM run r JOIN pair p ON p.run = r.id" join                                    \
                 " WHERE r.estimator = ?1 AND r.version = ?2 AND r.settings = ?3 AND r.seed = ?4"  \
                 " AND r.rowset = ?5 AND p.source = ?6 AND p.target = ?7"
/* What is newer than a row is at the end of the table, and few: no index is to be walked for it. */
#define AFTER(columns, join)                                                                       \
    PAIR columns " FROM pair p NOT INDEXED CROSS JOIN run r" join                                  \
                 " WHERE p.id > ?6 AND r.id = p.run AND r.estimator = ?1 AND r.version = ?2"       \
                 " AND r.settings = ?3 AND r.seed = ?4 AND r.rowset = ?5"
/* All pairs of a key in the order in which they were stored, so that pages are read once and one
 * after the other. LIMIT -1 keeps the order of the inner statement. */
#define ALL(columns, join)                                                                         \
    PAIR columns                                                                                   \
        " FROM (SELECT p.id FROM run r JOIN pair p ON p.run = r.id"                                \
        " WHERE r.estimator = ?1 AND r.version = ?2 AND r.settings = ?3 AND r.seed = ?4"           \
        " AND r.rowset = ?5 ORDER BY p.id LIMIT -1) o CROSS JOIN pair p ON p.id = o.id" join

static const char *const sql[SQL_COUNT] = {
    [SQL_BEGIN] = "BEGIN IMMEDIATE",
    [SQL_COMMIT] = "COMMIT",
    [SQL_ROLLBACK] = "ROLLBACK",
    [SQL_RUN_ADD] = "INSERT OR IGNORE INTO run(estimator, version, settings, seed, rowset)"
                    " VALUES(?1, ?2, ?3, ?4, ?5)",
    [SQL_RUN_GET] = "SELECT id FROM run WHERE estimator = ?1 AND version = ?2 AND settings = ?3"
                    " AND seed = ?4 AND rowset = ?5",
    [SQL_PROVENANCE_ADD] = "INSERT OR IGNORE INTO provenance(text) VALUES(?1)",
    [SQL_PROVENANCE_GET] = "SELECT id FROM provenance WHERE text = ?1",
    /* A failure does not displace a value: another process may have had more memory. */
    [SQL_PAIR_PUT] =
        "INSERT INTO pair(run, source, target, failed, reason, is_, se, h, h_cond, n_eval, epochs,"
        " seconds, finished, provenance) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,"
        " ?13, ?14) ON CONFLICT(run, source, target) DO UPDATE SET failed = excluded.failed,"
        " reason = excluded.reason, is_ = excluded.is_, se = excluded.se, h = excluded.h,"
        " h_cond = excluded.h_cond, n_eval = excluded.n_eval, epochs = excluded.epochs,"
        " seconds = excluded.seconds, finished = excluded.finished,"
        " provenance = excluded.provenance WHERE excluded.failed = 0 OR pair.failed = 1"
        " RETURNING id",
    [SQL_PMI_PUT] = "INSERT OR REPLACE INTO pmi(pair, value) VALUES(?1, ?2)",
    [SQL_PMI_DROP] = "DELETE FROM pmi WHERE pair = ?1",
    [SQL_LOAD] = ALL(BESIDE, BESIDE_JOIN),
    [SQL_LOAD_PMI] = ALL(BESIDE PMI, BESIDE_JOIN PMI_JOIN),
    [SQL_GET] = ONE(BESIDE, BESIDE_JOIN),
    [SQL_GET_PMI] = ONE(BESIDE PMI, BESIDE_JOIN PMI_JOIN),
    [SQL_LOAD_AFTER] = AFTER(BESIDE, BESIDE_JOIN),
    [SQL_LOAD_AFTER_PMI] = AFTER(BESIDE PMI, BESIDE_JOIN PMI_JOIN),
    [SQL_BESIDE_PUT] = "INSERT OR REPLACE INTO beside(pair, information, information_se, lambda,"
                       " rare, limited) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
    [SQL_BESIDE_DROP] = "DELETE FROM beside WHERE pair = ?1",
    [SQL_MEASURE_GET] =
        "SELECT m.source, m.target, m.field, m.value, m.low, m.high, m.why, m.warning FROM run r"
        " JOIN measured m ON m.run = r.id WHERE r.estimator = ?1 AND r.version = ?2"
        " AND r.settings = ?3 AND r.seed = ?4 AND r.rowset = ?5",
    [SQL_MEASURE_PUT] =
        "INSERT OR REPLACE INTO measured(run, source, target, field, value, low, high, why,"
        " warning, finished, provenance) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    [SQL_VERSION] = "PRAGMA data_version",
    [SQL_OWNER_ADD] =
        "INSERT INTO owner(machine, host, pid, began, beat) VALUES(?1, ?2, ?3, ?4, 0)",
    [SQL_OWNER_GET] = "SELECT id FROM owner WHERE id = ?1",
    [SQL_OWNER_BEAT] = "UPDATE owner SET beat = beat + 1 WHERE id = ?1",
    [SQL_OWNER_DROP] = "DELETE FROM owner WHERE id = ?1",
    [SQL_OWNERS] = "SELECT id, beat, machine, host, pid, began FROM owner WHERE id <> ?1"
                   " AND id IN (SELECT owner FROM claim)",
    [SQL_LEASE_ADD] = "INSERT INTO claim(run, source, target, owner) VALUES(?1, ?2, ?3, ?4)",
    [SQL_LEASE_GET] = "SELECT owner FROM claim WHERE run = ?1 AND source = ?2 AND target = ?3",
    [SQL_LEASE_OTHERS] =
        "SELECT 1 FROM claim WHERE run = ?1 AND source = ?2 AND owner <> ?3 LIMIT 1",
    [SQL_LEASE_DROP] = "DELETE FROM claim WHERE run = ?1 AND source = ?2 AND target = ?3",
    [SQL_LEASE_DROP_MINE] =
        "DELETE FROM claim WHERE run = ?1 AND source = ?2 AND target = ?3 AND owner = ?4",
    [SQL_LEASE_DROP_ALL] = "DELETE FROM claim WHERE owner = ?1",
    [SQL_PAIR_FAILED] = "SELECT failed FROM pair WHERE run = ?1 AND source = ?2 AND target = ?3",
};

/* Of files that lack the table of companion values. */
static const char *const without_beside[SQL_COUNT] = {
    [SQL_LOAD] = ALL(NO_BESIDE, ""),         [SQL_LOAD_PMI] = ALL(NO_BESIDE PMI, PMI_JOIN),
    [SQL_GET] = ONE(NO_BESIDE, ""),          [SQL_GET_PMI] = ONE(NO_BESIDE PMI, PMI_JOIN),
    [SQL_LOAD_AFTER] = AFTER(NO_BESIDE, ""), [SQL_LOAD_AFTER_PMI] = AFTER(NO_BESIDE PMI, PMI_JOIN),
};

/* ---- errors ---- */

void store_be_patient(es_store *store, int ms) {
    store->patience_ms = ms;
    store->waited = 0;
}

es_status store_explain(const es_store *store, int code, es_error *err) {
    const char *said = store->db ? sqlite3_errmsg(store->db) : sqlite3_errstr(code);
    int system_code = store->db ? sqlite3_system_errno(store->db) : 0;
    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return es_fail(err, ES_ENOMEM, "%s: out of memory", store->shown);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return es_fail(
            err, ES_EBUSY,
            "%s: locked by another process, waited %.1f s for it; end that one, or do without "
            "stored results: --no-store",
            store->shown, store->waited > 0 ? store->waited : store->patience_ms / 1e3);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR: /* our statements are right: the tables are not what they should be */
        if (store->by_journal && store->read_only) /* somebody else's, as of a share */
            return es_fail(err, ES_EFORMAT,
                           "%s: no store, or a damaged one (%s); copy it again, or estimate its "
                           "share again",
                           store->shown, said);
        return es_fail(err, ES_EFORMAT,
                       "%s: damaged (%s); move the file away and run again: its results will be "
                       "estimated anew",
                       store->shown, said);
    case SQLITE_CANTOPEN:
        return es_fail(err, ES_EIO,
                       "%s: it, or the -journal, -wal or -shm beside it, cannot be opened%s%s; "
                       "these must be plain files of yours",
                       store->shown, system_code ? ": " : "",
                       system_code ? strerror(system_code) : "");
    case SQLITE_FULL:
        return es_fail(err, ES_EIO, "%s: no space left; free some and go on", store->shown);
    case SQLITE_IOERR:
        /* Full disks show here as well, when it is the shared memory that cannot grow, and so do
         * quotas and limits of a process; the system's own code is gone by now. */
        if (code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_SHMSIZE ||
            code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_TRUNCATE)
            return es_fail(err, ES_EIO,
                           "%s: cannot be written: no space left, a quota, or a failing disk; free "
                           "some space and go on",
                           store->shown);
        break;
    default:
        break;
    }
    return es_fail(err, ES_EIO, "%s: %s%s%s", store->shown, said, system_code ? ": " : "",
                   system_code ? strerror(system_code) : "");
}

es_status store_run_statement(es_store *store, int which, es_error *err) {
    sqlite3_stmt *statement = store->statement[which];
    int code = sqlite3_step(statement);
    atomic_store(&store->waits_seen, 0);
    es_status st =
        code == SQLITE_DONE || code == SQLITE_ROW ? ES_OK : store_explain(store, code, err);
    if (st == ES_OK && !sqlite3_stmt_readonly(statement))
        store->gave_up = false;
    sqlite3_reset(statement);
    return st;
}

es_status store_fetch_id(es_store *store, int which, sqlite3_int64 *out, bool *found,
                         es_error *err) {
    sqlite3_stmt *statement = store->statement[which];
    es_status st = ES_OK;
    int code = sqlite3_step(statement);
    *found = code == SQLITE_ROW;
    if (*found) {
        *out = sqlite3_column_int64(statement, 0);
        code = sqlite3_step(statement); /* to its end: a RETURNING is complete only then */
    }
    if (code != SQLITE_DONE)
        st = store_explain(store, code, err);
    sqlite3_reset(statement);
    return st;
}

es_status store_execute(es_store *store, const char *text, es_error *err) {
    int code = sqlite3_exec(store->db, text, NULL, NULL, NULL);
    return code == SQLITE_OK ? ES_OK : store_explain(store, code, err);
}

es_status store_prepare(es_store *store, es_error *err) {
    int count = store->leases ? SQL_COUNT : store->measures ? SQL_VERSION : SQL_MEASURE_GET;
    for (int i = 0; i < count; i++) {
        const char *text = !store->beside && without_beside[i] ? without_beside[i] : sql[i];
        if (!store->beside && (i == SQL_BESIDE_PUT || i == SQL_BESIDE_DROP))
            continue;
        int code = sqlite3_prepare_v3(store->db, text, -1, SQLITE_PREPARE_PERSISTENT,
                                      &store->statement[i], NULL);
        if (code != SQLITE_OK)
            return store_explain(store, code, err);
    }
    return ES_OK;
}

/* ---- values ---- */

enum { DIGEST_BYTES = 16 };

static uint64_t get_le64(const unsigned char *bytes) {
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--)
        value = value << 8 | bytes[i];
    return value;
}

static void put_le64(uint64_t value, unsigned char *bytes) {
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
}

int store_bind_digest(sqlite3_stmt *statement, int index, es_digest digest) {
    unsigned char bytes[DIGEST_BYTES];
    put_le64(digest.lo, bytes);
    put_le64(digest.hi, bytes + 8);
    return sqlite3_bind_blob(statement, index, bytes, DIGEST_BYTES, SQLITE_TRANSIENT);
}

bool store_column_digest(sqlite3_stmt *statement, int column, es_digest *out) {
    const unsigned char *bytes = sqlite3_column_blob(statement, column);
    if (!bytes || sqlite3_column_bytes(statement, column) != DIGEST_BYTES)
        return false;
    out->lo = get_le64(bytes);
    out->hi = get_le64(bytes + 8);
    return true;
}

/* SQLite has no NaN: it stores one as NULL. Text in such a column, which SQLite would read as 0, is
 * no number either. */
double store_column_double(sqlite3_stmt *statement, int column) {
    int type = sqlite3_column_type(statement, column);
    return type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_column_double(statement, column)
                                                          : (double)NAN;
}

int store_bind_text(sqlite3_stmt *statement, int index, const char *text) {
    return sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}

int store_bind_key(sqlite3_stmt *statement, const es_store_key *key) {
    int code = store_bind_text(statement, 1, key->estimator);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(statement, 2, key->version);
    if (code == SQLITE_OK)
        code = store_bind_text(statement, 3, key->settings);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(statement, 4, (sqlite3_int64)key->seed);
    if (code == SQLITE_OK)
        code = store_bind_digest(statement, 5, key->rowset);
    return code;
}

/* ---- transactions and keys ---- */

es_status store_begin_writing(es_store *store, es_error *err) {
    int moved = 0; /* SQLite goes on writing to a file that has no name any more */
    if (store->read_only)
        return es_fail(err, ES_EINVAL, "%s: opened for reading only", store->shown);
    (void)sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (moved)
        return es_fail(err, ES_EIO,
                       "%s: deleted or moved since it was opened; results are kept in memory "
                       "until you quit: move it back before that, and they are stored",
                       store->shown);
    return store_run_statement(store, SQL_BEGIN, err);
}

/* A failed COMMIT may have rolled back by itself, or not. */
es_status store_end_writing(es_store *store, es_status st, es_error *err) {
    if (st == ES_OK)
        st = store_run_statement(store, SQL_COMMIT, err);
    if (!sqlite3_get_autocommit(store->db))
        store_run_statement(store, SQL_ROLLBACK, NULL);
    return st;
}

es_status store_run_of_key(es_store *store, const es_store_key *key, sqlite3_int64 *out,
                           es_error *err) {
    bool found = false;
    int code = store_bind_key(store->statement[SQL_RUN_GET], key);
    if (code == SQLITE_OK)
        code = store_bind_key(store->statement[SQL_RUN_ADD], key);
    if (code != SQLITE_OK)
        return store_explain(store, code, err);
    es_status st = store_fetch_id(store, SQL_RUN_GET, out, &found, err);
    if (st == ES_OK && !found) {
        st = store_run_statement(store, SQL_RUN_ADD, err);
        if (st == ES_OK)
            *out = sqlite3_last_insert_rowid(store->db);
    }
    return st;
}

es_status store_provenance_id(es_store *store, const char *text, sqlite3_int64 *out,
                              es_error *err) {
    bool found = false;
    int code = store_bind_text(store->statement[SQL_PROVENANCE_GET], 1, text);
    if (code == SQLITE_OK)
        code = store_bind_text(store->statement[SQL_PROVENANCE_ADD], 1, text);
    if (code != SQLITE_OK)
        return store_explain(store, code, err);
    es_status st = store_fetch_id(store, SQL_PROVENANCE_GET, out, &found, err);
    if (st == ES_OK && !found) {
        st = store_run_statement(store, SQL_PROVENANCE_ADD, err);
        if (st == ES_OK)
            *out = sqlite3_last_insert_rowid(store->db);
    }
    return st;
}
