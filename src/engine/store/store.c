#include "store.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "alloc.h"
#include "buf.h"
#include "clock.h"
#include "store_place.h"
#include "store_private.h"
#include "text.h"

/* Marks a database as ours ("Embs"), so that no other one is ever written to. */
enum { APPLICATION_ID = 0x456d6273, DIGEST_BYTES = 16 };
enum { BUSY_MS = 10000, PAUSE_MS = 20, SAY_MS = 500 }; /* waiting for another process */

/* How long after its last change a file's digest is not cached: a second change within the clock's
 * step would go unseen. */
enum { FRESH_SECONDS = 2 };

/* Per-row values lie in a table of their own, so that reading the matrix does not page through
 * them. */
static const char schema[] =
    "CREATE TABLE run(id INTEGER PRIMARY KEY, estimator TEXT NOT NULL, version INTEGER NOT NULL,"
    " settings TEXT NOT NULL, seed INTEGER NOT NULL, rowset BLOB NOT NULL,"
    " UNIQUE(estimator, version, settings, seed, rowset));"
    "CREATE TABLE provenance(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);"
    "CREATE TABLE pair(id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run(id),"
    " source BLOB NOT NULL, target BLOB NOT NULL, failed INTEGER NOT NULL, reason TEXT,"
    " is_ REAL, se REAL, h REAL, h_cond REAL, n_eval INTEGER NOT NULL, epochs INTEGER NOT NULL,"
    " seconds REAL, finished INTEGER NOT NULL,"
    " provenance INTEGER REFERENCES provenance(id), UNIQUE(run, source, target));"
    "CREATE TABLE pmi(pair INTEGER PRIMARY KEY REFERENCES pair(id), value BLOB NOT NULL);"
    "CREATE TABLE digest(path BLOB NOT NULL, tensor TEXT NOT NULL, size INTEGER NOT NULL,"
    " mtime INTEGER NOT NULL, digest BLOB NOT NULL, PRIMARY KEY(path, tensor)) WITHOUT ROWID;";

#define LOAD(columns, join)                                                                        \
    "SELECT p.source, p.target, p.failed, p.reason, p.is_, p.se, p.h, p.h_cond, p.n_eval,"         \
    " p.epochs, p.seconds" columns " FROM run r JOIN pair p ON p.run = r.id " join                 \
    " WHERE r.estimator = ?1 AND r.version = ?2 AND r.settings = ?3 AND r.seed = ?4"               \
    " AND r.rowset = ?5"
#define ONE " AND p.source = ?6 AND p.target = ?7"

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
    [SQL_LOAD] = LOAD("", ""),
    [SQL_LOAD_PMI] = LOAD(", m.value", "LEFT JOIN pmi m ON m.pair = p.id"),
    [SQL_GET] = LOAD("", "") ONE,
    [SQL_GET_PMI] = LOAD(", m.value", "LEFT JOIN pmi m ON m.pair = p.id") ONE,
    [SQL_DIGEST_GET] = "SELECT digest FROM digest WHERE path = ?1 AND tensor = ?2 AND size = ?3"
                       " AND mtime = ?4",
    [SQL_DIGEST_PUT] = "INSERT OR REPLACE INTO digest(path, tensor, size, mtime, digest)"
                       " VALUES(?1, ?2, ?3, ?4, ?5)",
};

/* ---- errors ---- */

/* What SQLite's result code means to the user of a results file. */
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
            "%s: locked by another process for more than %d s; end that one, or do without "
            "stored results: --no-store",
            store->shown, BUSY_MS / 1000);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR: /* our statements are right: the tables are not what they should be */
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

/* Runs a bound statement that gives no rows, and resets it. */
es_status store_run_statement(es_store *store, int which, es_error *err) {
    sqlite3_stmt *statement = store->statement[which];
    int code = sqlite3_step(statement);
    es_status st =
        code == SQLITE_DONE || code == SQLITE_ROW ? ES_OK : store_explain(store, code, err);
    sqlite3_reset(statement);
    return st;
}

/* Runs a bound statement that gives one integer. *found says whether there was a row. */
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

