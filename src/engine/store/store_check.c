/* Is a store what it should be? What SQLite says of its file, rows that this program cannot have
 * written, and what earlier versions believed of files; and taking out what is wrong. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine_store.h"
#include "engine_store_parts.h"

#define BROKEN_DIGEST(column) "(typeof(" column ") <> 'blob' OR length(" column ") <> 16)"
#define BROKEN_NUMBER(column)                                                                      \
    "(typeof(" column ") NOT IN ('real', 'integer', 'null') OR abs(" column                        \
    ") > 1.7976931348623157e308)"
#define NO_NUMBER(column) "typeof(" column ") NOT IN ('real', 'integer')"
#define NO_RUN "run NOT IN (SELECT id FROM run)"

/* In this order: taking out pairs leaves values per row without one. A pair goes with its values:
 * without them the rows' share of the uncertainty is known of no pair. */
static const struct {
    const char *what, *table, *where;
} faults[] = {
    {"pairs whose estimator, settings and seed are not known", "pair", NO_RUN},
    {"pairs that name no contents", "pair", BROKEN_DIGEST("source") " OR " BROKEN_DIGEST("target")},
    {"pairs without a finite value", "pair",
     "failed = 0 AND (" NO_NUMBER("is_") " OR " BROKEN_NUMBER("is_") " OR " BROKEN_NUMBER(
         "se") " OR " BROKEN_NUMBER("h") " OR " BROKEN_NUMBER("h_cond") ")"},
    {"pairs with a number of rows that is none", "pair",
     "typeof(n_eval) <> 'integer' OR n_eval < 0"},
    {"pairs without values per row", "pair", "failed = 0 AND id NOT IN (SELECT pair FROM pmi)"},
    {"pairs whose values per row are not whole", "pair",
     "id IN (SELECT v.pair FROM pmi v JOIN pair p ON p.id = v.pair"
     " WHERE typeof(v.value) <> 'blob' OR length(v.value) <> 4 * p.n_eval OR NOT "
     "es_finite(v.value))"},
    {"values per row without their pair", "pmi", "pair NOT IN (SELECT id FROM pair)"},
    {"companion values without their pair", "beside", "pair NOT IN (SELECT id FROM pair)"},
    {"companion values that are not numbers", "beside",
     BROKEN_NUMBER("information") " OR " BROKEN_NUMBER(
         "information_se") " OR typeof(lambda) NOT IN ('real', 'integer', 'null')"
                           " OR typeof(rare) <> 'integer' OR typeof(limited) <> 'integer'"},
    {"values of measures whose settings are not known", "measured", NO_RUN},
    {"values of measures that name no contents", "measured",
     BROKEN_DIGEST("source") " OR " BROKEN_DIGEST("target")},
    {"values of measures that are neither finite nor explained", "measured",
     BROKEN_NUMBER("value") " OR (value IS NULL AND why IS NULL)"},
};
_Static_assert(sizeof faults / sizeof *faults == ES_STORE_FAULTS, "one number each");

const char *es_store_fault_text(size_t fault) {
    return faults[fault].what;
}

/* es_finite(values per row): little-endian floats whose exponent is not all ones. */
static void sql_finite(sqlite3_context *context, int count, sqlite3_value **argument) {
    const unsigned char *bytes = sqlite3_value_blob(argument[0]);
    size_t size = (size_t)sqlite3_value_bytes(argument[0]);
    bool finite = count == 1;
    for (size_t i = 0; i + 4 <= size && finite; i += 4)
        finite = (bytes[i + 3] & 0x7f) != 0x7f || (bytes[i + 2] & 0x80) == 0;
    sqlite3_result_int(context, finite);
}

static es_status add_functions(es_store *store, es_error *err) {
    int code = sqlite3_create_function_v2(store->db, "es_finite", 1,
                                          SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
                                          NULL, sql_finite, NULL, NULL, NULL);
    return code == SQLITE_OK ? ES_OK : store_explain(store, code, err);
}

/* Prepares one statement for one use. */
static es_status prepare_once(es_store *store, const char *text, sqlite3_stmt **out,
                              es_error *err) {
    int code = sqlite3_prepare_v2(store->db, text, -1, out, NULL);
    return code == SQLITE_OK ? ES_OK : store_explain(store, code, err);
}

static es_status query_size(es_store *store, const char *text, size_t *out, es_error *err) {
    sqlite3_stmt *s = NULL;
    es_status st = prepare_once(store, text, &s, err);
    int code = st == ES_OK ? sqlite3_step(s) : SQLITE_OK;
    if (st == ES_OK && code != SQLITE_ROW)
        st = store_explain(store, code, err);
    if (st == ES_OK)
        *out = (size_t)sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return st;
}

