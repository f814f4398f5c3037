/* Rows of a results file that somebody else wrote. The input gives the types and contents of the
 * columns of a few pairs and measured values in a real store; loading them must not crash, and must
 * not take a value for what it is not. */
#include <math.h>
#include <sys/stat.h>

#include <sqlite3.h>

#include "fuzz.h"
#include "engine_store.h"

static const es_store_key key = {"linear", 1, "s", 0, {1, 2}};

typedef struct input {
    const uint8_t *at, *end;
} input;

static uint8_t next(input *in) {
    return in->at < in->end ? *in->at++ : 0;
}

static size_t take(input *in, const uint8_t **bytes) {
    size_t length = next(in);
    if (length > (size_t)(in->end - in->at))
        length = (size_t)(in->end - in->at);
    *bytes = in->at;
    in->at += length;
    return length;
}

/* One value of any type, or (0) the one that belongs there. */
static void bind_any(sqlite3_stmt *s, int column, input *in) {
    const uint8_t *bytes = NULL;
    size_t length;
    uint64_t bits = 0;
    double value;
    switch (next(in) % 6) {
    case 1:
        sqlite3_bind_null(s, column);
        break;
    case 2:
    case 3:
        length = take(in, &bytes);
        memcpy(&bits, bytes, length < 8 ? length : 8);
        memcpy(&value, &bits, sizeof value);
        if (length % 2)
            sqlite3_bind_int64(s, column, (sqlite3_int64)bits);
        else
            sqlite3_bind_double(s, column, value);
        break;
    case 4:
        length = take(in, &bytes);
        sqlite3_bind_text(s, column, (const char *)bytes, (int)length, SQLITE_TRANSIENT);
        break;
    case 5:
        length = take(in, &bytes);
        sqlite3_bind_blob(s, column, bytes, (int)length, SQLITE_TRANSIENT);
        break;
    default:
        break;
    }
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
    sqlite3_stmt *s = NULL;
    fuzz_require(sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK);
    return s;
}

static void put_rows(const char *path, input *in) {
    static const uint8_t digest[16] = {1};
    sqlite3 *db = NULL;
    fuzz_require(sqlite3_open(path, &db) == SQLITE_OK);
    fuzz_require(sqlite3_exec(db, "PRAGMA synchronous=OFF; DELETE FROM pmi; DELETE FROM pair", NULL,
                              NULL, NULL) == SQLITE_OK);
    sqlite3_stmt *pair = prepare(
        db,
        "INSERT OR IGNORE INTO pair(id, run, source, target, failed, reason, is_, se, h, h_cond,"
        " n_eval, epochs, seconds, finished) VALUES(?1, (SELECT id FROM run), ?2, ?3, ?4, ?5,"
        " ?6, ?7, ?8, ?9, ?10, ?11, ?12, 0)");
    sqlite3_stmt *pmi = prepare(db, "INSERT OR IGNORE INTO pmi VALUES(?1, ?2)");
    for (int id = 1; id < 5 && in->at < in->end; id++) {
        sqlite3_bind_int(pair, 1, id);
        sqlite3_bind_blob(pair, 2, digest, 16, SQLITE_STATIC);
        sqlite3_bind_blob(pair, 3, digest, 16, SQLITE_STATIC);
        sqlite3_bind_int(pair, 4, 0);
        sqlite3_bind_int(pair, 10, 2);
        sqlite3_bind_int(pair, 11, 0);
        for (int column = 2; column <= 12; column++)
            bind_any(pair, column, in);
        (void)sqlite3_step(pair); /* a NULL where none may be: the row is not there */
        sqlite3_reset(pair);
        sqlite3_bind_int(pmi, 1, id);
        bind_any(pmi, 2, in);
        (void)sqlite3_step(pmi);
        sqlite3_reset(pmi);
    }
    sqlite3_finalize(pair);
    sqlite3_finalize(pmi);
    sqlite3_close(db);
}

/* The same bytes as rows of measures. */
static void put_measured(const char *path, input *in) {
    static const uint8_t digest[16] = {1};
    sqlite3 *db = NULL;
    fuzz_require(sqlite3_open(path, &db) == SQLITE_OK);
    fuzz_require(sqlite3_exec(db, "PRAGMA synchronous=OFF; DELETE FROM measured", NULL, NULL,
                              NULL) == SQLITE_OK);
    sqlite3_stmt *row =
        prepare(db, "INSERT OR IGNORE INTO measured(run, source, target, field, value, low, high,"
                    " why, warning, finished) VALUES((SELECT id FROM run), ?1, ?2, ?3, ?4, ?5, ?6,"
                    " ?7, ?8, 0)");
    for (int field = 0; field < 5 && in->at < in->end; field++) {
        sqlite3_bind_blob(row, 1, digest, 16, SQLITE_STATIC);
        sqlite3_bind_blob(row, 2, digest, 16, SQLITE_STATIC);
        sqlite3_bind_int(row, 3, field);
        for (int column = 1; column <= 8; column++)
            bind_any(row, column, in);
        (void)sqlite3_step(row);
        sqlite3_reset(row);
    }
    sqlite3_finalize(row);
    sqlite3_close(db);
}

static es_status check_measured(void *context, es_digest source, es_digest target, size_t field,
                                const es_measure_value *value, es_error *err) {
    (void)context;
    (void)source;
    (void)target;
    (void)err;
    fuzz_require(field <= INT64_MAX);
    fuzz_require(isfinite(value->value) || value->why);
    if (value->why)
        fuzz_require_clean(value->why);
    if (value->warning)
        fuzz_require_clean(value->warning);
    return ES_OK;
}

static es_status check_pair(void *context, es_store_pair *pair, es_error *err) {
    (void)context;
    (void)err;
    fuzz_require(!pair->failed || pair->reason);
    if (pair->reason)
        fuzz_require_clean(pair->reason);
    if (!pair->failed)
        fuzz_require(isfinite(pair->result.is));
    for (size_t i = 0; pair->result.pmi && i < pair->result.n_eval; i++)
        (void)(pair->result.pmi[i] > 0);
    return ES_OK;
}

static void make_store(const char *folder) {
    es_store *store = NULL;
    const es_store_pair pair = {.source = {3, 4}, .target = {5, 6}, .result = {.is = 1}};
    fuzz_require(es_store_open(folder, false, &store, NULL) == ES_OK);
    fuzz_require(es_store_put(store, &key, &pair, "{}", NULL) == ES_OK);
    es_store_close(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[128];
    input in = {data, data + size}, again = in;
    es_store *store = NULL;
    es_store_pair one = {0};
    es_error err = {0};
    if (!fuzz_folder_name[0])
        make_store(fuzz_folder());
    snprintf(path, sizeof path, "%s/.embedscope/results.db", fuzz_folder());
    put_rows(path, &in);
    put_measured(path, &again);
    fuzz_require(es_store_open(fuzz_folder(), false, &store, &err) == ES_OK);
    fuzz_require_told(es_store_load(store, &key, true, check_pair, NULL, &err), &err);
    fuzz_require_told(es_store_measured_load(store, &key, check_measured, NULL, &err), &err);
    if (es_store_get(store, &key, (es_digest){1, 0}, (es_digest){1, 0}, true, &one, &err) ==
        ES_OK) {
        (void)check_pair(NULL, &one, NULL);
        free(one.reason);
        free(one.result.pmi);
    }
    es_store_close(store);
    return 0;
}