/* ---- values ---- */

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

static const uint32_t endian_probe = 1;

static bool is_little_endian(void) {
    unsigned char first;
    memcpy(&first, &endian_probe, 1);
    return first == 1;
}

/* Stored values are little-endian whatever the host is. */
static void swap_floats(float *values, size_t n) {
    if (is_little_endian())
        return;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bits = bits >> 24 | (bits >> 8 & 0xff00u) | (bits << 8 & 0xff0000u) | bits << 24;
        memcpy(&values[i], &bits, sizeof bits);
    }
}

/* ---- opening ---- */

es_status store_execute(es_store *store, const char *text, es_error *err) {
    int code = sqlite3_exec(store->db, text, NULL, NULL, NULL);
    return code == SQLITE_OK ? ES_OK : store_explain(store, code, err);
}

/* The first column of the first row. */
static es_status query_int(es_store *store, const char *text, int *out, es_error *err) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(store->db, text, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    es_status st = code == SQLITE_ROW ? ES_OK : store_explain(store, code, err);
    if (st == ES_OK)
        *out = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return st;
}

/* Is this a results file, and one that we can read? *empty: nothing is in it yet. To be called in a
 * transaction: another process may be creating the tables. */
static es_status check_version(es_store *store, bool *empty, es_error *err) {
    int version = 0, owner = 0, tables = 0;
    es_status st = query_int(store, "PRAGMA user_version", &version, err);
    if (st == ES_OK)
        st = query_int(store, "PRAGMA application_id", &owner, err);
    if (st == ES_OK)
        st = query_int(store, "SELECT count(*) FROM sqlite_schema", &tables, err);
    if (st != ES_OK)
        return st;
    *empty = version == 0 && owner == 0 && tables == 0;
    if (*empty)
        return ES_OK;
    if (owner != APPLICATION_ID || version < 1)
        return es_fail(err, ES_EFORMAT, "%s: a database, but not one of embedscope; move it away",
                       store->shown);
    if (version > ES_STORE_SCHEMA)
        return es_fail(err, ES_EFORMAT,
                       "%s: written by a newer embedscope (schema %d, this one reads %d); update "
                       "the program or move the file away",
                       store->shown, version, (int)ES_STORE_SCHEMA);
    return ES_OK;
}