/* The first line of what is wrong, or "ok". */
static es_status check_pages(es_store *store, char *out, size_t capacity, es_error *err) {
    sqlite3_stmt *s = NULL;
    es_status st = prepare_once(store, "PRAGMA integrity_check(1)", &s, err);
    int code = st == ES_OK ? sqlite3_step(s) : SQLITE_OK;
    const char *said = code == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
    if (said != NULL)
        es_text_clean_into(out, capacity, said, strlen(said));
    else if (st == ES_OK)
        st = store_explain(store, code, err);
    sqlite3_finalize(s);
    return st;
}

/* Older files that are only read lack tables. */
static bool is_there(const es_store *store, size_t fault) {
    const char *table = faults[fault].table;
    return (store->measures || strcmp(table, "measured") != 0) &&
           (store->beside || strcmp(table, "beside") != 0);
}

/* Counts the rows of the store and those with each kind of fault. */
static es_status survey_store(es_store *store, es_store_survey *out, es_error *err) {
    es_status st = check_pages(store, out->pages, sizeof out->pages, err);
    if (st == ES_OK)
        st = add_functions(store, err);
    if (st == ES_OK)
        st = query_size(store, "SELECT count(*) FROM pair", &out->pairs, err);
    if (st == ES_OK && store->measures)
        st = query_size(store, "SELECT count(*) FROM measured", &out->measured, err);
    for (size_t i = 0; i < ES_STORE_FAULTS && st == ES_OK; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text, "SELECT count(*) FROM %s WHERE %s", faults[i].table,
                       faults[i].where);
        if (is_there(store, i))
            st = query_size(store, text, &out->fault[i], err);
    }
    return st;
}

es_status es_store_check(es_store *store, es_store_survey *out, es_error *err) {
    es_store_survey found = {0};
    pthread_mutex_lock(&store->lock);
    es_status st = survey_store(store, &found, err);
    pthread_mutex_unlock(&store->lock);
    if (st == ES_OK)
        *out = found;
    return st;
}

/* In a transaction. */
static es_status delete_faults(es_store *store, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < ES_STORE_FAULTS && st == ES_OK; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text, "DELETE FROM %s WHERE %s", faults[i].table,
                       faults[i].where);
        if (is_there(store, i))
            st = store_execute(store, text, err);
    }
    return st;
}

es_status es_store_mend(es_store *store, es_error *err) {
    pthread_mutex_lock(&store->lock);
    es_status st = add_functions(store, err);
    if (st == ES_OK)
        st = store_begin_writing(store, err);
    if (st == ES_OK)
        st = delete_faults(store, err);
    st = store_end_writing(store, st, err);
    pthread_mutex_unlock(&store->lock);
    return st;
}

/* ---- runs ---- */

static es_status list_runs(es_store *store, const char *text, es_store_each_run each, void *context,
                           es_error *err) {
    sqlite3_stmt *s = NULL;
    pthread_mutex_lock(&store->lock);
    es_status st = prepare_once(store, text, &s, err);
    int code = SQLITE_DONE;
    while (st == ES_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        const char *estimator = (const char *)sqlite3_column_text(s, 0);
        const char *settings = (const char *)sqlite3_column_text(s, 2);
        es_store_key key = {.estimator = estimator,
                            .version = (unsigned)sqlite3_column_int64(s, 1),
                            .settings = settings,
                            .seed = (uint64_t)sqlite3_column_int64(s, 3)};
        if (estimator && settings && store_column_digest(s, 4, &key.rowset))
            st = each(context, &key, err);
    }
    if (st == ES_OK && code != SQLITE_DONE)
        st = store_explain(store, code, err);
    sqlite3_finalize(s);
    pthread_mutex_unlock(&store->lock);
    return st;
}

#define RUNS_OF(table)                                                                             \
    "SELECT estimator, version, settings, seed, rowset FROM run"                                   \
    " WHERE id IN (SELECT run FROM " table ") ORDER BY estimator, version, settings, seed, rowset"

es_status es_store_runs(es_store *store, es_store_each_run each, void *context, es_error *err) {
    return list_runs(store, RUNS_OF("pair"), each, context, err);
}

es_status es_store_measured_runs(es_store *store, es_store_each_run each, void *context,
                                 es_error *err) {
    return list_runs(store, RUNS_OF("measured"), each, context, err);
}

