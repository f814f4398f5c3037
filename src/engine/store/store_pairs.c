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

/* Of a failure all numbers are NULL, as NaN is. */
static es_status put_pair_row(es_store *store, sqlite3_int64 run, const es_store_pair *pair,
                              sqlite3_int64 provenance, sqlite3_int64 *id, bool *changed,
                              es_error *err) {
    static const es_pair_result none = {
        .is = (double)NAN, .se = (double)NAN, .h = (double)NAN, .h_cond = (double)NAN};
    const es_pair_result *r = pair->failed ? &none : &pair->result;
    const char *reason = pair->reason ? pair->reason : "";
    return store_fetch(store, SQL_PAIR_PUT,
                       STORE_VALUES(store_int(run), store_digest(pair->source),
                                    store_digest(pair->target), store_int(pair->failed),
                                    store_text(pair->failed ? reason : NULL), store_real(r->is),
                                    store_real(r->se), store_real(r->h), store_real(r->h_cond),
                                    store_int((sqlite3_int64)r->n_eval), store_int(r->epochs),
                                    store_real(pair->seconds), store_int((sqlite3_int64)time(NULL)),
                                    store_row(provenance)),
                       id, changed, err);
}

/* `pmi` is in stored byte order; NULL when there is none. */
static es_status put_pmi(es_store *store, sqlite3_int64 id, const float *pmi, size_t n,
                         es_error *err) {
    return pmi ? store_run(store, SQL_PMI_PUT,
                           STORE_VALUES(store_int(id), store_bytes(pmi, n * sizeof *pmi)), err)
               : store_run(store, SQL_PMI_DROP, STORE_VALUES(store_int(id)), err);
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
    if (!has_beside(pair))
        return store_run(store, SQL_BESIDE_DROP, STORE_VALUES(store_int(id)), err);
    return store_run(store, SQL_BESIDE_PUT,
                     STORE_VALUES(store_int(id), store_real(r->information),
                                  store_real(r->information_se), store_real(r->lambda),
                                  store_int(r->rare), store_int(r->limited)),
                     err);
}

