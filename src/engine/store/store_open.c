/* Opening a store: where it lies, whose it is, and which of its files SQLite may touch. The busy
 * handler waits for other processes and says so. */
#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "engine_store_parts.h"

/* Marks a database as ours ("Embs"), so that no other one is ever written to. */
enum { APPLICATION_ID = 0x456d6273 };
/* Waiting for another process. That a statement waits is believed for SEEN_MS after it last said
 * so: some pauses of a busy machine. */
enum { PAUSE_MS = 20, SAY_MS = 500, LOOK_MS = 100, SEEN_MS = 300 };

/* Per-row values lie in a table of their own, so that reading the matrix does not page through
 * them. The table of digests is of earlier versions, which believed a file's size and time; it is
 * neither read nor written any more, but a program of theirs may open the store. */
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

static const char measures_schema[] =
    "CREATE TABLE IF NOT EXISTS measured(run INTEGER NOT NULL REFERENCES run(id),"
    " source BLOB NOT NULL, target BLOB NOT NULL, field INTEGER NOT NULL, value REAL, low REAL,"
    " high REAL, why TEXT, warning TEXT, finished INTEGER NOT NULL,"
    " provenance INTEGER REFERENCES provenance(id),"
    " PRIMARY KEY(run, source, target, field)) WITHOUT ROWID";

/* What an estimator finds beside a pair's value; a pair without any has no row. */
static const char beside_schema[] =
    "CREATE TABLE IF NOT EXISTS beside(pair INTEGER PRIMARY KEY REFERENCES pair(id),"
    " information REAL, information_se REAL, lambda REAL, rare INTEGER NOT NULL,"
    " limited INTEGER NOT NULL)";

/* Numbers of owners are never used again: one that was taken for gone must not find its number to
 * be another's. */
static const char leases_schema[] =
    "CREATE TABLE IF NOT EXISTS owner(id INTEGER PRIMARY KEY AUTOINCREMENT, machine TEXT NOT NULL,"
    " host TEXT NOT NULL, pid INTEGER NOT NULL, began INTEGER NOT NULL, beat INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS claim(run INTEGER NOT NULL REFERENCES run(id),"
    " source BLOB NOT NULL, target BLOB NOT NULL, owner INTEGER NOT NULL,"
    " PRIMARY KEY(run, source, target)) WITHOUT ROWID";

/* The first column of the first row. */
static es_status query_int(es_store *store, const char *text, int *out, es_error *err) {
    sqlite3_int64 number = *out;
    es_status st = store_query(store, text, NULL, 0, store_take_int, &number, err);
    *out = (int)number;
    return st;
}

/* Checks that the file is a results store of a known version. *empty: it has no tables yet. Call in
 * a transaction: another process may be creating them. */