/* A statement about one pair of a run: parameters 1 to 7. */
static es_status prepare_pair(es_store *store, const char *text, const es_store_key *key,
                              es_digest source, es_digest target, sqlite3_stmt **out,
                              es_error *err) {
    es_status st = prepare_once(store, text, out, err);
    if (st != ES_OK)
        return st;
    int code = store_bind_key(*out, key);
    STORE_BIND(store_bind_digest(*out, 6, source));
    STORE_BIND(store_bind_digest(*out, 7, target));
    return code == SQLITE_OK ? ES_OK : store_explain(store, code, err);
}

#define THE_RUN                                                                                    \
    "(SELECT id FROM run WHERE estimator = ?1 AND version = ?2 AND settings = ?3 AND seed = ?4"    \
    " AND rowset = ?5)"

es_status es_store_origin(es_store *store, const es_store_key *key, es_digest source,
                          es_digest target, char **out, es_error *err) {
    sqlite3_stmt *s = NULL;
    char *copy = NULL;
    pthread_mutex_lock(&store->lock);
    es_status st = prepare_pair(store,
                                "SELECT text FROM provenance WHERE id = (SELECT provenance FROM"
                                " pair WHERE run = " THE_RUN " AND source = ?6 AND target = ?7)",
                                key, source, target, &s, err);
    if (st == ES_OK && sqlite3_step(s) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(s, 0);
        if (text && !(copy = es_strdup(text)))
            st = es_no_memory(err);
    }
    sqlite3_finalize(s);
    pthread_mutex_unlock(&store->lock);
    if (st == ES_OK)
        *out = copy;
    return st;
}

/* ---- taking out ---- */

/* Runs a prepared statement to its end; rows changed. */
static es_status finish(es_store *store, sqlite3_stmt *s, size_t *changed, es_error *err) {
    int code = sqlite3_step(s);
    if (code != SQLITE_DONE)
        return store_explain(store, code, err);
    *changed += (size_t)sqlite3_changes(store->db);
    return ES_OK;
}

/* What is left of pairs that were taken out. */
static es_status drop_rest(es_store *store, es_error *err) {
    es_status st =
        store_execute(store, "DELETE FROM pmi WHERE pair NOT IN (SELECT id FROM pair)", err);
    return st == ES_OK && store->beside
               ? store_execute(store, "DELETE FROM beside WHERE pair NOT IN (SELECT id FROM pair)",
                               err)
               : st;
}

es_status es_store_remove(es_store *store, const es_store_key *key, es_digest source,
                          es_digest target, es_error *err) {
    sqlite3_stmt *s = NULL;
    size_t changed = 0;
    es_status st = ES_OK;
    pthread_mutex_lock(&store->lock);
    ES_TRY(store_begin_writing(store, err));
    ES_TRY(prepare_pair(store,
                        "DELETE FROM pair WHERE run = " THE_RUN " AND source = ?6 AND target = ?7",
                        key, source, target, &s, err));
    ES_TRY(finish(store, s, &changed, err));
    ES_TRY(drop_rest(store, err));
done:
    sqlite3_finalize(s);
    st = store_end_writing(store, st, err);
    pthread_mutex_unlock(&store->lock);
    return st;
}

/* ---- what earlier versions believed ---- */

bool es_store_believed(es_store *store, const char *path, const char *tensor, uint64_t size,
                       int64_t mtime_ns, es_digest *out) {
    sqlite3_stmt *s = NULL;
    bool found = false;
    pthread_mutex_lock(&store->lock);
    if (prepare_once(store,
                     "SELECT digest FROM digest WHERE path = ?1 AND tensor = ?2 AND size = ?3"
                     " AND mtime = ?4",
                     &s, NULL) == ES_OK) {
        int code = sqlite3_bind_blob64(s, 1, path, strlen(path), SQLITE_TRANSIENT);
        STORE_BIND(store_bind_text(s, 2, tensor));
        STORE_BIND(sqlite3_bind_int64(s, 3, (sqlite3_int64)size));
        STORE_BIND(sqlite3_bind_int64(s, 4, mtime_ns));
        found =
            code == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW && store_column_digest(s, 0, out);
    }
    sqlite3_finalize(s);
    pthread_mutex_unlock(&store->lock);
    return found;
}

