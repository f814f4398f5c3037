/* Merging of stores. Rows go over as they are, value by value; what they are is looked at before.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine_store_parts.h"

enum { BATCH = 2000 }; /* rows in a transaction: others may write in between */

/* Columns of both queries up to the digests. */
enum { RUN, ESTIMATOR, VERSION, SETTINGS, SEED, ROWSET, SOURCE, TARGET };
#define RUN_COLUMNS "r.id, r.estimator, r.version, r.settings, r.seed, r.rowset"

/* A kind of rows: pairs or values of measures. */
typedef struct kind {
    const char *read; /* after the digests: the columns of `add` in its order, from number 3 on,
                         then provenance as text and, of pairs, per-row values and companion
                         values with their pair */
    const char *read_older; /* the same of stores without the table of companion values; NULL: it
                               makes no difference */
    const char *known;      /* of run ?1, source ?2, target ?3 (and field ?4) */
    const char *add, *change;
    int columns;    /* of `read` after the digests that go over as they are */
    int provenance; /* parameter of `add` and `change` */
} kind;

static const kind pairs = {
    .read = "SELECT " RUN_COLUMNS ", p.source, p.target, p.failed, p.reason, p.is_, p.se, p.h,"
            " p.h_cond, p.n_eval, p.epochs, p.seconds, p.finished, v.text, m.value, b.pair,"
            " b.information, b.information_se, b.lambda, b.rare, b.limited FROM pair p"
            " JOIN run r ON r.id = p.run LEFT JOIN provenance v ON v.id = p.provenance"
            " LEFT JOIN pmi m ON m.pair = p.id LEFT JOIN beside b ON b.pair = p.id ORDER BY p.id",
    .read_older =
        "SELECT " RUN_COLUMNS ", p.source, p.target, p.failed, p.reason, p.is_, p.se, p.h,"
        " p.h_cond, p.n_eval, p.epochs, p.seconds, p.finished, v.text, m.value, NULL FROM pair p"
        " JOIN run r ON r.id = p.run LEFT JOIN provenance v ON v.id = p.provenance"
        " LEFT JOIN pmi m ON m.pair = p.id ORDER BY p.id",
    .known =
        "SELECT p.id, p.failed, p.is_, p.se, p.h, p.h_cond, p.n_eval, p.epochs, p.seconds,"
        " p.finished, m.value, b.pair FROM pair p LEFT JOIN pmi m ON m.pair = p.id"
        " LEFT JOIN beside b ON b.pair = p.id WHERE p.run = ?1 AND p.source = ?2 AND p.target = ?3",
    .add = "INSERT INTO pair(run, source, target, failed, reason, is_, se, h, h_cond, n_eval,"
           " epochs, seconds, finished, provenance)"
           " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    .change = "UPDATE pair SET failed = ?4, reason = ?5, is_ = ?6, se = ?7, h = ?8, h_cond = ?9,"
              " n_eval = ?10, epochs = ?11, seconds = ?12, finished = ?13, provenance = ?14"
              " WHERE run = ?1 AND source = ?2 AND target = ?3",
    .columns = 10,
    .provenance = 14};

static const kind measures = {
    .read = "SELECT " RUN_COLUMNS ", p.source, p.target, p.field, p.value, p.low, p.high, p.why,"
            " p.warning, p.finished, v.text FROM measured p JOIN run r ON r.id = p.run"
            " LEFT JOIN provenance v ON v.id = p.provenance"
            " WHERE r.estimator LIKE 'measure %'" /* what samples of rows came to is found again */
            " ORDER BY p.run, p.source, p.target, p.field",
    .known = "SELECT value, low, high, why, finished FROM measured"
             " WHERE run = ?1 AND source = ?2 AND target = ?3 AND field = ?4",
    .add = "INSERT INTO measured(run, source, target, field, value, low, high, why, warning,"
           " finished, provenance) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    .change = "UPDATE measured SET value = ?5, low = ?6, high = ?7, why = ?8, warning = ?9,"
              " finished = ?10, provenance = ?11"
              " WHERE run = ?1 AND source = ?2 AND target = ?3 AND field = ?4",
    .columns = 7,
    .provenance = 11};

typedef struct merging {
    es_store *to, *from;
    const es_merge_rules *rules;
    es_merged *out;
    const kind *kind;
    sqlite3_stmt *read;                 /* of `from` */
    sqlite3_stmt *known, *add, *change; /* of `to` */
    sqlite3_stmt *pmi, *beside;
    sqlite3_int64 run_there, run; /* of the last row, in either; run 0: none of it comes in */
    es_digest source, target;
} merging;

/* ---- values ---- */

static bool is_ours(const merging *m, es_digest digest) {
    return bsearch(&digest, m->rules->contents, m->rules->n_contents, sizeof digest,
                   es_digest_compare) != NULL;
}

