/* What the files of the store share: its statements and its files. */
#ifndef ES_ENGINE_STORE_PARTS_H
#define ES_ENGINE_STORE_PARTS_H

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>

#include "engine_store.h"

/* The files that SQLite opens for a store. */

/* The inside of a store, shared by the store_*.c files.
 *
 *   store_sql.c       statements, values, errors, transactions
 *   store_pairs.c     pairs of estimators, values of measures
 *   store_leases.c    which process is at which pair
 *   store_merge.c     results of one store into another
 *   store_check.c     looking for what is wrong, and taking it out
 *   store_open.c      opening and closing; which files SQLite may open
 *   store_place.c     where the file lies */

enum {
    SQL_BEGIN,
    SQL_COMMIT,
    SQL_ROLLBACK,
    SQL_RUN_ADD,
    SQL_RUN_GET,
    SQL_PROVENANCE_ADD,
    SQL_PROVENANCE_GET,
    SQL_PAIR_PUT,
    SQL_PMI_PUT,
    SQL_PMI_DROP,
    SQL_LOAD,
    SQL_LOAD_PMI,
    SQL_GET,
    SQL_GET_PMI,
    SQL_LOAD_AFTER,
    SQL_LOAD_AFTER_PMI,
    SQL_BESIDE_PUT, /* where there is the table of companion values */
    SQL_BESIDE_DROP,
    SQL_MEASURE_GET, /* from here on: where there is the table of measures */
    SQL_MEASURE_PUT,
    SQL_VERSION, /* from here on: where there are the tables of leases */
    SQL_OWNER_ADD,
    SQL_OWNER_GET,
    SQL_OWNER_BEAT,
    SQL_OWNER_DROP,
    SQL_OWNERS,
    SQL_LEASE_ADD,
    SQL_LEASE_GET,
    SQL_LEASE_OTHERS,
    SQL_LEASE_DROP,
    SQL_LEASE_DROP_MINE,
    SQL_LEASE_DROP_ALL,
    SQL_PAIR_FAILED,
    SQL_COUNT
};

enum { STORE_BUSY_MS = 10000 }; /* waiting for another process */

struct es_store {
    pthread_mutex_t lock; /* around everything below; held by no caller of another lock */
    sqlite3 *db;
    sqlite3_stmt *statement[SQL_COUNT];
    char *path, *shown; /* raw and cleaned; NULL and ":memory:" in memory */
    bool read_only;
    bool by_journal; /* a file that the user named: other machines may read it while it grows */
    bool untouched;  /* only looked at: not even what a dead writer left half done is undone */
    const es_store_waiting *waiting; /* while it is opened; else NULL */
    bool told;                       /* that it waits */
    int patience_ms, paused_ms;      /* how long a statement waits for others, and this one did */
    double busy_since, waited;       /* es_clock_now(), and seconds until it was given up or had */
    atomic_llong waits_from, waits_seen; /* ms: began to wait, last seen to; 0: not since */
    bool gave_up;  /* the last that waited, in vain, and nothing was written since: one wait */
    bool measures; /* the table of measures is there: older files that are only read lack it */
    bool beside;   /* the table of companion values is there; the same */
    bool leases;   /* the tables of leases are there, and may be written */
    sqlite3_int64 owner; /* this process in them; 0: not entered */
};

/** What a parameter of a statement is set to. */
typedef struct store_value {
    enum {
        STORE_NULL,
        STORE_INT,
        STORE_REAL,
        STORE_TEXT,
        STORE_BYTES,
        STORE_DIGEST,
        STORE_KEY
    } kind;
    sqlite3_int64 number;
    double real; /* NaN: NULL */
    const void *data;
    size_t size;
    es_digest digest;
    const es_store_key *key; /* five parameters */
} store_value;

