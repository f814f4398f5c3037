/* Values of measures in the store: one row a field. The key's estimator is "measure NAME", source
 * and target are the embedders, the same one twice for measures of one. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "engine_store_parts.h"

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