/* Two columns, of which text, bytes, numbers and nothing are distinguished. */
static bool same(sqlite3_stmt *a, int i, sqlite3_stmt *b, int j) {
    int type = sqlite3_column_type(a, i);
    if (type != sqlite3_column_type(b, j))
        return false;
    if (type == SQLITE_NULL)
        return true;
    if (type == SQLITE_INTEGER)
        return sqlite3_column_int64(a, i) == sqlite3_column_int64(b, j);
    if (type == SQLITE_FLOAT) /* SQLite keeps NaN as nothing, and -0 as 0 */
        return sqlite3_column_double(a, i) == sqlite3_column_double(b, j);
    const void *x = sqlite3_column_blob(a, i), *y = sqlite3_column_blob(b, j);
    size_t size = (size_t)sqlite3_column_bytes(a, i);
    return size == (size_t)sqlite3_column_bytes(b, j) && (size == 0 || memcmp(x, y, size) == 0);
}

static bool all_same(const merging *m, int from, int known, int count) {
    for (int i = 0; i < count; i++)
        if (!same(m->read, from + i, m->known, known + i))
            return false;
    return true;
}

/* ---- one row ---- */

/* The place as the first parameters, and columns of the row at hand, from `from` on, behind them.
 */
static es_status bind_row(const merging *m, sqlite3_stmt *s, int from, int columns, es_error *err) {
    ES_PASS(store_bind(
        m->to, s, STORE_VALUES(store_int(m->run), store_digest(m->source), store_digest(m->target)),
        err));
    int code = SQLITE_OK;
    for (int i = 0; i < columns && code == SQLITE_OK; i++)
        code = sqlite3_bind_value(s, 4 + i, sqlite3_column_value(m->read, from + i));
    return code == SQLITE_OK ? ES_OK : store_explain(m->to, code, err);
}

/* Runs a prepared statement that returns no row, and resets it. */
static es_status run_once(merging *m, sqlite3_stmt *s, es_error *err) {
    int code = sqlite3_step(s);
    es_status st = code == SQLITE_DONE ? ES_OK : store_explain(m->to, code, err);
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    return st;
}

/* Adds the row, or puts it in the place of the one that is there. */
static es_status write_row(merging *m, sqlite3_stmt *s, es_error *err) {
    const char *origin = (const char *)sqlite3_column_text(m->read, TARGET + 1 + m->kind->columns);
    sqlite3_int64 provenance = 0;
    ES_PASS(store_provenance_id(m->to, origin, &provenance, err));
    ES_PASS(bind_row(m, s, TARGET + 1, m->kind->columns, err));
    int code = origin ? sqlite3_bind_int64(s, m->kind->provenance, provenance) : SQLITE_OK;
    return code == SQLITE_OK ? run_once(m, s, err) : store_explain(m->to, code, err);
}

enum { PMI = TARGET + 12, BESIDE = TARGET + 13 }; /* columns of pairs.read */

/* Values of rows. */
static es_status write_rows(merging *m, es_error *err) {
    if (sqlite3_column_type(m->read, PMI) != SQLITE_BLOB)
        return ES_OK;
    ES_PASS(bind_row(m, m->pmi, PMI, 1, err));
    return run_once(m, m->pmi, err);
}

/* Companion values. */
static es_status write_beside(merging *m, es_error *err) {
    if (sqlite3_column_type(m->read, BESIDE) == SQLITE_NULL)
        return ES_OK;
    ES_PASS(bind_row(m, m->beside, BESIDE + 1, 5, err));
    return run_once(m, m->beside, err);
}

/* Copies the current row and the rows that belong to it. */
static es_status copy_row(merging *m, sqlite3_stmt *how, es_error *err) {
    es_status st = write_row(m, how, err);
    if (st == ES_OK && m->kind == &pairs)
        st = write_rows(m, err);
    return st == ES_OK && m->kind == &pairs ? write_beside(m, err) : st;
}

/* What was not known: with it the lease of whoever was at the pair is over. */
static es_status take_news(merging *m, sqlite3_stmt *how, es_error *err) {
    es_status st = copy_row(m, how, err);
    m->out->taken++;
    return st == ES_OK && m->kind == &pairs
               ? store_drop_lease(m->to, m->run, m->source, m->target, err)
               : st;
}

/* Reports a value that differs here and there. */
static void report_conflict(const merging *m, double here, double there) {
    es_merge_conflict c = {.key = {.estimator = (const char *)sqlite3_column_text(m->read, 1),
                                   .version = (unsigned)sqlite3_column_int64(m->read, VERSION),
                                   .settings = (const char *)sqlite3_column_text(m->read, SETTINGS),
                                   .seed = (uint64_t)sqlite3_column_int64(m->read, SEED)},
                           .source = m->source,
                           .target = m->target,
                           .here = here,
                           .there = there};
    m->out->conflicts++;
    if (m->rules->conflict)
        m->rules->conflict(m->rules->context, &c);
}