static void pause_ms(long ms) {
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/* The busy handler while a store is opened: SQLite's own, but that it says so after a while.
 * `times` it has been called for this lock. */
static int wait_for_others(void *context, int times) {
    es_store *store = context;
    if (times >= BUSY_MS / PAUSE_MS)
        return 0;
    if (times == SAY_MS / PAUSE_MS && store->waiting != NULL) {
        store->waiting->tell(store->waiting->context, store->shown);
        store->waiting = NULL;
    }
    pause_ms(PAUSE_MS);
    return 1;
}

/* The change to WAL takes an exclusive lock without asking the busy handler, so two processes that
 * create a store at the same moment need this loop. Where shared memory is not to be had (some
 * network folders) SQLite stays with its rollback journal, which is slower and as safe. */
static es_status switch_to_wal(es_store *store, es_error *err) {
    for (int times = 0;; times++) {
        int code = sqlite3_exec(store->db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
        if (code == SQLITE_OK)
            return ES_OK;
        if ((code & 0xff) != SQLITE_BUSY || !wait_for_others(store, times))
            return store_explain(store, code, err);
    }
}

/* Creates the tables, unless another process did it since we looked. */
static es_status create_schema(es_store *store, es_error *err) {
    char stamp[96];
    bool empty = false;
    es_status st = store_execute(store, "BEGIN IMMEDIATE", err);
    if (st != ES_OK)
        return st;
    ES_TRY(check_version(store, &empty, err));
    if (empty) {
        snprintf(stamp, sizeof stamp, "PRAGMA application_id=%d; PRAGMA user_version=%d",
                 (int)APPLICATION_ID, (int)ES_STORE_SCHEMA);
        ES_TRY(store_execute(store, schema, err));
        ES_TRY(store_execute(store, stamp, err));
    }
    st = store_execute(store, "COMMIT", err);
done:
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

static es_status prepare_all(es_store *store, es_error *err) {
    for (int i = 0; i < SQL_COUNT; i++) {
        int code = sqlite3_prepare_v3(store->db, sql[i], -1, SQLITE_PREPARE_PERSISTENT,
                                      &store->statement[i], NULL);
        if (code != SQLITE_OK)
            return store_explain(store, code, err);
    }
    return ES_OK;
}

static void disconnect(es_store *store) {
    store_measures_close(store);
    for (int i = 0; i < SQL_COUNT; i++) {
        sqlite3_finalize(store->statement[i]);
        store->statement[i] = NULL;
    }
    sqlite3_close(store->db);
    store->db = NULL;
}

/* Open the database called `name` and make it ready. On failure nothing stays open. */
static es_status connect_to(es_store *store, const char *name, int flags, es_error *err) {
    bool empty = false;
    es_status st = ES_OK;
    const char *vfs = store_vfs();
    int code =
        vfs ? sqlite3_open_v2(name, &store->db, flags | SQLITE_OPEN_NOMUTEX, vfs) : SQLITE_NOMEM;
    if (code != SQLITE_OK) {
        st = store_explain(store, code, err);
        goto done;
    }
    sqlite3_extended_result_codes(store->db, 1);
    (void)sqlite3_busy_handler(store->db, wait_for_others, store);
    /* A store that came with a pool is data: what it holds of programs does not run. */
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    ES_TRY(store_execute(store, "PRAGMA trusted_schema=OFF; PRAGMA synchronous=NORMAL", err));
    ES_TRY(store_execute(store, "BEGIN", err));
    ES_TRY(check_version(store, &empty, err));
    ES_TRY(store_execute(store, "COMMIT", err));
    if (!store->read_only) {
        if (store->path)
            ES_TRY(switch_to_wal(store, err));
        if (empty)
            ES_TRY(create_schema(store, err));
    } else if (empty) {
        st = es_fail(err, ES_ENOTFOUND, "%s: nothing is stored yet; run \"embedscope estimate\"",
                     store->shown);
        goto done;
    } else {
        ES_TRY(store_execute(store, "PRAGMA query_only=ON", err));
    }
    ES_TRY(prepare_all(store, err));
    st = store_measures_open(store, err);
done:
    if (st != ES_OK)
        disconnect(store);
    return st;
}

/* A WAL database in a folder that cannot be written has no place for its shared memory. When nobody
 * writes it, SQLite can read it as a file that never changes. */
static es_status connect_immutable(es_store *store, es_error *err) {
    es_buf uri = {0};
    es_buf_puts(&uri, "file:");
    for (const char *c = store->path; *c; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || strchr("/-_.~", *c) ||
                     (*c >= '0' && *c <= '9');
        if (plain)
            es_buf_putc(&uri, *c);
        else
            es_buf_printf(&uri, "%%%02X", (unsigned)(unsigned char)*c);
    }
    es_buf_puts(&uri, "?immutable=1");
    es_status st = es_buf_check(&uri, err);
    if (st == ES_OK)
        st = connect_to(store, uri.data, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
    es_buf_free(&uri);
    return st;
}

static es_status connect_store(es_store *store, es_error *err) {
    if (!store->path)
        return connect_to(store, ":memory:",
                          SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY, err);
    es_status st =
        connect_to(store, store->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, err);
    if (st == ES_EIO && store->read_only)
        st = connect_immutable(store, err);
    return st;
}

es_status es_store_open(const char *pool_path, bool read_only, es_store **out, es_error *err) {
    return es_store_open_saying(pool_path, read_only, NULL, out, err);
}

es_status es_store_open_saying(const char *pool_path, bool read_only,
                               const es_store_waiting *waiting, es_store **out, es_error *err) {
    es_store *store = es_alloc_zero(1, sizeof *store);
    if (!store)
        return es_no_memory(err);
    if (pthread_mutex_init(&store->lock, NULL) != 0) {
        es_free(store);
        return es_no_memory(err);
    }
    es_status st = ES_OK;
    store->read_only = read_only && pool_path;
    store->waiting = waiting != NULL && waiting->tell != NULL ? waiting : NULL;
    if (pool_path && read_only)
        ES_TRY(es_store_place_read(pool_path, &store->path, err));
    else if (pool_path)
        ES_TRY(es_store_place_write(pool_path, &store->path, err));
    const char *name = store->path ? store->path : ":memory:";
    store->shown = es_text_clean(name, strlen(name), 0);
    if (!store->shown) {
        st = es_no_memory(err);
        goto done;
    }
    ES_TRY(connect_store(store, err));
    (void)sqlite3_busy_timeout(store->db, BUSY_MS);
    store->waiting = NULL; /* the caller's */
    *out = store;
done:
    if (st != ES_OK)
        es_store_close(store);
    return st;
}

void es_store_close(es_store *store) {
    if (!store)
        return;
    disconnect(store);
    pthread_mutex_destroy(&store->lock);
    es_free(store->path);
    es_free(store->shown);
    es_free(store);
}

const char *es_store_path(const es_store *store) {
    return store->shown;
}

/* ---- pairs ---- */

/* The number of the key's run, made when it is not there yet. */
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

static int bind_pair(sqlite3_stmt *s, sqlite3_int64 run, const es_store_pair *pair,
                     sqlite3_int64 provenance) {
    const es_pair_result *r = &pair->result;
    const double values[] = {r->is, r->se, r->h, r->h_cond};
    int code = sqlite3_clear_bindings(s); /* what is not bound below is NULL */
    STORE_BIND(sqlite3_bind_int64(s, 1, run));
    STORE_BIND(store_bind_digest(s, 2, pair->source));
    STORE_BIND(store_bind_digest(s, 3, pair->target));
    STORE_BIND(sqlite3_bind_int(s, 4, pair->failed));
    if (pair->failed)
        STORE_BIND(store_bind_text(s, 5, pair->reason ? pair->reason : ""));
    for (int i = 0; i < 4 && !pair->failed; i++)
        STORE_BIND(sqlite3_bind_double(s, 6 + i, values[i]));
    STORE_BIND(sqlite3_bind_int64(s, 10, pair->failed ? 0 : (sqlite3_int64)r->n_eval));
    STORE_BIND(sqlite3_bind_int64(s, 11, pair->failed ? 0 : r->epochs));
    STORE_BIND(sqlite3_bind_double(s, 12, pair->seconds));
    STORE_BIND(sqlite3_bind_int64(s, 13, (sqlite3_int64)time(NULL)));
    if (provenance > 0)
        STORE_BIND(sqlite3_bind_int64(s, 14, provenance));
    return code;
}

/* `pmi` is in stored byte order; NULL when there is none. */
static es_status put_pmi(es_store *store, sqlite3_int64 id, const float *pmi, size_t n,
                         es_error *err) {
    int which = pmi ? SQL_PMI_PUT : SQL_PMI_DROP;
    sqlite3_stmt *statement = store->statement[which];
    int code = sqlite3_bind_int64(statement, 1, id);
    if (pmi)
        STORE_BIND(sqlite3_bind_blob64(statement, 2, pmi, n * sizeof *pmi, SQLITE_STATIC));
    es_status st = code == SQLITE_OK ? store_run_statement(store, which, err)
                                     : store_explain(store, code, err);
    sqlite3_clear_bindings(statement);
    return st;
}

/* Inside a transaction. */
static es_status put_pair(es_store *store, const es_store_key *key, const es_store_pair *pair,
                          const float *pmi, const char *provenance, es_error *err) {
    sqlite3_int64 run = 0, origin = 0, id = 0;
    bool changed = false;
    es_status st = store_run_of_key(store, key, &run, err);
    if (st == ES_OK && provenance)
        st = store_provenance_id(store, provenance, &origin, err);
    if (st != ES_OK)
        return st;
    int code = bind_pair(store->statement[SQL_PAIR_PUT], run, pair, origin);
    if (code != SQLITE_OK)
        return store_explain(store, code, err);
    st = store_fetch_id(store, SQL_PAIR_PUT, &id, &changed, err);
    if (st == ES_OK && changed)
        st = put_pmi(store, id, pmi, pair->result.n_eval, err);
    return st;
}

static es_status refuse_writing(const es_store *store, es_error *err) {
    return es_fail(err, ES_EINVAL, "%s: opened for reading only", store->shown);
}

/* SQLite goes on writing to a file that has no name any more. */
es_status store_begin_writing(es_store *store, es_error *err) {
    int moved = 0;
    if (store->read_only)
        return refuse_writing(store, err);
    (void)sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (moved)
        return es_fail(err, ES_EIO,
                       "%s: deleted or moved since it was opened; results are kept in memory "
                       "until you quit: move it back, or export them",
                       store->shown);
    return store_run_statement(store, SQL_BEGIN, err);
}

es_status es_store_put(es_store *store, const es_store_key *key, const es_store_pair *pair,
                       const char *provenance, es_error *err) {
    float *pmi = NULL;
    es_status st = ES_OK;
    if (!pair->failed && pair->result.pmi) {
        pmi = es_alloc(pair->result.n_eval, sizeof *pmi);
        if (!pmi)
            return es_no_memory(err);
        memcpy(pmi, pair->result.pmi, pair->result.n_eval * sizeof *pmi);
        swap_floats(pmi, pair->result.n_eval);
    }
    pthread_mutex_lock(&store->lock);
    ES_TRY(store_begin_writing(store, err));
    ES_TRY(put_pair(store, key, pair, pmi, provenance, err));
    st = store_run_statement(store, SQL_COMMIT, err);
done:
    /* A failed COMMIT may have rolled back by itself, or not. */
    if (!sqlite3_get_autocommit(store->db))
        store_run_statement(store, SQL_ROLLBACK, NULL);
    pthread_mutex_unlock(&store->lock);
    es_free(pmi);
    return st;
}

/* The per-row values of the current row; none when they are missing or not whole. */
static es_status column_pmi(sqlite3_stmt *s, int column, size_t n, float **out, es_error *err) {
    const void *bytes = sqlite3_column_blob(s, column);
    if (!bytes || (size_t)sqlite3_column_bytes(s, column) != n * sizeof(float))
        return ES_OK;
    float *values = es_alloc(n, sizeof *values);
    if (!values)
        return es_no_memory(err);
    memcpy(values, bytes, n * sizeof *values);
    swap_floats(values, n);
    *out = values;
    return ES_OK;
}

static es_status column_reason(sqlite3_stmt *s, int column, char **out, es_error *err) {
    const char *text = (const char *)sqlite3_column_text(s, column);
    size_t length = text ? (size_t)sqlite3_column_bytes(s, column) : 0;
    char *copy = es_text_clean(text ? text : "", length, sizeof((es_error *)0)->message);
    if (!copy)
        return es_no_memory(err);
    *out = copy;
    return ES_OK;
}

/* The current row. A row that this program cannot have written (a value that is no finite number, a
 * digest of another length) is not *usable*: it counts as not stored, so the pair is estimated anew
 * and the row replaced. */
static es_status read_pair(sqlite3_stmt *s, bool with_pmi, es_store_pair *out, bool *usable,
                           es_error *err) {
    es_pair_result *r = &out->result;
    sqlite3_int64 n_eval = sqlite3_column_int64(s, 8);
    *usable = store_column_digest(s, 0, &out->source) && store_column_digest(s, 1, &out->target) &&
              n_eval >= 0;
    out->failed = sqlite3_column_int(s, 2) != 0;
    r->is = store_column_double(s, 4);
    r->se = store_column_double(s, 5);
    r->h = store_column_double(s, 6);
    r->h_cond = store_column_double(s, 7);
    r->n_eval = (size_t)n_eval;
    r->epochs = (unsigned)sqlite3_column_int64(s, 9);
    out->seconds = store_column_double(s, 10);
    if (!out->failed && (!isfinite(r->is) || isinf(r->se) || isinf(r->h) || isinf(r->h_cond)))
        *usable = false;
    if (!*usable)
        return ES_OK;
    if (out->failed)
        return column_reason(s, 3, &out->reason, err);
    return with_pmi ? column_pmi(s, 11, r->n_eval, &r->pmi, err) : ES_OK;
}

es_status es_store_load(es_store *store, const es_store_key *key, bool with_pmi, es_store_each each,
                        void *context, es_error *err) {
    pthread_mutex_lock(&store->lock);
    sqlite3_stmt *s = store->statement[with_pmi ? SQL_LOAD_PMI : SQL_LOAD];
    int code = store_bind_key(s, key);
    es_status st = ES_OK;
    while (st == ES_OK && code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        es_store_pair pair = {0};
        bool usable = false;
        st = read_pair(s, with_pmi, &pair, &usable, err);
        if (st == ES_OK && usable)
            st = each(context, &pair, err);
        es_free(pair.result.pmi);
        es_free(pair.reason);
        code = SQLITE_OK;
    }
    if (st == ES_OK && code != SQLITE_DONE)
        st = store_explain(store, code, err);
    sqlite3_reset(s);
    pthread_mutex_unlock(&store->lock);
    return st;
}

es_status es_store_get(es_store *store, const es_store_key *key, es_digest source, es_digest target,
                       bool with_pmi, es_store_pair *out, es_error *err) {
    es_store_pair pair = {0};
    bool usable = false;
    pthread_mutex_lock(&store->lock);
    sqlite3_stmt *s = store->statement[with_pmi ? SQL_GET_PMI : SQL_GET];
    int code = store_bind_key(s, key);
    STORE_BIND(store_bind_digest(s, 6, source));
    STORE_BIND(store_bind_digest(s, 7, target));
    es_status st = ES_OK;
    if (code == SQLITE_OK)
        code = sqlite3_step(s);
    if (code == SQLITE_ROW)
        st = read_pair(s, with_pmi, &pair, &usable, err);
    else if (code != SQLITE_DONE)
        st = store_explain(store, code, err);
    if (st == ES_OK && !usable)
        st = es_fail(err, ES_ENOTFOUND, "%s: no such pair", store->shown);
    sqlite3_reset(s);
    pthread_mutex_unlock(&store->lock);
    if (st == ES_OK)
        *out = pair;
    return st;
}

/* ---- digest cache ---- */

static int bind_file(sqlite3_stmt *s, const char *path, const char *tensor, uint64_t size,
                     int64_t mtime_ns) {
    int code = sqlite3_bind_blob64(s, 1, path, strlen(path), SQLITE_TRANSIENT);
    STORE_BIND(store_bind_text(s, 2, tensor ? tensor : ""));
    STORE_BIND(sqlite3_bind_int64(s, 3, (sqlite3_int64)size));
    STORE_BIND(sqlite3_bind_int64(s, 4, mtime_ns));
    return code;
}

bool es_store_digest_get(es_store *store, const char *path, const char *tensor, uint64_t size,
                         int64_t mtime_ns, es_digest *out) {
    pthread_mutex_lock(&store->lock);
    sqlite3_stmt *s = store->statement[SQL_DIGEST_GET];
    bool found = bind_file(s, path, tensor, size, mtime_ns) == SQLITE_OK &&
                 sqlite3_step(s) == SQLITE_ROW && store_column_digest(s, 0, out);
    sqlite3_reset(s);
    pthread_mutex_unlock(&store->lock);
    return found;
}

es_status es_store_digest_put(es_store *store, const char *path, const char *tensor, uint64_t size,
                              int64_t mtime_ns, es_digest digest, es_error *err) {
    int64_t age = (int64_t)time(NULL) - mtime_ns / 1000000000;
    if (store->read_only || age < FRESH_SECONDS)
        return ES_OK;
    pthread_mutex_lock(&store->lock);
    sqlite3_stmt *s = store->statement[SQL_DIGEST_PUT];
    int code = bind_file(s, path, tensor, size, mtime_ns);
    STORE_BIND(store_bind_digest(s, 5, digest));
    es_status st = code == SQLITE_OK ? store_run_statement(store, SQL_DIGEST_PUT, err)
                                     : store_explain(store, code, err);
    pthread_mutex_unlock(&store->lock);
    return st;
}
