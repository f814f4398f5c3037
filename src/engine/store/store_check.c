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

static es_status query_size(es_store *store, const char *text, size_t *out, es_error *err) {
    sqlite3_int64 size = 0;
    es_status st = store_query(store, text, NULL, 0, store_take_int, &size, err);
    *out = (size_t)size;
    return st;
}

static es_status take_pages(void *context, sqlite3_stmt *s, es_error *err) {
    es_store_survey *out = context;
    (void)err;
    if (!out->pages[0])
        (void)store_column_text(s, 0, out->pages, sizeof out->pages);
    return ES_OK;
}

/* The first line of what is wrong, or "ok". */
static es_status check_pages(es_store *store, es_store_survey *out, es_error *err) {
    es_status st = store_query(store, "PRAGMA integrity_check(1)", NULL, 0, take_pages, out, err);
    return out->pages[0] ? ES_OK : st;
}

/* Older files that are only read lack tables. */
static bool is_there(const es_store *store, size_t fault) {
    const char *table = faults[fault].table;
    return (store->measures || strcmp(table, "measured") != 0) &&
           (store->beside || strcmp(table, "beside") != 0);
}

/* Counts the rows of the store and those with each kind of fault. */
static es_status survey_store(es_store *store, es_store_survey *out, es_error *err) {
    es_status st = ES_OK;
    ES_PASS(check_pages(store, out, err));
    ES_PASS(add_functions(store, err));
    ES_PASS(query_size(store, "SELECT count(*) FROM pair", &out->pairs, err));
    if (store->measures)
        ES_PASS(query_size(store, "SELECT count(*) FROM measured", &out->measured, err));
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

typedef struct runs {
    es_store_each_run each;
    void *context;
} runs;

static es_status tell_run(void *context, sqlite3_stmt *s, es_error *err) {
    const runs *to = context;
    const char *estimator = (const char *)sqlite3_column_text(s, 0);
    const char *settings = (const char *)sqlite3_column_text(s, 2);
    es_store_key key = {.estimator = estimator,
                        .version = (unsigned)sqlite3_column_int64(s, 1),
                        .settings = settings,
                        .seed = (uint64_t)sqlite3_column_int64(s, 3)};
    return estimator && settings && store_column_digest(s, 4, &key.rowset)
               ? to->each(to->context, &key, err)
               : ES_OK;
}

static es_status list_runs(es_store *store, const char *text, es_store_each_run each, void *context,
                           es_error *err) {
    runs to = {each, context};
    pthread_mutex_lock(&store->lock);
    es_status st = store_query(store, text, NULL, 0, tell_run, &to, err);
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

#define THE_RUN                                                                                    \
    "(SELECT id FROM run WHERE estimator = ?1 AND version = ?2 AND settings = ?3 AND seed = ?4"    \
    " AND rowset = ?5)"

static es_status copy_text(void *context, sqlite3_stmt *s, es_error *err) {
    char **out = context;
    const char *text = (const char *)sqlite3_column_text(s, 0);
    return text && !(*out = es_strdup(text)) ? es_no_memory(err) : ES_OK;
}

es_status es_store_origin(es_store *store, const es_store_key *key, es_digest source,
                          es_digest target, char **out, es_error *err) {
    char *copy = NULL;
    pthread_mutex_lock(&store->lock);
    es_status st =
        store_query(store,
                    "SELECT text FROM provenance WHERE id = (SELECT provenance FROM"
                    " pair WHERE run = " THE_RUN " AND source = ?6 AND target = ?7)",
                    STORE_VALUES(store_key(key), store_digest(source), store_digest(target)),
                    copy_text, &copy, err);
    pthread_mutex_unlock(&store->lock);
    if (st == ES_OK)
        *out = copy;
    else
        es_free(copy);
    return st;
}

/* ---- taking out ---- */

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
    es_status st = ES_OK;
    pthread_mutex_lock(&store->lock);
    ES_TRY(store_begin_writing(store, err));
    ES_TRY(store_query(
        store, "DELETE FROM pair WHERE run = " THE_RUN " AND source = ?6 AND target = ?7",
        STORE_VALUES(store_key(key), store_digest(source), store_digest(target)), NULL, NULL, err));
    ES_TRY(drop_rest(store, err));
done:
    st = store_end_writing(store, st, err);
    pthread_mutex_unlock(&store->lock);
    return st;
}

/* ---- what earlier versions believed ---- */

typedef struct belief {
    es_digest *out;
    bool found;
} belief;

static es_status take_digest(void *context, sqlite3_stmt *s, es_error *err) {
    belief *b = context;
    (void)err;
    b->found = b->found || store_column_digest(s, 0, b->out);
    return ES_OK;
}

bool es_store_believed(es_store *store, const char *path, const char *tensor, uint64_t size,
                       int64_t mtime_ns, es_digest *out) {
    belief b = {out, false};
    pthread_mutex_lock(&store->lock);
    (void)store_query(store,
                      "SELECT digest FROM digest WHERE path = ?1 AND tensor = ?2 AND size = ?3"
                      " AND mtime = ?4",
                      STORE_VALUES(store_bytes(path, strlen(path)), store_text(tensor),
                                   store_int((sqlite3_int64)size), store_int(mtime_ns)),
                      take_digest, &b, NULL);
    pthread_mutex_unlock(&store->lock);
    return b.found;
}

#define OF_CONTENTS(table) " FROM " table " WHERE source = ?1 OR target = ?1"

static es_status add_count(void *sum, sqlite3_stmt *s, es_error *err) {
    (void)err;
    *(size_t *)sum += (size_t)sqlite3_column_int64(s, 0);
    return ES_OK;
}

es_status es_store_count_contents(es_store *store, es_digest digest, size_t *out, es_error *err) {
    const store_value value = store_digest(digest);
    size_t sum = 0;
    pthread_mutex_lock(&store->lock);
    es_status st =
        store_query(store, "SELECT count(*)" OF_CONTENTS("pair"), &value, 1, add_count, &sum, err);
    if (st == ES_OK && store->measures)
        st = store_query(store, "SELECT count(*)" OF_CONTENTS("measured"), &value, 1, add_count,
                         &sum, err);
    pthread_mutex_unlock(&store->lock);
    if (st == ES_OK)
        *out = sum;
    return st;
}

es_status es_store_remove_contents(es_store *store, es_digest digest, es_error *err) {
    const store_value value = store_digest(digest);
    es_status st = ES_OK;
    pthread_mutex_lock(&store->lock);
    ES_TRY(store_begin_writing(store, err));
    ES_TRY(store_query(store, "DELETE" OF_CONTENTS("pair"), &value, 1, NULL, NULL, err));
    ES_TRY(drop_rest(store, err));
    if (store->measures)
        ES_TRY(store_query(store, "DELETE" OF_CONTENTS("measured"), &value, 1, NULL, NULL, err));
    ES_TRY(store_query(store, "DELETE FROM digest WHERE digest = ?1", &value, 1, NULL, NULL, err));
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