/* Inside a transaction; `pmi` as put_pmi. */
static es_status put_row(es_store *store, const es_store_key *key, const es_store_pair *pair,
                         const float *pmi, const char *provenance, es_error *err) {
    sqlite3_int64 run = 0, origin = 0, id = 0;
    bool changed = false;
    ES_PASS(store_run_of_key(store, key, &run, err));
    ES_PASS(store_provenance_id(store, provenance, &origin, err));
    ES_PASS(put_pair_row(store, run, pair, origin, &id, &changed, err));
    if (changed) {
        ES_PASS(put_pmi(store, id, pmi, pair->result.n_eval, err));
        ES_PASS(put_beside(store, id, pair, err));
    }
    return store_drop_lease(store, run, pair->source, pair->target, err);
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

/* Pairs on their way to who asked for them. */
typedef struct loading {
    es_store_each each;
    void *context;
    bool with_pmi;
    pmi_room room;
    int64_t newest; /* the largest number of a row, or as it was */
} loading;

static es_status load_row(void *context, sqlite3_stmt *s, es_error *err) {
    loading *l = context;
    es_store_pair pair = {0};
    bool usable = false;
    int64_t id = sqlite3_column_int64(s, 11);
    l->newest = id > l->newest ? id : l->newest;
    es_status st = read_pair(s, l->with_pmi ? &l->room : NULL, &pair, &usable, err);
    if (st == ES_OK && usable)
        st = l->each(l->context, &pair, err);
    es_free(pair.reason);
    return st;
}

es_status es_store_load(es_store *store, const es_store_key *key, bool with_pmi, es_store_each each,
                        void *context, es_error *err) {
    int64_t after = 0;
    return es_store_load_after(store, key, with_pmi, &after, each, context, err);
}

es_status es_store_load_after(es_store *store, const es_store_key *key, bool with_pmi,
                              int64_t *after, es_store_each each, void *context, es_error *err) {
    loading l = {.each = each, .context = context, .with_pmi = with_pmi, .newest = *after};
    int which = with_pmi ? SQL_LOAD_AFTER_PMI : SQL_LOAD_AFTER;
    size_t values = 2;
    if (*after == 0) { /* all of it: the index of the key finds it sooner */
        which = with_pmi ? SQL_LOAD_PMI : SQL_LOAD;
        values = 1;
    }
    const store_value value[] = {store_key(key), store_int(*after)};
    pthread_mutex_lock(&store->lock);
    es_status st = store_list(store, which, value, values, load_row, &l, err);
    pthread_mutex_unlock(&store->lock);
    es_free(l.room.value);
    if (st == ES_OK)
        *after = l.newest;
    return st;
}

typedef struct kept {
    es_store_pair pair;
    bool found;
} kept;

/* Takes the pair's reason. */
static es_status keep_pair(void *context, es_store_pair *pair, es_error *err) {
    kept *k = context;
    (void)err;
    *k = (kept){*pair, true};
    pair->reason = NULL;
    return ES_OK;
}

es_status es_store_get(es_store *store, const es_store_key *key, es_digest source, es_digest target,
                       bool with_pmi, es_store_pair *out, es_error *err) {
    kept k = {.found = false};
    loading l = {.each = keep_pair, .context = &k, .with_pmi = with_pmi};
    pthread_mutex_lock(&store->lock);
    es_status st =
        store_list(store, with_pmi ? SQL_GET_PMI : SQL_GET,
                   STORE_VALUES(store_key(key), store_digest(source), store_digest(target)),
                   load_row, &l, err);
    pthread_mutex_unlock(&store->lock);
    if (st == ES_OK && !k.found)
        st = es_fail(err, ES_ENOTFOUND, "%s: no such pair", store->shown);
    if (st != ES_OK || !k.pair.result.pmi) /* else it is the pair's */
        es_free(l.room.value);
    if (st == ES_OK)
        *out = k.pair;
    else
        es_free(k.pair.reason);
    return st;
}

/* ---- measures ---- */

/* Values of measures in the store: one row a field. The key's estimator is "measure NAME", source
 * and target are the embedders, the same one twice for measures of one. */

/* Stores one field of a measure. */
static es_status put_field(es_store *store, sqlite3_int64 run, const es_store_measured *m,
                           size_t field, sqlite3_int64 provenance, es_error *err) {
    const es_measure_value *v = &m->value[field];
    return store_run(store, SQL_MEASURE_PUT,
                     STORE_VALUES(store_int(run), store_digest(m->source), store_digest(m->target),
                                  store_int((sqlite3_int64)field), store_real(v->value),
                                  store_real(v->low), store_real(v->high), store_text(v->why),
                                  store_text(v->warning), store_int((sqlite3_int64)time(NULL)),
                                  store_row(provenance)),
                     err);
}

es_status es_store_measured_put(es_store *store, const es_store_key *key,
                                const es_store_measured *measured, const char *provenance,
                                es_error *err) {
    sqlite3_int64 run = 0, origin = 0;
    es_status st = ES_OK;
    pthread_mutex_lock(&store->lock);
    ES_TRY(store_begin_writing(store, err));
    ES_TRY(store_run_of_key(store, key, &run, err));
    ES_TRY(store_provenance_id(store, provenance, &origin, err));
    for (size_t f = 0; f < measured->fields && st == ES_OK; f++)
        st = put_field(store, run, measured, f, origin, err);
done:
    st = store_end_writing(store, st, err);
    pthread_mutex_unlock(&store->lock);
    return st;
}

typedef struct fields {
    es_store_measured_each each;
    void *context;
} fields;

/* What this program cannot have written counts as not stored. */
static es_status load_field(void *context, sqlite3_stmt *s, es_error *err) {
    const fields *to = context;
    char why[200], warning[200];
    es_digest source, target;
    sqlite3_int64 field = sqlite3_column_int64(s, 2);
    bool usable =
        store_column_digest(s, 0, &source) && store_column_digest(s, 1, &target) && field >= 0;
    const es_measure_value value = {.value = store_column_double(s, 3),
                                    .low = store_column_double(s, 4),
                                    .high = store_column_double(s, 5),
                                    .why = store_column_text(s, 6, why, sizeof why),
                                    .warning = store_column_text(s, 7, warning, sizeof warning)};
    return usable && (isfinite(value.value) || value.why)
               ? to->each(to->context, source, target, (size_t)field, &value, err)
               : ES_OK;
}

es_status es_store_measured_load(es_store *store, const es_store_key *key,
                                 es_store_measured_each each, void *context, es_error *err) {
    fields to = {each, context};
    if (!store->measures)
        return ES_OK;
    pthread_mutex_lock(&store->lock);
    es_status st =
        store_list(store, SQL_MEASURE_GET, STORE_VALUES(store_key(key)), load_field, &to, err);
    pthread_mutex_unlock(&store->lock);
    return st;
}