/* True if of two equal values that of `from` was stored first, by the columns of both, so that
 * merging in any order keeps the same row. */
static bool is_earlier(const merging *m, int finished, int known_finished, int seconds,
                       int known_seconds) {
    int64_t there = sqlite3_column_int64(m->read, finished);
    int64_t here = sqlite3_column_int64(m->known, known_finished);
    return there < here || (there == here && store_column_double(m->read, seconds) <
                                                 store_column_double(m->known, known_seconds));
}

/* The row of a pair that is there already. */
static es_status settle_pair(merging *m, es_error *err) {
    enum {
        FAILED = TARGET + 1,
        IS = TARGET + 3,
        N_EVAL = TARGET + 7,
        SECONDS = TARGET + 9,
        FINISHED = TARGET + 10
    };
    enum { K_FAILED = 1, K_IS, K_N_EVAL = 6, K_SECONDS = 8, K_FINISHED, K_PMI, K_BESIDE };
    bool failed = sqlite3_column_int(m->read, FAILED) != 0;
    bool known_failed = sqlite3_column_int(m->known, K_FAILED) != 0;
    bool bare = sqlite3_column_type(m->known, K_PMI) == SQLITE_NULL &&
                sqlite3_column_type(m->read, PMI) != SQLITE_NULL;
    bool without = sqlite3_column_type(m->read, PMI) == SQLITE_NULL;
    if (known_failed && !failed)
        return take_news(m, m->change, err);
    m->out->known++;
    if (failed)
        return ES_OK;
    if (!all_same(m, IS, K_IS, 4) || !all_same(m, N_EVAL, K_N_EVAL, 2) ||
        (!bare && !without && !same(m->read, PMI, m->known, K_PMI))) {
        m->out->known--;
        report_conflict(m, store_column_double(m->known, K_IS), store_column_double(m->read, IS));
        return ES_OK;
    }
    if (is_earlier(m, FINISHED, K_FINISHED, SECONDS, K_SECONDS))
        return copy_row(m, m->change, err);
    es_status st = bare ? write_rows(m, err) : ES_OK;
    return st == ES_OK && sqlite3_column_type(m->known, K_BESIDE) == SQLITE_NULL
               ? write_beside(m, err)
               : st;
}

/* The seconds that a measure took stand behind its fields; they differ from time to time. */
static bool is_field(const merging *m, sqlite3_int64 field) {
    const char *name = (const char *)sqlite3_column_text(m->read, ESTIMATOR);
    const es_measure *measure =
        strncmp(name, "measure ", 8) == 0 ? es_measure_find(name + 8) : NULL;
    return measure == NULL || field < (sqlite3_int64)measure->n_fields;
}

/* Decides between a measure's value here and there, and reports a conflict. */
static es_status settle_measure(merging *m, es_error *err) {
    enum { FIELD = TARGET + 1, VALUE, FINISHED = TARGET + 7 };
    enum { K_VALUE, K_FINISHED = 4 };
    if (is_field(m, sqlite3_column_int64(m->read, FIELD)) && !all_same(m, VALUE, K_VALUE, 4)) {
        report_conflict(m, store_column_double(m->known, K_VALUE),
                        store_column_double(m->read, VALUE));
        return ES_OK;
    }
    m->out->known++;
    return is_earlier(m, FINISHED, K_FINISHED, VALUE, K_VALUE) ? copy_row(m, m->change, err)
                                                               : ES_OK;
}

/* A row that this program can have written. */
static bool is_whole(const merging *m) {
    enum { FAILED = TARGET + 1, IS = TARGET + 3 };
    if (m->kind == &measures)
        return sqlite3_column_int64(m->read, TARGET + 1) >= 0;
    return sqlite3_column_int(m->read, FAILED) != 0 || isfinite(store_column_double(m->read, IS));
}

static es_status merge_row(merging *m, es_error *err) {
    ES_PASS(bind_row(m, m->known, TARGET + 1, m->kind == &measures, err)); /* the field */
    int code = sqlite3_step(m->known);
    es_status st = ES_OK;
    if (code == SQLITE_DONE) {
        st = take_news(m, m->add, err);
    } else if (code == SQLITE_ROW) {
        st = m->kind == &pairs ? settle_pair(m, err) : settle_measure(m, err);
    } else {
        st = store_explain(m->to, code, err);
    }
    sqlite3_reset(m->known);
    return st;
}

