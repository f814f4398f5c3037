/* Pairs of estimators in the store. A row that this program cannot have written counts as not
 * stored. Per-row values lie in a table of their own, as little-endian floats. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "engine_store_parts.h"

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

/* True if the pair has values beside the main one. */
static bool has_beside(const es_store_pair *pair) {
    const es_pair_result *r = &pair->result;
    return !pair->failed &&
           (isfinite(r->information) || !isnan(r->lambda) || r->rare > 0 || r->limited > 0);
}

/* Stores the values beside a pair's main one, or removes them. */
static es_status put_beside(es_store *store, sqlite3_int64 id, const es_store_pair *pair,
                            es_error *err) {
    const es_pair_result *r = &pair->result;
    int which = has_beside(pair) ? SQL_BESIDE_PUT : SQL_BESIDE_DROP;
    sqlite3_stmt *s = store->statement[which];
    int code = sqlite3_bind_int64(s, 1, id);
    if (which == SQL_BESIDE_PUT) {
        STORE_BIND(sqlite3_bind_double(s, 2, r->information));
        STORE_BIND(sqlite3_bind_double(s, 3, r->information_se));
        STORE_BIND(sqlite3_bind_double(s, 4, r->lambda));
        STORE_BIND(sqlite3_bind_int64(s, 5, r->rare));
        STORE_BIND(sqlite3_bind_int64(s, 6, r->limited));
    }
    return code == SQLITE_OK ? store_run_statement(store, which, err)
                             : store_explain(store, code, err);
}

/* Inside a transaction; `pmi` as put_pmi. */
static es_status put_row(es_store *store, const es_store_key *key, const es_store_pair *pair,
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
    if (st == ES_OK && changed)
        st = put_beside(store, id, pair, err);
    if (st == ES_OK)
        st = store_drop_lease(store, run, pair->source, pair->target, err);
    return st;
}

static es_status put_pair(es_store *store, const es_store_key *key, const es_store_pair *pair,
                          const char *provenance, es_error *err) {
    float *pmi = NULL;
    if (!pair->failed && pair->result.pmi) {
        pmi = es_alloc(pair->result.n_eval, sizeof *pmi);
        if (!pmi)
            return es_no_memory(err);
        memcpy(pmi, pair->result.pmi, pair->result.n_eval * sizeof *pmi);
        swap_floats(pmi, pair->result.n_eval);
    }
    es_status st = put_row(store, key, pair, pmi, provenance, err);
    es_free(pmi);
    return st;
}

es_status es_store_put_all(es_store *store, const es_store_finished *pairs, size_t count,
                           const char *provenance, es_error *err) {
    es_status st = ES_OK;
    pthread_mutex_lock(&store->lock);
    ES_TRY(store_begin_writing(store, err));
    for (size_t i = 0; i < count; i++)
        ES_TRY(put_pair(store, pairs[i].key, pairs[i].pair, provenance, err));
done:
    st = store_end_writing(store, st, err);
    pthread_mutex_unlock(&store->lock);
    return st;
}

es_status es_store_put(es_store *store, const es_store_key *key, const es_store_pair *pair,
                       const char *provenance, es_error *err) {
    const es_store_finished one = {key, pair};
    return es_store_put_all(store, &one, 1, provenance, err);
}

