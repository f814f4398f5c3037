/* The explorer's source over a session. */
#include "source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "measuring.h"
#include "row_source.h"
#include "text.h"

typedef struct es_session_source {
    es_source source; /* first: es_source_free gets its address */
    es_session *session;
    es_pool *pool;   /* NULL: a matrix from a file */
    es_model *model; /* (count) of a matrix: what is known of its embedders */
    size_t count;
    const es_scores *scores; /* NULL: none */
    size_t *score_row;       /* (count) SIZE_MAX: not in the scores */
    char (*title)[64];       /* (plan) */
    size_t plan;
    char *path, *store; /* cleaned */
    es_row_source rows; /* of row_entry */
    size_t row_entry;   /* SIZE_MAX: rows of the row set */
    bool row_asked, row_known;
} es_session_source;

static const char *source_name(void *context) {
    const es_session_source *s = context;
    return s->pool == NULL ? "matrix" : es_pool_name(s->pool);
}

static const char *source_path(void *context) {
    const es_session_source *s = context;
    return s->path == NULL ? "" : s->path;
}

static const char *source_modality(void *context) {
    const es_session_source *s = context;
    return s->pool == NULL ? NULL : es_pool_modality(s->pool);
}

static size_t source_model_count(void *context) {
    return ((es_session_source *)context)->count;
}

static const es_model *source_model(void *context, size_t item) {
    const es_session_source *s = context;
    return s->pool == NULL ? &s->model[item] : es_pool_model(s->pool, item);
}

static size_t source_rows(void *context) {
    const es_session_source *s = context;
    return s->pool == NULL ? 0 : es_pool_rows(s->pool);
}

static es_phase source_phase(void *context) {
    return es_session_phase(((es_session_source *)context)->session);
}

static es_status source_problem(void *context, es_error *err) {
    return es_session_problem(((es_session_source *)context)->session, err);
}

static es_status source_store_problem(void *context, es_error *err) {
    return es_session_store_problem(((es_session_source *)context)->session, err);
}

static const char *source_store_path(void *context) {
    return ((es_session_source *)context)->store;
}

static void source_progress(void *context, es_progress *out) {
    es_session_progress(((es_session_source *)context)->session, out);
}

static unsigned source_threads(void *context) {
    return es_session_thread_count(((es_session_source *)context)->session);
}

static bool source_activity(void *context, unsigned worker, es_activity *out) {
    return es_session_activity(((es_session_source *)context)->session, worker, out);
}

static size_t source_queue(void *context, es_queued *out, size_t capacity) {
    return es_session_queue(((es_session_source *)context)->session, out, capacity);
}

static bool source_read_only(void *context) {
    return es_session_read_only(((es_session_source *)context)->session);
}

static size_t source_plan(void *context) {
    return ((es_session_source *)context)->plan;
}

static size_t source_best(void *context) {
    return es_session_best(((es_session_source *)context)->session);
}

static const es_results *source_results(void *context, size_t entry) {
    return es_session_results(((es_session_source *)context)->session, entry);
}

static const char *source_title(void *context, size_t entry) {
    return ((es_session_source *)context)->title[entry];
}

static bool source_lower_is_better(void *context, size_t entry) {
    const es_config *config = es_session_config(((es_session_source *)context)->session, entry);
    return config != NULL && config->estimator != NULL && config->estimator->lower_is_better;
}

static const es_intervals *source_intervals(void *context, uint64_t *tag, bool *busy) {
    return es_session_intervals(((es_session_source *)context)->session, tag, busy);
}

static double source_intervals_seconds(void *context) {
    return es_session_intervals_seconds(((es_session_source *)context)->session);
}

static const char *source_score_file(void *context) {
    return es_session_scores_name(((es_session_source *)context)->session);
}

static size_t source_score_columns(void *context) {
    const es_session_source *s = context;
    return s->scores == NULL ? 0 : s->scores->tasks;
}

static const char *source_score_name(void *context, size_t column) {
    return ((es_session_source *)context)->scores->task[column];
}

static double source_score(void *context, size_t item, size_t column) {
    const es_session_source *s = context;
    size_t row = s->score_row[item];
    return row == SIZE_MAX ? (double)NAN : s->scores->value[row * s->scores->tasks + column];
}

static bool source_score_lower(void *context, size_t column) {
    return es_score_is_lower_better(((es_session_source *)context)->scores->task[column]);
}

/* ---- Rows ---- */

/* A rows.csv that cannot be read is asked for once; the session's log says why. */
static bool find_rows(es_session_source *s, size_t entry) {
    bool all = entry == SIZE_MAX;
    if (!s->row_asked || s->row_entry != entry) {
        s->row_asked = true;
        s->row_entry = entry;
        s->row_known = es_row_source_init(s->session, all ? 0 : entry, &s->rows, NULL) == ES_OK;
        if (all)
            s->rows.eval = NULL;
    }
    return s->row_known;
}