static inline store_value store_int(sqlite3_int64 number) {
    return (store_value){.kind = STORE_INT, .number = number};
}
static inline store_value store_real(double real) {
    return (store_value){.kind = STORE_REAL, .real = real};
}
/** NULL is NULL. */
static inline store_value store_text(const char *text) {
    return (store_value){.kind = text ? STORE_TEXT : STORE_NULL, .data = text};
}
/** Borrowed until the statement has run. */
static inline store_value store_bytes(const void *data, size_t size) {
    return (store_value){.kind = STORE_BYTES, .data = data, .size = size};
}
static inline store_value store_digest(es_digest digest) {
    return (store_value){.kind = STORE_DIGEST, .digest = digest};
}
static inline store_value store_key(const es_store_key *key) {
    return (store_value){.kind = STORE_KEY, .key = key};
}
/** Row `id` of another table; 0: NULL. */
static inline store_value store_row(sqlite3_int64 id) {
    return (store_value){.kind = id > 0 ? STORE_INT : STORE_NULL, .number = id};
}

/** Values of the parameters from 1 on: two arguments. */
#define STORE_VALUES(...)                                                                          \
    (const store_value[]){__VA_ARGS__},                                                            \
        sizeof((const store_value[]){__VA_ARGS__}) / sizeof(store_value)

/** What is done with each row of a query. */
typedef es_status store_each_row(void *context, sqlite3_stmt *s, es_error *err);

/** How long statements wait for other processes from now on. */
void store_be_patient(es_store *store, int ms);
/** What SQLite's result code means to the user of a results file. */
es_status store_explain(const es_store *store, int code, es_error *err);
/** A transaction to write in, in a store that may be written and that is still where it was. */
es_status store_begin_writing(es_store *store, es_error *err);
/** Commits it if `st`, of what was done in it, is ES_OK; else, or if that does not succeed, undoes
 *  it. Returns the first problem. Also for a transaction that could not be begun. */
es_status store_end_writing(es_store *store, es_status st, es_error *err);
/** Prepares all statements. */
es_status store_prepare(es_store *store, es_error *err);
es_status store_execute(es_store *store, const char *text, es_error *err);
/** Sets the parameters (count) of a statement; those behind them are NULL. */
es_status store_bind(es_store *store, sqlite3_stmt *s, const store_value *value, size_t count,
                     es_error *err);
/** Runs a statement of the table that gives no rows, with these parameters. */
es_status store_run(es_store *store, int which, const store_value *value, size_t count,
                    es_error *err);
/** Runs one that gives an integer. *found says whether there was a row. */
es_status store_fetch(es_store *store, int which, const store_value *value, size_t count,
                      sqlite3_int64 *out, bool *found, es_error *err);
/** Runs one that gives rows. */
es_status store_list(es_store *store, int which, const store_value *value, size_t count,
                     store_each_row *each, void *context, es_error *err);
/** Prepares a statement for one use and runs it; each: NULL where it gives no rows. */
es_status store_query(es_store *store, const char *text, const store_value *value, size_t count,
                      store_each_row *each, void *context, es_error *err);
/** store_each_row: the first column as a number, to a sqlite3_int64. */
es_status store_take_int(void *out, sqlite3_stmt *s, es_error *err);

/* Read values. SQLite has no NaN: it stores one as NULL. */
bool store_column_digest(sqlite3_stmt *statement, int column, es_digest *out);
double store_column_double(sqlite3_stmt *statement, int column);
/** A text, cleaned, into `out`; NULL, and "" there, without one. */
const char *store_column_text(sqlite3_stmt *statement, int column, char *out, size_t capacity);

/** The number of the key's run, made when it is not there yet. In a transaction. */
es_status store_run_of_key(es_store *store, const es_store_key *key, sqlite3_int64 *out,
                           es_error *err);
/** Take out the lease of a pair, whosever; in a transaction. */
es_status store_drop_lease(es_store *store, sqlite3_int64 run, es_digest source, es_digest target,
                           es_error *err);
/** Give back all that this process holds. */
void store_leave(es_store *store);
/** text NULL: 0. */
es_status store_provenance_id(es_store *store, const char *text, sqlite3_int64 *out, es_error *err);

#endif
