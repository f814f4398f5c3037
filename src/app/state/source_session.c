/* The explorer's source over a session: what stays as it is is described once, the rest is copied
 * anew at every refresh, pointers and small structs only. */
#include "app_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report_answer.h"
#include "engine_requests.h"

typedef struct es_session_source {
    es_source source; /* first: es_source_free gets its address */
    es_session *session;
    const es_session *run; /* whose run is shown: the same, or one that is to take its place */
    es_pool *pool;         /* NULL: a matrix from a file */
    es_model *matrix;      /* (models) of a matrix: what is known of its embedders */
    double *baseline;      /* (models) */
    size_t room;           /* of each list of measures */
    char *path, *store;    /* cleaned */
    es_row_source rows;    /* of row_entry */
    size_t row_entry;      /* SIZE_MAX: rows of the row set */
    bool row_asked, row_known;
    es_outlook outlook;
    uint64_t outlook_revision; /* of the results that it was told of */
} es_session_source;

static bool source_activity(void *context, unsigned worker, es_activity *out) {
    return es_session_activity(((es_session_source *)context)->run, worker, out);
}

static size_t source_queue(void *context, es_queued *out, size_t capacity) {
    return es_session_queue(((es_session_source *)context)->run, out, capacity);
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

static char *source_row_text(void *context, size_t row) {
    enum { MOST = 8192 };
    const es_session_source *s = context;
    const es_row_texts *texts = NULL;
    if (es_pool_texts(s->pool, &texts, NULL) != ES_OK)
        return NULL;
    return es_file_row_text(texts, row, MOST);
}

/* ---- Measures ---- */

static size_t position_of(const es_results *results, size_t item) {
    size_t at = 0;
    while (results != NULL && at < results->m && results->model[at] != item)
        at++;
    return results == NULL ? 0 : at;
}

static double source_measure_value(void *context, bool pairwise, size_t k, size_t a, size_t b) {
    const es_session_source *s = context;
    const es_results *results = es_session_results(s->session, 0);
    const es_source_measure *own = &s->source.measure[pairwise][k];
    const es_measured *m = es_session_measured(s->session, own->entry);
    size_t x = position_of(results, a), y = position_of(results, b);
    if (x >= m->m || y >= m->m)
        return (double)NAN;
    if (pairwise)
        return es_measured_matrix(m, own->field)[x * m->m + y].value;
    return m->state[x] == ES_PAIR_DONE ? m->value[x * m->width + own->field].value : (double)NAN;
}

static const char *source_measure_caveat(void *context, size_t k, size_t a, size_t b) {
    const es_session_source *s = context;
    const es_results *results = es_session_results(s->session, 0);
    const es_source_measure *own = &s->source.measure[true][k];
    const es_measured *m = es_session_measured(s->session, own->entry);
    size_t x = position_of(results, a), y = position_of(results, b);
    if (x >= m->m || y >= m->m)
        return NULL;
    const es_measure_value *v = &es_measured_matrix(m, own->field)[x * m->m + y];
    return v->why != NULL ? v->why : v->warning;
}

static void add_fields(es_source *source, const es_measured *m, size_t entry) {
    bool pairwise = m->measure->pair != NULL;
    for (size_t f = 0; f < m->measure->n_fields; f++)
        source->measure[pairwise][source->measures[pairwise]++] =
            (es_source_measure){.name = m->field[f],
                                .caveat = es_measured_caveat(m),
                                .worst = es_worst_kind_of(m->measure),
                                .entry = entry,
                                .field = f,
                                .fact = m->measure->fields[f].fact,
                                .lower = es_measure_is_lower_better(m->measure, f),
                                .part = m->done + m->failed < m->of,
                                .labels = m->measure->needs != 0};
}

static void refresh_measured(es_session_source *s) {
    es_measure_progress p;
    es_session_measure_progress(s->session, &p);
    s->source.measured = p.running ? p.done + p.failed : 0;
    s->source.measured_of = p.running ? p.total : 0;
}

/* Entries more than there is room for wait for the next refresh. */
static void refresh_measures(es_session_source *s) {
    es_source *source = &s->source;
    size_t entries = es_session_measured_count(s->session), count = 0;
    for (size_t i = 0; i < entries; i++)
        count += es_session_measured(s->session, i)->measure->n_fields;
    for (int pairwise = 0; pairwise < 2 && count > s->room; pairwise++) {
        es_source_measure *more =
            es_realloc(source->measure[pairwise], count, sizeof **source->measure);
        if (more == NULL)
            return;
        source->measure[pairwise] = more;
    }
    s->room = count > s->room ? count : s->room;
    source->measures_revision = es_session_measures_revision(s->session);
    source->measures[false] = source->measures[true] = 0;
    for (size_t i = 0; i < entries; i++)
        add_fields(source, es_session_measured(s->session, i), i);
}

/* ---- The snapshot ---- */

/* Takes the published score of each embedder by l2, the baseline that Corr shows beside the score.
 */
static void refresh_baseline(es_session_source *s, const es_config *first) {
    es_source_baseline *out = &s->source.baseline;
    const es_results *r = s->source.plan == 0 ? NULL : s->source.results[0];
    const es_stored_score *l2 = es_session_baseline(s->session, &out->busy);
    out->possible = es_session_store_path(s->session) != NULL && first != NULL &&
                    strcmp(first->estimator->name, "l2") != 0;
    out->known = l2 == NULL ? 0 : l2->known;
    out->of = l2 == NULL ? 0 : l2->of;
    for (size_t i = 0; i < s->source.model_count; i++)
        s->baseline[i] = (double)NAN;
    for (size_t at = 0; l2 != NULL && r != NULL && at < l2->m && at < r->m; at++)
        s->baseline[r->model[at]] = l2->score[at];
}

/* For who sees nothing where there was something yesterday, by another preset. */
static void refresh_other_runs(es_session_source *s) {
    es_source *source = &s->source;
    size_t done;
    (void)es_source_revision(source, &done);
    source->other_runs =
        source->phase == ES_PHASE_IDLE && done == 0 ? es_session_other_runs(s->session) : NULL;
}

/* What the rest would take, anew when there is less of it. While it is being estimated, the run
 * itself says how long it takes. */
static void refresh_outlook(es_session_source *s) {
    es_source *source = &s->source;
    size_t done;
    uint64_t revision = es_source_revision(source, &done) + 1;
    if (source->phase != ES_PHASE_IDLE && source->phase != ES_PHASE_PAUSED)
        return;
    if (source->outlook != NULL && s->outlook_revision == revision)
        return;
    source->outlook = es_session_told(s->session, &s->outlook) ? &s->outlook : NULL;
    source->no_room.code = es_session_fits(s->session, &source->no_room);
    s->outlook_revision = revision;
}

static es_communities *source_take_families(void *context, double **means) {
    es_session *session = ((es_session_source *)context)->session;
    return es_structure_families_take(es_session_structure(session), means);
}

static es_linkage *source_take_dendrogram(void *context) {
    es_session *session = ((es_session_source *)context)->session;
    return es_structure_dendrogram_take(es_session_structure(session));
}

static es_force *source_take_places(void *context) {
    es_session *session = ((es_session_source *)context)->session;
    return es_structure_places_take(es_session_structure(session));
}

/* Takes what the session knows now into the source that the explorer reads. */
static void read_session(es_source *source) {
    es_session_source *s = source->context;
    const es_session *session = s->session;
    for (size_t i = 0; i < source->model_count; i++)
        source->model[i] = s->pool == NULL ? &s->matrix[i] : es_pool_model(s->pool, i);
    source->rows = s->pool == NULL ? 0 : es_pool_rows(s->pool);
    source->rows_of = es_pool_rows_whole(s->pool);
    source->scores_problem = s->pool == NULL ? NULL : es_pool_scores_problem(s->pool);
    source->phase = es_session_phase(s->run);
    if (s->run != session && source->phase == ES_PHASE_CHECKING)
        source->phase = ES_PHASE_RUNNING; /* what is shown was checked */
    if ((source->grows || source->waits) && source->phase == ES_PHASE_DONE)
        source->phase = source->grows ? ES_PHASE_RUNNING : ES_PHASE_IDLE;
    source->problem.code = es_session_problem(session, &source->problem);
    source->store_problem.code = es_session_store_problem(session, &source->store_problem);
    es_session_progress(s->run, &source->progress);
    source->full_look = es_session_full_look(session);
    source->reads = es_session_reading(s->run, &source->reading);
    source->shards = es_session_shards(session, &source->shard_count);
    source->threads = es_session_thread_count(session);
    if (source->memory == 0 || source->phase == ES_PHASE_IDLE) /* told before the start */
        (void)es_session_memory(session, &source->memory, &source->memory_peak);
    source->memory_measure = es_session_measure_memory(session);
    source->read_only = es_session_read_only(session);
    source->best = es_session_best(session);
    for (size_t e = 0; e < source->plan; e++)
        source->results[e] = es_session_results(session, e);
    refresh_outlook(s);
    source->predictive = es_session_predictive(session);
    const es_latest_task *ranking = es_session_task(session, ES_TASK_RANKING);
    source->decision.known = es_rank_task_newest(session);
    source->decision.tag = ranking->tag;
    source->decision.busy = ranking->job != NULL;
    source->decision.seconds = ranking->seconds;
    const es_latest_task *correlation = es_session_task(session, ES_TASK_CORRELATION);
    source->correlation.set = es_correlation_newest(session);
    source->correlation.tag = correlation->tag;
    source->correlation.busy = correlation->job != NULL;
    source->duel.found = es_duel_asked(session, &source->duel.tag, &source->duel.why);
    uint64_t counted;
    source->duel.report = es_duel_counted(session, &counted, &source->duel.report_why);
    source->width.known = es_session_width_known(session, &source->width.m, &source->width.tag);
    source->families = es_structure_families(es_session_structure(s->session));
    source->dendrogram = es_structure_dendrogram(es_session_structure(s->session));
    source->places = es_structure_places(es_session_structure(s->session));
    source->training = es_session_training(session);
    refresh_measures(s);
    refresh_measured(s);
    refresh_baseline(s, es_session_config(session, 0));
    refresh_other_runs(s);
}

void es_source_follow(es_source *source, es_session *session) {
    es_session_source *s = source->context;
    s->run = session != NULL ? session : s->session;
}

/* ---- Making one ---- */

static char *clean(const char *text) {
    return text == NULL ? NULL : es_text_clean(text, strlen(text), 0);
}

/* Names and dimensions are all that a matrix tells of its embedders. */
static bool describe_matrix(es_session_source *s) {
    const es_results *r = es_session_results(s->session, 0);
    size_t count = s->source.model_count = r == NULL ? 0 : r->m;
    s->matrix = es_alloc_zero(count + 1, sizeof *s->matrix);
    for (size_t i = 0; s->matrix != NULL && i < count; i++)
        s->matrix[i] = (es_model){.name = r->name[i],
                                  .family = r->family == NULL ? NULL : r->family[i],
                                  .dim = r->dim == NULL ? 0 : r->dim[i],
                                  .state = ES_MODEL_READY,
                                  .duplicate_of = SIZE_MAX};
    return s->matrix != NULL;
}

/* A table of scores alone: its models. */
static bool describe_table(es_session_source *s) {
    const es_scores *scores = &s->source.scores;
    s->source.table = true;
    s->source.name = s->source.score_file;
    s->source.model_count = scores->models;
    s->matrix = es_alloc_zero(scores->models + 1, sizeof *s->matrix);
    for (size_t i = 0; s->matrix != NULL && i < scores->models; i++)
        s->matrix[i] =
            (es_model){.name = scores->model[i], .state = ES_MODEL_READY, .duplicate_of = SIZE_MAX};
    return s->matrix != NULL;
}

/* The row of each item in the scores. */
static void match_scores(es_source *source) {
    for (size_t i = 0; i < source->model_count; i++)
        source->score_row[i] = es_scores_find(&source->scores, source->model[i]->name);
}

/* A seed other than 0 is kept from run to run, and has results of its own: of many settings the
 * last ones give way to it. */
static void name_plan(es_source *source, const es_session *session) {
    char seed[32] = "";
    if (es_session_seed(session) != 0)
        (void)snprintf(seed, sizeof seed, ", seed %" PRIu64, es_session_seed(session));
    for (size_t e = 0; e < source->plan; e++) {
        const es_config *config = es_session_config(session, e);
        bool named = config != NULL && config->estimator != NULL;
        bool preset = named && config->said != NULL && strcmp(config->said, "default") != 0;
        char *title = source->title[e];
        source->lower_is_better[e] = named && config->estimator->lower_is_better;
        (void)snprintf(title, sizeof *source->title - strlen(seed), "%s%s%s",
                       named ? config->estimator->name : "matrix", preset ? " " : "",
                       preset ? config->said : "");
        if (named)
            es_phrase_add(title, sizeof *source->title, "%s", seed);
    }
}

/* What stays as it is for the life of the source. */
static bool describe(es_session_source *s) {
    es_source *source = &s->source;
    const es_scores *scores;
    source->plan = es_session_plan(s->session);
    if (es_session_scores(s->session, NULL, &scores, NULL) == ES_OK && scores != NULL)
        source->scores = *scores; /* else the session's log says why */
    source->score_file = es_session_scores_name(s->session);
    source->store_path = s->store = clean(es_session_store_path(s->session));
    source->name = "matrix";
    source->path = "";
    if (s->pool == NULL) {
        if (!(source->plan == 0 ? describe_table(s) : describe_matrix(s)))
            return false;
    } else {
        source->model_count = es_pool_count(s->pool);
        source->name = es_pool_name(s->pool);
        source->modality = es_pool_modality(s->pool);
        source->unused = es_pool_unused(s->pool);
        source->pool = s->pool;
        source->folders_question = es_pool_folders_question(s->pool);
        if ((source->path = s->path = clean(es_pool_path(s->pool))) == NULL)
            return false;
    }
    size_t models = source->model_count + 1, plan = source->plan + 1;
    if ((s->store == NULL && es_session_store_path(s->session) != NULL) ||
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
        (source->model = es_alloc_zero(models, sizeof *source->model)) == NULL ||
        (source->score_row = es_alloc(models, sizeof *source->score_row)) == NULL ||
        (source->baseline.score = s->baseline = es_alloc(models, sizeof *s->baseline)) == NULL ||
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
        (source->results = es_alloc_zero(plan, sizeof *source->results)) == NULL ||
        (source->title = es_alloc_zero(plan, sizeof *source->title)) == NULL ||
        (source->lower_is_better = es_alloc_zero(plan, sizeof(bool))) == NULL)
        return false;
    name_plan(source, s->session);
    read_session(source);
    match_scores(source);
    return true;
}

es_source *es_source_of_session(es_session *session) {
    es_session_source *s = es_alloc_zero(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->source = (es_source){.context = s,
                            .refresh = read_session,
                            .measure_value = source_measure_value,
                            .measure_caveat = source_measure_caveat,
                            .activity = source_activity,
                            .queue = source_queue,
                            .row = source_row,
                            .row_texts = source_row_texts,
                            .take_families = source_take_families,
                            .take_dendrogram = source_take_dendrogram,
                            .take_places = source_take_places};
    s->session = session;
    s->run = session;
    s->pool = es_session_pool(session);
    s->source.row_text = s->pool == NULL ? NULL : source_row_text;
    if (!describe(s)) {
        es_source_free(&s->source);
        return NULL;
    }
    return &s->source;
}

void es_source_free(es_source *source) {
    if (source == NULL)
        return;
    es_session_source *s = source->context;
    void *const blocks[] = {s->matrix,
                            s->baseline,
                            s->path,
                            s->store,
                            source->model,
                            source->score_row,
                            source->results,
                            source->title,
                            source->measure[0],
                            source->measure[1],
                            source->lower_is_better};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        es_free(blocks[i]);
    es_free(s);
}