/* The run of the current row in `to`; 0: nothing of it comes in. */
static es_status find_run(merging *m, es_error *err) {
    sqlite3_int64 there = sqlite3_column_int64(m->read, RUN);
    es_store_key key = {.estimator = (const char *)sqlite3_column_text(m->read, ESTIMATOR),
                        .version = (unsigned)sqlite3_column_int64(m->read, VERSION),
                        .settings = (const char *)sqlite3_column_text(m->read, SETTINGS),
                        .seed = (uint64_t)sqlite3_column_int64(m->read, SEED)};
    if (there == m->run_there)
        return ES_OK;
    m->run_there = there;
    m->run = 0;
    if (!key.estimator || !key.settings || !store_column_digest(m->read, ROWSET, &key.rowset))
        return ES_OK;
    unsigned version = m->rules->version(key.estimator);
    return version == 0 || version != key.version ? ES_OK
                                                  : store_run_of_key(m->to, &key, &m->run, err);
}

static es_status look_at_row(merging *m, es_error *err) {
    es_status st = find_run(m, err);
    if (st != ES_OK)
        return st;
    if (!sqlite3_column_text(m->read, ESTIMATOR) || !sqlite3_column_text(m->read, SETTINGS) ||
        !store_column_digest(m->read, SOURCE, &m->source) ||
        !store_column_digest(m->read, TARGET, &m->target) || !is_whole(m))
        m->out->unreadable++;
    else if (m->run == 0)
        m->out->versions++;
    else if (!is_ours(m, m->source) || !is_ours(m, m->target))
        m->out->contents++;
    else
        st = merge_row(m, err);
    return st;
}

/* ---- all rows ---- */

static es_status prepare(es_store *store, const char *text, sqlite3_stmt **out, es_error *err) {
    int code = sqlite3_prepare_v2(store->db, text, -1, out, NULL);
    return code == SQLITE_OK ? ES_OK : store_explain(store, code, err);
}

static es_status merge_batch(merging *m, bool *more, es_error *err) {
    es_status st = store_begin_writing(m->to, err);
    int code = SQLITE_ROW;
    for (size_t i = 0; i < BATCH && st == ES_OK && code == SQLITE_ROW; i++) {
        code = sqlite3_step(m->read);
        if (code == SQLITE_ROW)
            st = look_at_row(m, err);
        else if (code != SQLITE_DONE)
            st = store_explain(m->from, code, err);
    }
    *more = code == SQLITE_ROW;
    return store_end_writing(m->to, st, err);
}

static es_status merge_kind(merging *m, const kind *which, es_error *err) {
    es_status st = ES_OK;
    bool more = true;
    m->kind = which;
    m->run_there = m->run = 0;
    m->read = m->known = m->add = m->change = m->pmi = m->beside = NULL;
    bool older = which->read_older && !m->from->beside;
    ES_TRY(prepare(m->from, older ? which->read_older : which->read, &m->read, err));
    ES_TRY(prepare(m->to, which->known, &m->known, err));
    ES_TRY(prepare(m->to, which->add, &m->add, err));
    ES_TRY(prepare(m->to, which->change, &m->change, err));
    ES_TRY(prepare(m->to,
                   "INSERT OR REPLACE INTO pmi(pair, value) SELECT id, ?4 FROM pair"
                   " WHERE run = ?1 AND source = ?2 AND target = ?3",
                   &m->pmi, err));
    ES_TRY(prepare(m->to,
                   "INSERT OR REPLACE INTO beside(pair, information, information_se, lambda, rare,"
                   " limited) SELECT id, ?4, ?5, ?6, ?7, ?8 FROM pair"
                   " WHERE run = ?1 AND source = ?2 AND target = ?3",
                   &m->beside, err));
    while (st == ES_OK && more)
        st = merge_batch(m, &more, err);
done:
    sqlite3_finalize(m->read);
    sqlite3_finalize(m->known);
    sqlite3_finalize(m->add);
    sqlite3_finalize(m->change);
    sqlite3_finalize(m->pmi);
    sqlite3_finalize(m->beside);
    return st;
}

es_status es_store_merge(es_store *to, es_store *from, const es_merge_rules *rules, es_merged *out,
                         es_error *err) {
    es_store_survey survey;
    es_merged counts = {0};
    merging m = {.to = to, .from = from, .rules = rules, .out = &counts};
    es_status st = es_store_check(from, &survey, err);
    if (st == ES_OK && strcmp(survey.pages, "ok") != 0)
        st = es_fail(err, ES_EFORMAT, "%s: damaged (%s)", from->shown, survey.pages);
    if (st != ES_OK)
        return st;
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    st = merge_kind(&m, &pairs, err);
    if (st == ES_OK && from->measures && to->measures)
        st = merge_kind(&m, &measures, err);
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
    if (st == ES_OK)
        *out = counts;
    return st;
}

bool es_store_same(const es_store *a, const es_store *b) {
    struct stat x, y;
    return a->path && b->path && stat(a->path, &x) == 0 && stat(b->path, &y) == 0 &&
           x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