/* `text` about one digest, ?1. */
static es_status about_digest(es_store *store, const char *text, es_digest digest, bool count,
                              size_t *sum, es_error *err) {
    sqlite3_stmt *s = NULL;
    es_status st = prepare_once(store, text, &s, err);
    int code = st == ES_OK ? store_bind_digest(s, 1, digest) : SQLITE_OK;
    if (code != SQLITE_OK)
        st = store_explain(store, code, err);
    if (st == ES_OK && !count) {
        st = finish(store, s, sum, err);
    } else if (st == ES_OK) {
        code = sqlite3_step(s);
        if (code == SQLITE_ROW)
            *sum += (size_t)sqlite3_column_int64(s, 0);
        else
            st = store_explain(store, code, err);
    }
    sqlite3_finalize(s);
    return st;
}

es_status es_store_count_contents(es_store *store, es_digest digest, size_t *out, es_error *err) {
    size_t sum = 0;
    pthread_mutex_lock(&store->lock);
    es_status st = about_digest(store, "SELECT count(*) FROM pair WHERE source = ?1 OR target = ?1",
                                digest, true, &sum, err);
    if (st == ES_OK && store->measures)
        st = about_digest(store, "SELECT count(*) FROM measured WHERE source = ?1 OR target = ?1",
                          digest, true, &sum, err);
    pthread_mutex_unlock(&store->lock);
    if (st == ES_OK)
        *out = sum;
    return st;
}

es_status es_store_remove_contents(es_store *store, es_digest digest, es_error *err) {
    size_t changed = 0;
    es_status st = ES_OK;
    pthread_mutex_lock(&store->lock);
    ES_TRY(store_begin_writing(store, err));
    ES_TRY(about_digest(store, "DELETE FROM pair WHERE source = ?1 OR target = ?1", digest, false,
                        &changed, err));
    ES_TRY(drop_rest(store, err));
    if (store->measures)
        ES_TRY(about_digest(store, "DELETE FROM measured WHERE source = ?1 OR target = ?1", digest,
                            false, &changed, err));
    ES_TRY(
        about_digest(store, "DELETE FROM digest WHERE digest = ?1", digest, false, &changed, err));
done:
    st = store_end_writing(store, st, err);
    pthread_mutex_unlock(&store->lock);
    return st;
}

/* ---- runs and presets ---- */

/* The stored runs are matched with presets by the text of their settings, which is what they are
 * stored under. */

/* The preset with these settings; NULL: none has. */
static const char *preset_of(const es_estimator *estimator, const char *settings) {
    char text[1024];
    const char *found = NULL;
    double *values = es_alloc(estimator->n_settings + 1, sizeof *values);
    for (const es_preset *p = estimator->presets; values && !found && p && p->name; p++) {
        if (es_estimator_preset(estimator, p->name, values, NULL) != ES_OK)
            continue;
        (void)es_estimator_text(estimator, values, text, sizeof text);
        found = strcmp(text, settings) == 0 ? p->name : NULL;
    }
    es_free(values);
    return found;
}

typedef struct naming {
    es_words said;
    uint64_t asked;   /* the seed that nothing was found with */
    es_digest rowset; /* and the rows */
} naming;

/* Runs over several sets of other rows are reported once. */
static es_status add_run(void *context, const es_store_key *key, es_error *err) {
    naming *n = context;
    es_words *said = &n->said;
    const es_estimator *estimator = es_estimator_find(key->estimator);
    es_buf text = {0};
    if (!estimator) /* a measure */
        return ES_OK;
    const char *preset = preset_of(estimator, key->settings);
    bool older = key->version != estimator->version; /* its values are no longer what it finds */
    es_buf_printf(&text, "%s %s%s", key->estimator, preset ? preset : "with other settings",
                  older ? " of another version of embedscope" : "");
    if (key->seed != 0 || n->asked != 0)
        es_buf_printf(&text, " seed %" PRIu64, key->seed);
    es_buf_puts(&text, es_digest_equal(key->rowset, n->rowset) ? "" : " over other rows");
    es_status st = es_buf_check(&text, err);
    bool again = false;
    for (size_t i = 0; st == ES_OK && i < said->count; i++)
        again = again || strcmp(said->word[i], text.data) == 0;
    if (st == ES_OK && !again)
        st = es_words_add(said, text.data, err);
    es_buf_free(&text);
    return st;
}

es_status es_store_runs_put(es_store *store, uint64_t asked, es_digest rowset, es_buf *out,
                            es_error *err) {
    naming n = {.asked = asked, .rowset = rowset};
    es_status st = es_store_runs(store, add_run, &n, err);
    for (size_t i = 0; st == ES_OK && i < n.said.count; i++)
        es_buf_printf(out, "%s%s", i ? ", " : "", n.said.word[i]);
    es_words_deinit(&n.said);
    return st == ES_OK ? es_buf_check(out, err) : st;
}