static bool all_finite(const float *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* Room for the values of one pair after the other. */
typedef struct pmi_room {
    float *value; // (count), es_free
    size_t count;
} pmi_room;

/* Points *out to the per-row values of the current row, in `room`; none when they are missing or
 * not whole. */
static es_status column_pmi(sqlite3_stmt *s, int column, size_t n, pmi_room *room, float **out,
                            es_error *err) {
    const void *bytes = sqlite3_column_blob(s, column);
    if (!bytes || (size_t)sqlite3_column_bytes(s, column) != n * sizeof(float))
        return ES_OK;
    if (!room->value || room->count < n) {
        es_free(room->value);
        *room = (pmi_room){es_alloc(n, sizeof *room->value), n};
        if (!room->value)
            return es_no_memory(err);
    }
    memcpy(room->value, bytes, n * sizeof *room->value);
    swap_floats(room->value, n);
    if (all_finite(room->value, n))
        *out = room->value;
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

/* The current row, its values in `room` (NULL: not asked for). A row that this program cannot have
 * written (a value that is no finite number, a digest of another length) is not *usable*: it counts
 * as not stored, so the pair is estimated anew and the row replaced. */
static es_status read_pair(sqlite3_stmt *s, pmi_room *room, es_store_pair *out, bool *usable,
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
    r->information = store_column_double(s, 12);
    r->information_se = store_column_double(s, 13);
    r->lambda = store_column_double(s, 14);
    r->rare = (unsigned)sqlite3_column_int64(s, 15);
    r->limited = (unsigned)sqlite3_column_int64(s, 16);
    if (!out->failed && (!isfinite(r->is) || isinf(r->se) || isinf(r->h) || isinf(r->h_cond)))
        *usable = false;
    if (!*usable)
        return ES_OK;
    if (out->failed)
        return column_reason(s, 3, &out->reason, err);
    return room ? column_pmi(s, 17, r->n_eval, room, &r->pmi, err) : ES_OK;
}

/* Of the bound statement `which`; *newest: the largest number of a row, or as it was. */
static es_status load(es_store *store, int which, bool with_pmi, int64_t *newest,
                      es_store_each each, void *context, es_error *err) {
    sqlite3_stmt *s = store->statement[which];
    int code = SQLITE_OK;
    es_status st = ES_OK;
    pmi_room room = {0};
    while (st == ES_OK && code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        es_store_pair pair = {0};
        bool usable = false;
        int64_t id = sqlite3_column_int64(s, 11);
        *newest = id > *newest ? id : *newest;
        st = read_pair(s, with_pmi ? &room : NULL, &pair, &usable, err);
        if (st == ES_OK && usable)
            st = each(context, &pair, err);
        es_free(pair.reason);
        code = SQLITE_OK;
    }
    if (st == ES_OK && code != SQLITE_DONE)
        st = store_explain(store, code, err);
    sqlite3_reset(s);
    es_free(room.value);
    return st;
}

es_status es_store_load(es_store *store, const es_store_key *key, bool with_pmi, es_store_each each,
                        void *context, es_error *err) {
    int64_t newest = 0;
    int which = with_pmi ? SQL_LOAD_PMI : SQL_LOAD;
    pthread_mutex_lock(&store->lock);
    int code = store_bind_key(store->statement[which], key);
    es_status st = code == SQLITE_OK ? load(store, which, with_pmi, &newest, each, context, err)
                                     : store_explain(store, code, err);
    pthread_mutex_unlock(&store->lock);
    return st;
}

es_status es_store_load_after(es_store *store, const es_store_key *key, bool with_pmi,
                              int64_t *after, es_store_each each, void *context, es_error *err) {
    int64_t newest = *after;
    int which = with_pmi ? SQL_LOAD_AFTER_PMI : SQL_LOAD_AFTER;
    if (*after == 0) /* all of it: the index of the key finds it sooner */
        which = with_pmi ? SQL_LOAD_PMI : SQL_LOAD;
    pthread_mutex_lock(&store->lock);
    int code = store_bind_key(store->statement[which], key);
    if (*after > 0)
        STORE_BIND(sqlite3_bind_int64(store->statement[which], 6, *after));
    es_status st = code == SQLITE_OK ? load(store, which, with_pmi, &newest, each, context, err)
                                     : store_explain(store, code, err);
    pthread_mutex_unlock(&store->lock);
    if (st == ES_OK)
        *after = newest;
    return st;
}

es_status es_store_get(es_store *store, const es_store_key *key, es_digest source, es_digest target,
                       bool with_pmi, es_store_pair *out, es_error *err) {
    es_store_pair pair = {0};
    pmi_room room = {0};
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
        st = read_pair(s, with_pmi ? &room : NULL, &pair, &usable, err);
    else if (code != SQLITE_DONE)
        st = store_explain(store, code, err);
    if (st == ES_OK && !usable)
        st = es_fail(err, ES_ENOTFOUND, "%s: no such pair", store->shown);
    sqlite3_reset(s);
    pthread_mutex_unlock(&store->lock);
    if (st != ES_OK || !pair.result.pmi)
        es_free(room.value);
    if (st == ES_OK)
        *out = pair;
    return st;
}

/* ---- measures ---- */

/* Values of measures in the store: one row a field. The key's estimator is "measure NAME", source
 * and target are the embedders, the same one twice for measures of one. */

static int bind_optional(sqlite3_stmt *s, int index, const char *text) {
    return text ? store_bind_text(s, index, text) : sqlite3_bind_null(s, index);
}

/* Stores one field of a measure. */
static es_status put_field(es_store *store, sqlite3_int64 run, const es_store_measured *m,
                           size_t field, sqlite3_int64 provenance, es_error *err) {
    sqlite3_stmt *s = store->statement[SQL_MEASURE_PUT];
    const es_measure_value *v = &m->value[field];
    int code = sqlite3_bind_int64(s, 1, run);
    STORE_BIND(store_bind_digest(s, 2, m->source));
    STORE_BIND(store_bind_digest(s, 3, m->target));
    STORE_BIND(sqlite3_bind_int64(s, 4, (sqlite3_int64)field));
    STORE_BIND(sqlite3_bind_double(s, 5, v->value));
    STORE_BIND(sqlite3_bind_double(s, 6, v->low));
    STORE_BIND(sqlite3_bind_double(s, 7, v->high));
    STORE_BIND(bind_optional(s, 8, v->why));
    STORE_BIND(bind_optional(s, 9, v->warning));
    STORE_BIND(sqlite3_bind_int64(s, 10, (sqlite3_int64)time(NULL)));
    STORE_BIND(provenance > 0 ? sqlite3_bind_int64(s, 11, provenance) : sqlite3_bind_null(s, 11));
    return code == SQLITE_OK ? store_run_statement(store, SQL_MEASURE_PUT, err)
                             : store_explain(store, code, err);
}

es_status es_store_measured_put(es_store *store, const es_store_key *key,
                                const es_store_measured *measured, const char *provenance,
                                es_error *err) {
    sqlite3_int64 run = 0, origin = 0;
    es_status st = ES_OK;
    pthread_mutex_lock(&store->lock);
    ES_TRY(store_begin_writing(store, err));
    ES_TRY(store_run_of_key(store, key, &run, err));
    if (provenance)
        ES_TRY(store_provenance_id(store, provenance, &origin, err));
    for (size_t f = 0; f < measured->fields && st == ES_OK; f++)
        st = put_field(store, run, measured, f, origin, err);
done:
    st = store_end_writing(store, st, err);
    pthread_mutex_unlock(&store->lock);
    return st;
}

/* A stored text, cleaned, into `out`; NULL when there is none. */
static const char *column_text(sqlite3_stmt *s, int column, char *out, size_t capacity) {
    const char *text = (const char *)sqlite3_column_text(s, column);
    if (!text)
        return NULL;
    es_text_clean_into(out, capacity, text, strlen(text));
    return out;
}

es_status es_store_measured_load(es_store *store, const es_store_key *key,
                                 es_store_measured_each each, void *context, es_error *err) {
    es_status st = ES_OK;
    if (!store->measures)
        return ES_OK;
    pthread_mutex_lock(&store->lock);
    sqlite3_stmt *s = store->statement[SQL_MEASURE_GET];
    int code = store_bind_key(s, key);
    while (st == ES_OK && code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        char why[200], warning[200];
        es_digest source, target;
        sqlite3_int64 field = sqlite3_column_int64(s, 2);
        bool usable =
            store_column_digest(s, 0, &source) && store_column_digest(s, 1, &target) && field >= 0;
        const es_measure_value value = {.value = store_column_double(s, 3),
                                        .low = store_column_double(s, 4),
                                        .high = store_column_double(s, 5),
                                        .why = column_text(s, 6, why, sizeof why),
                                        .warning = column_text(s, 7, warning, sizeof warning)};
        /* What this program cannot have written counts as not stored. */
        if (usable && (isfinite(value.value) || value.why))
            st = each(context, source, target, (size_t)field, &value, err);
        code = SQLITE_OK;
    }
    if (st == ES_OK && code != SQLITE_DONE)
        st = store_explain(store, code, err);
    sqlite3_reset(s);
    pthread_mutex_unlock(&store->lock);
    return st;
}