static es_status check_version(es_store *store, bool *empty, es_error *err) {
    int version = 0, owner = 0, tables = 0;
    ES_PASS(query_int(store, "PRAGMA user_version", &version, err));
    ES_PASS(query_int(store, "PRAGMA application_id", &owner, err));
    ES_PASS(query_int(store, "SELECT count(*) FROM sqlite_schema", &tables, err));
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

static long long clock_ms(void) {
    return (long long)(es_clock_now() * 1e3);
}

/* The busy handler: SQLite's own, but that others can see it (es_store_waits), and that it says so
 * after a while when a store is opened. `times` it has been called for this lock. */
static int wait_for_others(void *context, int times) {
    es_store *store = context;
    double now = es_clock_now();
    if (times == 0) {
        store->busy_since = now;
        store->paused_ms = 0;
        if (!store->gave_up)
            atomic_store(&store->waits_from, clock_ms());
    }
    store->waited = now - store->busy_since;
    if (store->paused_ms >= store->patience_ms) {
        atomic_store(&store->waits_seen, 0);
        store->gave_up = true;
        return 0;
    }
    atomic_store(&store->waits_seen, clock_ms());
    if (store->paused_ms >= SAY_MS && store->waiting != NULL && !store->told) {
        store->waiting->tell(store->waiting->context, store->shown);
        store->told = true;
    }
    int pause = times < PAUSE_MS ? times + 1 : PAUSE_MS; /* most locks are short */
    store->paused_ms += pause;
    pause_ms(pause);
    return 1;
}

double es_store_waits(const es_store *store) {
    long long seen = atomic_load(&store->waits_seen), from = atomic_load(&store->waits_from);
    bool waits = seen > 0 && clock_ms() - seen < SEEN_MS && seen - from >= SAY_MS;
    return waits ? (double)(seen - from) / 1e3 : 0;
}

/* The change to WAL takes an exclusive lock without asking the busy handler, so two processes that
 * create a store at the same moment need this loop. Where shared memory is not to be had (some
 * network folders) SQLite stays with its rollback journal, which is slower and as safe. It is what
 * stores of shares have from the start: their readers may be on other machines, and the shared
 * memory of WAL is of one. */
static es_status set_journal(es_store *store, es_error *err) {
    const char *mode = store->by_journal ? "PRAGMA journal_mode=DELETE" : "PRAGMA journal_mode=WAL";
    for (int times = 0;; times++) {
        int code = sqlite3_exec(store->db, mode, NULL, NULL, NULL);
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
        ES_TRY(store_execute(store, measures_schema, err));
        ES_TRY(store_execute(store, beside_schema, err));
        ES_TRY(store_execute(store, leases_schema, err));
        ES_TRY(store_execute(store, stamp, err));
    }
    st = store_execute(store, "COMMIT", err);
done:
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

/* Older files lack some tables; they are created unless the file is only read. *there: it exists
 * now. */
static es_status find_table(es_store *store, const char *count, const char *create, bool *there,
                            es_error *err) {
    int tables = 0;
    es_status st = query_int(store, count, &tables, err);
    if (st == ES_OK && tables == 0 && !store->read_only)
        st = store_execute(store, create, err);
    *there = tables > 0 || !store->read_only;
    return st;
}

static es_status find_measures(es_store *store, es_error *err) {
    return find_table(store, "SELECT count(*) FROM sqlite_schema WHERE name = 'measured'",
                      measures_schema, &store->measures, err);
}

static es_status find_beside(es_store *store, es_error *err) {
    return find_table(store, "SELECT count(*) FROM sqlite_schema WHERE name = 'beside'",
                      beside_schema, &store->beside, err);
}

/* Those of leases likewise. Where they cannot be made there are no leases, and all else goes on. */
static es_status find_leases(es_store *store, es_error *err) {
    int tables = 0;
    if (store->read_only)
        return ES_OK;
    es_status st = query_int(
        store, "SELECT count(*) FROM sqlite_schema WHERE name IN ('owner', 'claim')", &tables, err);
    if (st == ES_OK)
        store->leases = tables == 2 || store_execute(store, leases_schema, NULL) == ES_OK;
    return st;
}

static void close_database(es_store *store) {
    for (int i = 0; i < SQL_COUNT; i++) {
        sqlite3_finalize(store->statement[i]);
        store->statement[i] = NULL;
    }
    sqlite3_close(store->db);
    store->db = NULL;
}

/* The VFS to open databases with; NULL when out of memory. From any thread. */
static const char *store_vfs(void);

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
    store_be_patient(store, store->untouched ? LOOK_MS : STORE_BUSY_MS);
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
            ES_TRY(set_journal(store, err));
        if (empty)
            ES_TRY(create_schema(store, err));
    } else if (empty) {
        st = es_fail(err, ES_ENOTFOUND, "%s: nothing is stored yet; run \"embedscope estimate\"",
                     store->shown);
        goto done;
    } else {
        ES_TRY(store_execute(store, "PRAGMA query_only=ON", err));
    }
    ES_TRY(find_measures(store, err));
    ES_TRY(find_beside(store, err));
    ES_TRY(find_leases(store, err));
    st = store_prepare(store, err);
done:
    if (st != ES_OK)
        close_database(store);
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
    int access = store->untouched ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    es_status st = connect_to(store, store->path, access | SQLITE_OPEN_NOFOLLOW, err);
    if (st == ES_EIO && store->read_only && !store->untouched)
        st = connect_immutable(store, err);
    return st;
}

es_status es_store_open(const char *pool_path, bool read_only, es_store **out, es_error *err) {
    return es_store_open_saying(pool_path, read_only, NULL, out, err);
}