static void copy_text(char *out, size_t capacity, char *text) {
    size_t length = text == NULL ? 0 : strlen(text);
    (void)es_text_clean_into(out, capacity, text == NULL ? "" : text, length);
    es_free(text);
}

static bool source_row(void *context, size_t entry, size_t value, es_source_row *out) {
    es_session_source *s = context;
    if (!find_rows(s, entry))
        return false;
    out->number = es_row_number(&s->rows, value);
    copy_text(out->id, sizeof out->id, es_row_id(&s->rows, value, sizeof out->id - 1));
    copy_text(out->text, sizeof out->text, es_row_text(&s->rows, value, sizeof out->text - 1));
    return true;
}

static bool source_row_texts(void *context, size_t entry) {
    es_session_source *s = context;
    return find_rows(s, entry) && s->rows.texts != NULL;
}

static size_t source_score_rows(void *context) {
    const es_session_source *s = context;
    return s->scores == NULL ? 0 : s->scores->models;
}

static const char *source_score_model(void *context, size_t row) {
    return ((es_session_source *)context)->scores->model[row];
}

static double source_score_value(void *context, size_t row, size_t column) {
    const es_scores *scores = ((es_session_source *)context)->scores;
    return scores->value[row * scores->tasks + column];
}

/* ---- Measures ---- */

/* Number k of the entries of one kind. */
static const es_measured *measured(const es_session *session, bool pairwise, size_t k) {
    for (size_t i = 0; i < es_session_measured_count(session); i++) {
        const es_measured *m = es_session_measured(session, i);
        if ((m->measure->pair != NULL) == pairwise && k-- == 0)
            return m;
    }
    return NULL;
}

static size_t source_measures(void *context, bool pairwise) {
    const es_session *session = ((es_session_source *)context)->session;
    size_t count = 0;
    while (measured(session, pairwise, count) != NULL)
        count++;
    return count;
}

static const char *source_measure_name(void *context, bool pairwise, size_t k) {
    return measured(((es_session_source *)context)->session, pairwise, k)->name;
}

static size_t position_of(const es_results *results, size_t item) {
    size_t at = 0;
    while (results != NULL && at < results->m && results->model[at] != item)
        at++;
    return results == NULL ? 0 : at;
}

static double source_measure_value(void *context, bool pairwise, size_t k, size_t a, size_t b) {
    const es_session *session = ((es_session_source *)context)->session;
    const es_results *results = es_session_results(session, 0);
    const es_measured *m = measured(session, pairwise, k);
    size_t x = position_of(results, a), y = position_of(results, b);
    if (m == NULL || x >= m->m || y >= m->m)
        return (double)NAN;
    if (pairwise)
        return m->value[x * m->m + y].value;
    double value = m->state[x] == ES_PAIR_DONE ? m->value[x * m->width].value : (double)NAN;
    return es_measure_is_lower_better(m->measure, 0) ? -value : value;
}

static const char *source_measure_caveat(void *context, bool pairwise, size_t k) {
    const es_measured *m = measured(((es_session_source *)context)->session, pairwise, k);
    return m == NULL ? NULL : m->measure->caveat;
}

static const char *source_measure_doubt(void *context, size_t k, size_t a, size_t b) {
    const es_session *session = ((es_session_source *)context)->session;
    const es_results *results = es_session_results(session, 0);
    const es_measured *m = measured(session, true, k);
    size_t x = position_of(results, a), y = position_of(results, b);
    if (m == NULL || x >= m->m || y >= m->m)
        return NULL;
    const es_measure_value *v = &m->value[x * m->m + y];
    return v->why != NULL ? v->why : v->warning;
}

static es_worst_kind source_measure_worst(void *context, bool pairwise, size_t k) {
    const es_measured *m = measured(((es_session_source *)context)->session, pairwise, k);
    return m == NULL ? ES_WORST_NONE : es_worst_kind_of(m->measure);
}

static void source_worst(void *context, es_source_worst *out) {
    *out = (es_source_worst){0};
    const es_worst *worst =
        es_session_worst(((es_session_source *)context)->session, &out->busy, &out->problem);
    if (worst == NULL)
        return;
    out->count = worst->list.count;
    out->own_ids = worst->list.own_ids;
}

static const es_worst_line *source_worst_line(void *context, size_t k) {
    bool busy;
    es_error why;
    return &es_session_worst(((es_session_source *)context)->session, &busy, &why)->list.line[k];
}

/* ---- The baseline ---- */

static void source_baseline(void *context, es_source_baseline *out) {
    const es_session *session = ((es_session_source *)context)->session;
    const es_config *config = es_session_config(session, 0);
    *out = (es_source_baseline){0};
    const es_l2_baseline *l2 = es_session_baseline(session, &out->busy);
    out->possible = es_session_store_path(session) != NULL && config != NULL &&
                    strcmp(config->estimator->name, "l2") != 0;
    if (l2 != NULL) {
        out->known = l2->known;
        out->of = l2->of;
    }
}

