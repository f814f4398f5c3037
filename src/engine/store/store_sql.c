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

/* ---- statements ---- */

static int bind_digest(sqlite3_stmt *s, int at, es_digest digest);

static int bind_key(sqlite3_stmt *s, int at, const es_store_key *key) {
    int code = sqlite3_bind_text(s, at, key->estimator, -1, SQLITE_TRANSIENT);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(s, at + 1, key->version);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(s, at + 2, key->settings, -1, SQLITE_TRANSIENT);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(s, at + 3, (sqlite3_int64)key->seed);
    return code == SQLITE_OK ? bind_digest(s, at + 4, key->rowset) : code;
}

static int bind_value(sqlite3_stmt *s, int at, const store_value *v) {
    switch (v->kind) {
    case STORE_INT:
        return sqlite3_bind_int64(s, at, v->number);
    case STORE_REAL:
        return sqlite3_bind_double(s, at, v->real);
    case STORE_TEXT:
        return sqlite3_bind_text(s, at, v->data, -1, SQLITE_TRANSIENT);
    case STORE_BYTES:
        return sqlite3_bind_blob64(s, at, v->data, v->size, SQLITE_STATIC);
    case STORE_DIGEST:
        return bind_digest(s, at, v->digest);
    case STORE_KEY:
        return bind_key(s, at, v->key);
    default:
        return SQLITE_OK;
    }
}

es_status store_bind(es_store *store, sqlite3_stmt *s, const store_value *value, size_t count,
                     es_error *err) {
    int code = sqlite3_clear_bindings(s), at = 1;
    for (size_t i = 0; i < count && code == SQLITE_OK; i++) {
        code = bind_value(s, at, &value[i]);
        at += value[i].kind == STORE_KEY ? 5 : 1;
    }
    return code == SQLITE_OK ? ES_OK : store_explain(store, code, err);
}

es_status store_run(es_store *store, int which, const store_value *value, size_t count,
                    es_error *err) {
    sqlite3_stmt *statement = store->statement[which];
    ES_PASS(store_bind(store, statement, value, count, err));
    int code = sqlite3_step(statement);
    atomic_store(&store->waits_seen, 0);
    es_status st =
        code == SQLITE_DONE || code == SQLITE_ROW ? ES_OK : store_explain(store, code, err);
    if (st == ES_OK && !sqlite3_stmt_readonly(statement))
        store->gave_up = false;
    sqlite3_reset(statement);
    return st;
}

/* To the end: a RETURNING is complete only then. */
static es_status step_all(es_store *store, sqlite3_stmt *s, store_each_row *each, void *context,
                          es_error *err) {
    es_status st = ES_OK;
    int code = SQLITE_OK;
    while (st == ES_OK && (code = sqlite3_step(s)) == SQLITE_ROW)
        st = each ? each(context, s, err) : ES_OK;
    return st == ES_OK && code != SQLITE_DONE ? store_explain(store, code, err) : st;
}

es_status store_list(es_store *store, int which, const store_value *value, size_t count,
                     store_each_row *each, void *context, es_error *err) {
    sqlite3_stmt *s = store->statement[which];
    ES_PASS(store_bind(store, s, value, count, err));
    es_status st = step_all(store, s, each, context, err);
    sqlite3_reset(s);
    return st;
}

typedef struct fetched {
    sqlite3_int64 *out;
    bool *found;
} fetched;

static es_status take_first(void *context, sqlite3_stmt *s, es_error *err) {
    const fetched *f = context;
    (void)err;
    if (!*f->found)
        *f->out = sqlite3_column_int64(s, 0);
    *f->found = true;
    return ES_OK;
}

es_status store_fetch(es_store *store, int which, const store_value *value, size_t count,
                      sqlite3_int64 *out, bool *found, es_error *err) {
    fetched f = {out, found};
    *found = false;
    return store_list(store, which, value, count, take_first, &f, err);
}

es_status store_query(es_store *store, const char *text, const store_value *value, size_t count,
                      store_each_row *each, void *context, es_error *err) {
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(store->db, text, -1, &s, NULL);
    es_status st = code == SQLITE_OK ? store_bind(store, s, value, count, err)
                                     : store_explain(store, code, err);
    if (st == ES_OK)
        st = step_all(store, s, each, context, err);
    sqlite3_finalize(s);
    return st;
}

es_status store_take_int(void *out, sqlite3_stmt *s, es_error *err) {
    (void)err;
    *(sqlite3_int64 *)out = sqlite3_column_int64(s, 0);
    return ES_OK;
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

static int bind_digest(sqlite3_stmt *s, int at, es_digest digest) {
    unsigned char bytes[DIGEST_BYTES];
    put_le64(digest.lo, bytes);
    put_le64(digest.hi, bytes + 8);
    return sqlite3_bind_blob(s, at, bytes, DIGEST_BYTES, SQLITE_TRANSIENT);
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

const char *store_column_text(sqlite3_stmt *statement, int column, char *out, size_t capacity) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    es_text_clean_into(out, capacity, text ? text : "",
                       text ? (size_t)sqlite3_column_bytes(statement, column) : 0);
    return text ? out : NULL;
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
    return store_run(store, SQL_BEGIN, NULL, 0, err);
}

/* A failed COMMIT may have rolled back by itself, or not. */
es_status store_end_writing(es_store *store, es_status st, es_error *err) {
    if (st == ES_OK)
        st = store_run(store, SQL_COMMIT, NULL, 0, err);
    if (!sqlite3_get_autocommit(store->db))
        store_run(store, SQL_ROLLBACK, NULL, 0, NULL);
    return st;
}

/* The row that `get` finds by this value, or one that `add` makes. */
static es_status find_or_add(es_store *store, int get, int add, store_value value,
                             sqlite3_int64 *out, es_error *err) {
    bool found = false;
    ES_PASS(store_fetch(store, get, &value, 1, out, &found, err));
    if (found)
        return ES_OK;
    ES_PASS(store_run(store, add, &value, 1, err));
    *out = sqlite3_last_insert_rowid(store->db);
    return ES_OK;
}

es_status store_run_of_key(es_store *store, const es_store_key *key, sqlite3_int64 *out,
                           es_error *err) {
    return find_or_add(store, SQL_RUN_GET, SQL_RUN_ADD, store_key(key), out, err);
}

es_status store_provenance_id(es_store *store, const char *text, sqlite3_int64 *out,
                              es_error *err) {
    *out = 0;
    return text ? find_or_add(store, SQL_PROVENANCE_GET, SQL_PROVENANCE_ADD, store_text(text), out,
                              err)
                : ES_OK;
}