/* *path becomes the store's; NULL: in memory. */
static es_status open_path(char **path, es_store as, const es_store_waiting *waiting,
                           es_store **out, es_error *err) {
    es_store *store = es_alloc(1, sizeof *store);
    if (!store)
        return es_no_memory(err);
    *store = as;
    if (pthread_mutex_init(&store->lock, NULL) != 0) {
        es_free(store);
        return es_no_memory(err);
    }
    es_status st = ES_OK;
    store->waiting = waiting != NULL && waiting->tell != NULL ? waiting : NULL;
    store->path = *path;
    *path = NULL;
    const char *name = store->path ? store->path : ":memory:";
    store->shown = es_text_clean(name, strlen(name), 0);
    if (!store->shown) {
        st = es_no_memory(err);
        goto done;
    }
    ES_TRY(connect_store(store, err));
    if (store->told && store->waiting != NULL && store->waiting->had != NULL)
        store->waiting->had(store->waiting->context, store->shown, store->waited);
    store->waiting = NULL; /* the caller's */
    *out = store;
done:
    if (st != ES_OK)
        es_store_close(store);
    return st;
}

es_status es_store_open_saying(const char *pool_path, bool read_only,
                               const es_store_waiting *waiting, es_store **out, es_error *err) {
    char *path = NULL;
    es_status st = ES_OK;
    if (pool_path && read_only)
        st = es_store_place_read(pool_path, &path, err);
    else if (pool_path)
        st = es_store_place_write(pool_path, &path, err);
    if (st == ES_OK)
        st = open_path(&path, (es_store){.read_only = read_only && pool_path}, waiting, out, err);
    es_free(path);
    return st;
}

es_status es_store_open_file(const char *file, bool read_only, const es_store_waiting *waiting,
                             es_store **out, es_error *err) {
    char *path = NULL;
    const es_store as = {.read_only = read_only, .by_journal = true};
    es_status st = es_store_place_file(file, !read_only, &path, err);
    if (st == ES_OK)
        st = open_path(&path, as, waiting, out, err);
    es_free(path);
    return st;
}

es_status es_store_open_look(const char *file, es_store **out, es_error *err) {
    char *path = NULL;
    const es_store as = {.read_only = true, .untouched = true};
    es_status st = es_store_place_file(file, false, &path, err);
    if (st == ES_OK)
        st = open_path(&path, as, NULL, out, err);
    es_free(path);
    return st;
}

void es_store_close(es_store *store) {
    if (!store)
        return;
    store_leave(store);
    close_database(store);
    pthread_mutex_destroy(&store->lock);
    es_free(store->path);
    es_free(store->shown);
    es_free(store);
}

const char *es_store_path(const es_store *store) {
    return store->shown;
}

const char *es_store_file(const es_store *store) {
    return store->path;
}

/* ---- the files that SQLite opens ---- */

/* The files that SQLite opens for a store. A pool can come from anywhere, and with it all that lies
 * in its .embedscope. SQLite trusts the journal beside a database: one may name a "super-journal",
 * any file at all, which SQLite deletes once it has rolled back; and it waits for ever in open() of
 * a FIFO. So stores are opened through its own VFS except one call. */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static sqlite3_vfs guarded; /* filled once, then only read */
static sqlite3_vfs *usual;

/* A store is one database, so no journal of ours names another file; and what is there already must
 * be a plain file. `name` is NULL for temporary files. */
static int open_guarded(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                        int *got) {
    struct stat info;
    file->pMethods = NULL; /* nothing for SQLite to close */
    errno = 0;             /* which it reports with a refusal */
    if (flags & SQLITE_OPEN_SUPER_JOURNAL)
        return SQLITE_CANTOPEN;
    if (name && lstat(name, &info) == 0 && !S_ISREG(info.st_mode))
        return SQLITE_CANTOPEN;
    return usual->xOpen(vfs, name, file, flags, got);
}

static void make_vfs(void) {
    usual = sqlite3_vfs_find(NULL);
    if (!usual)
        return;
    guarded = *usual;
    guarded.pNext = NULL;
    guarded.zName = "embedscope";
    guarded.xOpen = open_guarded;
    if (sqlite3_vfs_register(&guarded, 0) != SQLITE_OK)
        usual = NULL;
}

static const char *store_vfs(void) {
    return pthread_once(&once, make_vfs) == 0 && usual ? guarded.zName : NULL;
}