static double source_baseline_score(void *context, size_t item) {
    const es_session *session = ((es_session_source *)context)->session;
    bool busy;
    const es_l2_baseline *l2 = es_session_baseline(session, &busy);
    size_t at = position_of(es_session_results(session, 0), item);
    return l2 == NULL || at >= l2->m ? (double)NAN : l2->score[at];
}

/* ---- Making one ---- */

static char *clean(const char *text) {
    return text == NULL ? NULL : es_text_clean(text, strlen(text), 0);
}

/* Names and dimensions are all that a matrix tells of its embedders. */
static bool describe_matrix(es_session_source *s) {
    const es_results *r = es_session_results(s->session, 0);
    s->count = r == NULL ? 0 : r->m;
    s->model = es_alloc_zero(s->count + 1, sizeof *s->model);
    for (size_t i = 0; s->model != NULL && i < s->count; i++)
        s->model[i] = (es_model){.name = r->name[i],
                                 .family = r->family == NULL ? NULL : r->family[i],
                                 .dim = r->dim == NULL ? 0 : r->dim[i],
                                 .state = ES_MODEL_READY,
                                 .duplicate_of = SIZE_MAX};
    return s->model != NULL;
}

static bool match_scores(es_session_source *s) {
    s->score_row = es_alloc(s->count + 1, sizeof *s->score_row);
    for (size_t i = 0; s->score_row != NULL && i < s->count; i++) {
        s->score_row[i] = SIZE_MAX;
        for (size_t row = 0; s->scores != NULL && row < s->scores->models; row++)
            if (strcmp(s->scores->model[row], source_model(s, i)->name) == 0)
                s->score_row[i] = row;
    }
    return s->score_row != NULL;
}

static bool name_plan(es_session_source *s) {
    s->plan = es_session_plan(s->session);
    s->title = es_alloc_zero(s->plan + 1, sizeof *s->title);
    for (size_t e = 0; s->title != NULL && e < s->plan; e++) {
        const es_config *config = es_session_config(s->session, e);
        bool named = config != NULL && config->estimator != NULL;
        bool preset = named && config->preset != NULL && strcmp(config->preset, "default") != 0;
        (void)snprintf(s->title[e], sizeof *s->title, "%s%s%s",
                       named ? config->estimator->name : "matrix", preset ? " " : "",
                       preset ? config->preset : "");
    }
    return s->title != NULL;
}

es_source *es_source_of_session(es_session *session) {
    es_session_source *s = es_alloc_zero(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->source = (es_source){.context = s,
                            .name = source_name,
                            .path = source_path,
                            .modality = source_modality,
                            .model_count = source_model_count,
                            .model = source_model,
                            .rows = source_rows,
                            .phase = source_phase,
                            .problem = source_problem,
                            .store_problem = source_store_problem,
                            .store_path = source_store_path,
                            .progress = source_progress,
                            .threads = source_threads,
                            .activity = source_activity,
                            .queue = source_queue,
                            .read_only = source_read_only,
                            .plan = source_plan,
                            .best = source_best,
                            .results = source_results,
                            .title = source_title,
                            .lower_is_better = source_lower_is_better,
                            .intervals = source_intervals,
                            .intervals_seconds = source_intervals_seconds,
                            .score_file = source_score_file,
                            .score_columns = source_score_columns,
                            .score_name = source_score_name,
                            .score = source_score,
                            .score_lower = source_score_lower,
                            .row = source_row,
                            .row_texts = source_row_texts,
                            .score_rows = source_score_rows,
                            .score_model = source_score_model,
                            .score_value = source_score_value,
                            .measures = source_measures,
                            .measure_name = source_measure_name,
                            .measure_value = source_measure_value,
                            .measure_caveat = source_measure_caveat,
                            .measure_doubt = source_measure_doubt,
                            .measure_worst = source_measure_worst,
                            .worst = source_worst,
                            .worst_line = source_worst_line,
                            .baseline = source_baseline,
                            .baseline_score = source_baseline_score};
    s->session = session;
    s->pool = es_session_pool(session);
    if (s->pool != NULL) {
        s->count = es_pool_count(s->pool);
        s->path = clean(es_pool_path(s->pool));
    }
    if (es_session_scores(session, &s->scores, NULL) != ES_OK)
        s->scores = NULL; /* the session's log says why */
    s->store = clean(es_session_store_path(session));
    bool whole = (s->pool == NULL || s->path != NULL) &&
                 (es_session_store_path(session) == NULL || s->store != NULL) &&
                 (s->pool != NULL || describe_matrix(s)) && match_scores(s) && name_plan(s);
    if (!whole) {
        es_source_free(&s->source);
        return NULL;
    }
    return &s->source;
}

void es_source_free(es_source *source) {
    if (source == NULL)
        return;
    es_session_source *s = source->context;
    es_free(s->model);
    es_free(s->score_row);
    es_free(s->title);
    es_free(s->path);
    es_free(s->store);
    es_free(s);
}
