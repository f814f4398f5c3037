/* A source with made-up embedders and a run that goes as the test wants, for the explorer's tests.
 */
#ifndef ES_TEST_MOCK_H
#define ES_TEST_MOCK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_corr.h"
#include "app_values.h"
#include "app_tree.h"
#include "app_update.h"

enum { MOCK_ROWS = 60, MOCK_SCORES = 3 };

/* Fields of `source` that refresh does not fill are the test's own to set. */
typedef struct es_mock {
    es_source source;
    es_model *model;
    char (*name)[64];
    char (*score_row)[64]; /* (models) names in scores.csv */
    bool part;             /* measures of embedders are still being computed */
    bool measures, lists;  /* lists: two measures more, that have lists of what is worst */
    bool fields;           /* the second measure is a field of the first, the third is a fact */
    es_results results;
    bool have_results, constant;
    bool costs;            /* the first task is an error: lower is better */
    bool lower[2];         /* by plan entry */
    es_results *refined;   /* a second plan entry, which refines the first; NULL: none */
    es_decision *decision; /* what the workers have computed; NULL: nothing */
    bool slow;             /* the workers that look for communities have not ended yet */
    bool late;             /* nor has the one that correlates */
    es_correlation_work *correlation;
    es_communities *families;
    double *means;
    es_linkage *dendrogram;
    es_force *places;
    const uint8_t *urgency; /* (m) as ES_FX_PRIORITISE has it; NULL: all alike */
    bool no_texts;          /* no rows.csv */
    /* What the source points to. */
    const es_results *results_of[2];
    char title[2][64];
    char *task[MOCK_SCORES];
    double *baseline;
    es_source_measure measure[2][3];
} es_mock;

/* Names as researchers have them; beyond these, made-up ones. */
static const char *const mock_names[] = {
    "GIST-Embedding-v0",
    "LaBSE",
    "SFR-Embedding-Mistral",
    "all-MiniLM-L6-v2",
    "all-mpnet-base-v2",
    "bge-base-en-v1.5",
    "e5-large-v2",
    "e5-small",
    "echo-mistral-7b",
    "gemma-2b-it",
    "glove.6B.300d",
    "gte-base",
    "gte-large",
};
static const char *const mock_wide_names[] = {
    "bge-base-中文-v1.5",
    "e5-日本語-large",
    "한국어-sbert",
    "cafe\xcc\x81-embedder",
    "multilingual-e5-large-instruct-with-a-very-long-name-v2.1",
};

static es_communities *mock_take_families(void *context, double **means);
static es_linkage *mock_take_dendrogram(void *context);
static es_force *mock_take_places(void *context);

static double mock_noise(size_t a, size_t b) {
    double x = sin((double)(a * 37 + b * 101 + 11)) * 43758.5453;
    return x - floor(x);
}

static const char *const mock_texts[] = {
    "Where is the nearest station?", "CC(=O)Oc1ccccc1C(=O)O", "Wie spät ist es?",
    "The results of the second trial were not what anybody had expected.", "東京タワーの高さは?"};
static bool mock_row(void *c, size_t entry, size_t value, es_source_row *out) {
    (void)entry;
    *out = (es_source_row){.number = 3 * value};
    if (((es_mock *)c)->no_texts)
        return true;
    snprintf(out->id, sizeof out->id, "s%04zu", 3 * value);
    snprintf(out->text, sizeof out->text, "%s", mock_texts[value % 5]);
    return true;
}
static bool mock_row_texts(void *c, size_t entry) {
    (void)entry;
    return !((es_mock *)c)->no_texts;
}
/* Results that the predictive score stands on, and families of two. */
static inline void mock_predict(es_mock *mock) {
    static const char *const families[] = {"vectors", "BERTs", "mistral", "T5", "counts", "e5"};
    es_results *r = &mock->results;
    mock->source.predictive = 0;
    r->family = calloc(r->m + 1, sizeof *r->family);
    for (size_t i = 0; i < r->m; i++) {
        r->family[i] = (char *)(uintptr_t)families[i / 2 % 6];
        mock->model[i].family = r->family[i];
    }
}
/* These embedders are controls, the others are of no family. */
static inline void mock_controls(es_mock *mock, size_t from, size_t to) {
    es_results *r = &mock->results;
    r->family = calloc(r->m + 1, sizeof *r->family);
    for (size_t i = from; i < to; i++)
        mock->model[i].family = r->family[i] = (char *)(uintptr_t) "control";
}
/* Per-row values for every known pair. */
static inline void mock_pmi(es_mock *mock) {
    es_results *r = &mock->results;
    r->n_eval = MOCK_ROWS;
    r->pmi = calloc(r->m * r->m + 1, sizeof *r->pmi);
    for (size_t cell = 0; cell < r->m * r->m; cell++) {
        if (r->state[cell] != ES_PAIR_DONE)
            continue;
        r->pmi[cell] = calloc(MOCK_ROWS, sizeof(float));
        for (size_t k = 0; k < MOCK_ROWS; k++)
            r->pmi[cell][k] =
                (float)(r->is[cell] + mock_noise(cell / r->m, k) - mock_noise(k, cell / r->m));
    }
}

static double mock_measure_value(void *c, bool pairwise, size_t k, size_t a, size_t b) {
    (void)c;
    return pairwise ? 1 / (1 + fabs((double)a - (double)b)) : k == 0 ? 0.1 * (double)a : (double)a;
}
static const char *mock_measure_caveat(void *c, size_t k, size_t a, size_t b) {
    (void)c;
    (void)k;
    return a + b > 9 && a != b ? "n <= d1 + d2" : NULL;
}
/* Two columns and one matrix where `measures` says so. */
static void mock_refresh_measures(es_mock *mock) {
    static const char *const names[2][3] = {{"evalrank", "uniformity", "retmmd"},
                                            {"cka", "knn-overlap"}};
    static const es_worst_kind worst[2][3] = {{ES_WORST_PAIRS, ES_WORST_NONE, ES_WORST_QUERIES},
                                              {ES_WORST_NONE, ES_WORST_ROWS}};
    for (int pairwise = 0; pairwise < 2; pairwise++) {
        mock->source.measure[pairwise] = mock->measure[pairwise];
        mock->source.measures[pairwise] =
            !mock->measures ? 0 : (pairwise ? 1 : 2) + (size_t)mock->lists;
        for (size_t k = 0; k < 3; k++)
            mock->measure[pairwise][k] = (es_source_measure){
                .name = names[pairwise][k],
                .caveat = pairwise ? "about 0, or below, for unrelated ones" : "higher is better",
                .worst = worst[pairwise][k],
                .lower = !pairwise && k == 1,
                .part = mock->part && !pairwise,
                .field = mock->fields && !pairwise ? k : 0,
                .fact = mock->fields && !pairwise && k == 2};
    }
}

/* An embedder's in a column of the scores, under its own name; NAN: none. */
static inline double mock_score(const es_mock *mock, size_t item, size_t column) {
    size_t row = mock->source.score_row[item];
    return row == SIZE_MAX ? (double)NAN
                           : mock->source.scores.value[row * mock->source.scores.tasks + column];
}

static void mock_refresh_scores(es_mock *mock) {
    static const char *const names[] = {"MTEB", "Retrieval", "STS"};
    es_source *source = &mock->source;
    es_scores *scores = &source->scores;
    scores->models = source->model_count;
    for (size_t k = 0; k < MOCK_SCORES; k++)
        scores->task[k] = (char *)(uintptr_t)(mock->costs && k == 0 ? "RMSE ↓" : names[k]);
    for (size_t i = 0; i < source->model_count; i++) {
        scores->model[i] = mock->score_row[i];
        source->score_row[i] = strcmp(mock->score_row[i], mock->name[i]) == 0 ? i : SIZE_MAX;
        for (size_t k = 0; k < scores->tasks; k++)
            scores->value[i * scores->tasks + k] = mock->constant ? 50
                                                   : i % 7 == 3   ? (double)NAN
                                                                  : 50 + 20 * mock_noise(i, k + 5);
    }
}

static void mock_refresh(es_source *source) {
    es_mock *mock = source->context;
    const es_results *refined = mock->refined;
    source->plan = refined != NULL ? 2 : 1;
    source->progress.entries = source->plan;
    source->progress.pass = source->plan - 1;
    const es_results *pass = refined != NULL ? refined : &mock->results;
    source->progress.pass_ended = pass->done + pass->failed;
    source->progress.pass_total = pass->m * (pass->m > 0 ? pass->m - 1 : 0);
    source->best = refined != NULL && refined->done == refined->m * refined->m ? 1
                   : mock->have_results                                        ? 0
                                                                               : SIZE_MAX;
    mock->results_of[0] = mock->have_results ? &mock->results : NULL;
    mock->results_of[1] = mock->have_results ? refined : NULL;
    snprintf(mock->title[0], sizeof *mock->title, refined != NULL ? "linear" : "knife default");
    for (size_t i = 0; i < source->model_count; i++) {
        source->model[i] = &mock->model[i];
        mock->baseline[i] = source->baseline.known > 0 ? -1 - mock_noise(i, 77) : (double)NAN;
    }
    source->baseline.score = mock->baseline;
    mock_refresh_scores(mock);
    mock_refresh_measures(mock);
}

static bool mock_activity(void *c, unsigned worker, es_activity *out) {
    es_mock *mock = c;
    *out = (es_activity){0};
    if (worker >= mock->source.threads)
        return false;
    if (mock->source.phase != ES_PHASE_RUNNING || !mock->have_results || mock->results.m < 3)
        return true;
    size_t m = mock->results.m;
    out->busy = true;
    out->source = worker % m;
    out->target =
        (worker * 5 + 2) % m == out->source ? (out->source + 1) % m : (worker * 5 + 2) % m;
    out->seconds = 0.4 + 0.3 * worker;
    out->done = 12 + 7 * worker;
    out->total = 60;
    out->traced = 6 + worker;
    for (unsigned i = 0; i < out->traced && i < ES_RUN_TRACE; i++)
        out->trace[i] = (float)(1.4 * exp(-0.3 * i) + 0.2);
    return true;
}

/* Pairs that are not known, the most urgent sources first. */
static size_t mock_queue(void *c, es_queued *out, size_t capacity) {
    const es_mock *mock = c;
    const es_results *r = &mock->results;
    size_t count = 0;
    if (mock->source.phase != ES_PHASE_RUNNING || !mock->have_results)
        return 0;
    for (int urgency = ES_URGENCY_MOST; urgency >= 0; urgency--)
        for (size_t cell = 0; cell < r->m * r->m && count < capacity; cell++) {
            int own = mock->urgency == NULL ? 0 : mock->urgency[cell / r->m];
            if (own == urgency && r->state[cell] == ES_PAIR_PENDING && cell % (r->m + 1) != 0)
                out[count++] = (es_queued){0, cell / r->m, cell % r->m, false};
        }
    return count;
}

static void mock_count_progress(es_mock *mock) {
    const es_results *r = &mock->results;
    size_t total = r->m * (r->m > 0 ? r->m - 1 : 0);
    mock->source.progress.total = total;
    mock->source.progress.done = r->done;
    mock->source.progress.failed = r->failed;
    mock->source.progress.running =
        mock->source.phase == ES_PHASE_RUNNING ? mock->source.threads : 0;
    size_t rest = total - r->done - r->failed;
    mock->source.progress.queued =
        rest > mock->source.progress.running ? rest - mock->source.progress.running : 0;
    mock->source.progress.rate = mock->source.phase == ES_PHASE_RUNNING ? 4.7 : 0;
    mock->source.progress.eta =
        mock->source.phase == ES_PHASE_RUNNING ? (double)rest / 4.7 : (double)NAN;
    mock->source.progress.elapsed = 172;
    mock->source.progress.checked = mock->source.progress.to_check = mock->source.model_count;
}

static void mock_put(es_mock *mock, size_t s, size_t t) {
    es_results *r = &mock->results;
    size_t cell = s * r->m + t;
    if (s == t || r->state[cell] == ES_PAIR_DONE)
        return;
    r->failed -= r->state[cell] == ES_PAIR_FAILED;
    double qs = mock_noise(r->model[s], 1), qt = mock_noise(r->model[t], 2);
    r->state[cell] = ES_PAIR_DONE;
    r->is[cell] = 0.05 + 0.75 * qs * (1 - 0.6 * qt) + 0.08 * mock_noise(s, t);
    r->se[cell] = 0.003 + 0.01 * mock_noise(t, s);
    r->h_cond[cell] = 1.2 - r->is[cell];
    r->seconds[cell] = 0.5 + 2 * mock_noise(s + 3, t);
    r->done++;
    r->revision++;
    mock_count_progress(mock);
}

static inline void mock_fail(es_mock *mock, size_t s, size_t t, const char *reason) {
    es_results *r = &mock->results;
    size_t cell = s * r->m + t;
    if (s == t || r->state[cell] == ES_PAIR_FAILED)
        return;
    r->done -= r->state[cell] == ES_PAIR_DONE;
    r->state[cell] = ES_PAIR_FAILED;
    r->is[cell] = (double)NAN;
    free(r->reason[cell]);
    r->reason[cell] = strdup(reason);
    r->failed++;
    r->revision++;
    mock_count_progress(mock);
}

/* Every pair with number < share * all, in a scattered order. */
/* What each says of itself is there from the start; progress counts the other pairs. */
static void mock_fill(es_mock *mock, double share) {
    size_t m = mock->results.m;
    for (size_t s = 0; s < m; s++)
        mock->results.is[s * m + s] = 0.9;
    for (size_t s = 0; s < m; s++)
        for (size_t t = 0; t < m; t++)
            if (mock_noise(s * 3 + 1, t * 7 + 2) < share)
                mock_put(mock, s, t);
}

/* `names` NULL: the usual ones; excluded: that many of the last are left out with a reason. */
static es_mock *mock_new(size_t n, const char *const *names, size_t excluded) {
    es_mock *mock = calloc(1, sizeof *mock);
    size_t m = n - excluded, known = sizeof mock_names / sizeof *mock_names;
    mock->have_results = true;
    mock->source = (es_source){.context = mock,
                               .predictive = SIZE_MAX,
                               .refresh = mock_refresh,
                               .name = "mteb-en",
                               .path = "~/emb/mteb-en",
                               .modality = "text",
                               .model_count = n,
                               .rows = 20000,
                               .model = calloc(n + 1, sizeof(es_model *)),
                               .store_path = "~/emb/mteb-en/.embedscope/results.sqlite",
                               .phase = ES_PHASE_IDLE,
                               .threads = 4,
                               .results = mock->results_of,
                               .title = mock->title,
                               .lower_is_better = mock->lower,
                               .score_file = "scores.csv",
                               .scores = {.tasks = 2,
                                          .model = calloc(n + 1, sizeof(char *)),
                                          .task = mock->task,
                                          .value = calloc(n * MOCK_SCORES + 1, sizeof(double))},
                               .score_row = calloc(n + 1, sizeof(size_t)),
                               .measure_value = mock_measure_value,
                               .measure_caveat = mock_measure_caveat,
                               .activity = mock_activity,
                               .queue = mock_queue,
                               .row = mock_row,
                               .row_texts = mock_row_texts};
    mock->source.take_families = mock_take_families;
    mock->source.take_dendrogram = mock_take_dendrogram;
    mock->source.take_places = mock_take_places;
    snprintf(mock->title[1], sizeof *mock->title, "knife default");
    mock->baseline = calloc(n + 1, sizeof *mock->baseline);
    mock->model = calloc(n + 1, sizeof *mock->model);
    mock->name = calloc(n + 1, sizeof *mock->name);
    mock->score_row = calloc(n + 1, sizeof *mock->score_row);
    for (size_t i = 0; i < n; i++) {
        es_model *model = &mock->model[i];
        if (names != NULL || i < known)
            snprintf(mock->name[i], sizeof *mock->name, "%s",
                     names != NULL ? names[i] : mock_names[i]);
        else
            snprintf(mock->name[i], sizeof *mock->name, "model-%03zu-base", i);
        memcpy(mock->score_row[i], mock->name[i], sizeof *mock->name);
        *model =
            (es_model){.name = mock->name[i],
                       .file = mock->name[i],
                       .dtype = i % 4 == 3 ? "float16" : "float32",
                       .rows = 20000,
                       .dim = (size_t)64 << (i % 6),
                       .file_bytes = (uint64_t)20000 * 4 * (64u << (i % 6)),
                       .state = ES_MODEL_READY,
                       .digest = {0x9b1e3c55a7d20f11u * (i + 1), 0x77ab00cd12ef3481u * (i + 3)},
                       .dim_used = (size_t)64 << (i % 6),
                       .norm_mean = 1 + 0.1 * mock_noise(i, 9),
                       .norm_sd = 0.12,
                       .duplicate_of = SIZE_MAX};
        if (i >= m) {
            model->state = ES_MODEL_EXCLUDED;
            model->reason = "19998 rows, the other embedders have 20000; rows must be aligned";
            model->rows = 19998;
        }
    }
    if (n > 3) {
        mock->model[2].dropped_columns = 3;
        mock->model[2].dim_used -= 3;
    }
    es_results *r = &mock->results;
    *r = (es_results){.m = m, .revision = 1, .preset = "default", .settings = "clip=3 epochs=60"};
    size_t cells = m * m + 1;
    r->model = calloc(m + 1, sizeof *r->model);
    r->is = calloc(cells, sizeof(double));
    r->se = calloc(cells, sizeof(double));
    r->h_cond = calloc(cells, sizeof(double));
    r->seconds = calloc(cells, sizeof(double));
    r->state = calloc(cells, 1);
    r->reason = calloc(cells, sizeof(char *));
    r->name = calloc(m + 1, sizeof *r->name);
    r->dim = calloc(m + 1, sizeof *r->dim);
    r->dim_used = calloc(m + 1, sizeof *r->dim_used);
    for (size_t i = 0; i < m; i++) {
        r->model[i] = i;
        r->name[i] = mock->name[i];
        r->dim[i] = mock->model[i].dim;
        r->dim_used[i] = mock->model[i].dim_used;
    }
    for (size_t i = 0; i < cells; i++)
        r->is[i] = r->se[i] = r->h_cond[i] = r->seconds[i] = (double)NAN;
    mock_count_progress(mock);
    return mock;
}

/* A second plan entry, of which `share` of the pairs are done. Diagonals do not count here. */
static inline void mock_refine(es_mock *mock, double share) {
    const es_results *r = &mock->results;
    es_results *f = mock->refined;
    size_t m = r->m;
    if (f == NULL) {
        f = mock->refined = calloc(1, sizeof *f);
        *f = *r;
        f->is = calloc(m * m + 1, sizeof(double));
        f->se = calloc(m * m + 1, sizeof(double));
        f->h_cond = calloc(m * m + 1, sizeof(double));
        f->seconds = calloc(m * m + 1, sizeof(double));
        f->state = calloc(m * m + 1, 1);
        f->reason = calloc(m * m + 1, sizeof(char *));
        f->null = NULL;
        f->done = f->failed = f->null_done = 0;
    }
    for (size_t cell = 0; cell < m * m; cell++) {
        if (f->state[cell] == ES_PAIR_DONE || mock_noise(cell, 77) >= share)
            continue;
        f->is[cell] = isnan(r->is[cell]) ? 0 : r->is[cell] + 0.05 * mock_noise(cell, 78);
        f->se[cell] = 0.005;
        f->h_cond[cell] = 1.2 - f->is[cell];
        f->seconds[cell] = 0.3;
        f->state[cell] = ES_PAIR_DONE;
        f->done++;
        f->revision++;
    }
}

/* The first plan entry is through with its pairs, as one that has diagonals, too. */
static inline void mock_complete(es_mock *mock) {
    es_results *r = &mock->results;
    for (size_t i = 0; i < r->m; i++) {
        r->done += r->state[i * r->m + i] != ES_PAIR_DONE;
        r->state[i * r->m + i] = ES_PAIR_DONE;
    }
    r->revision++;
}

/* A pair that the first plan entry does not know after all. */
static inline void mock_forget(es_mock *mock, size_t s, size_t t) {
    es_results *r = &mock->results;
    r->is[s * r->m + t] = (double)NAN;
    r->state[s * r->m + t] = ES_PAIR_PENDING;
    r->done--;
    r->revision++;
}

/* The zero line of the last plan entry. */
static inline void mock_measure_null(es_mock *mock) {
    es_results *r = mock->refined != NULL ? mock->refined : &mock->results;
    r->null = calloc(r->m + 1, sizeof *r->null);
    for (size_t t = 0; t < r->m; t++)
        r->null[t] = (es_null_line){0.004 * mock_noise(t, 41) - 0.001, 0.003, ES_PAIR_DONE, NULL};
    r->null_done = r->m;
}

/* Another value of a pair that is known. */
static inline void mock_change(es_mock *mock, size_t s, size_t t) {
    es_results *r = &mock->results;
    r->is[s * r->m + t] += mock_noise(s, 91) - 0.5;
    r->revision++;
}

/* What the loop does about ES_FX_INTERVALS, and the workers at once. */
static inline void mock_compute(es_mock *mock, const es_app *app, uint64_t tag) {
    es_rank_problem problem = {0};
    es_decision_free(mock->decision);
    mock->decision = NULL;
    es_status st = es_app_decision(app, &problem, NULL);
    if (problem.problem.information == NULL) { /* one matrix is both */
        problem.problem.information = problem.problem.is;
        problem.problem.information_se = problem.problem.se;
    }
    if (app->n > 500) /* thousands of resamples take as many seconds as a test's */
        problem.problem.draws = 100;
    if (st == ES_OK && es_decision_new(&problem.problem, NULL, &mock->decision, NULL) == ES_OK)
        mock->source.decision.tag = tag;
    mock->source.decision.known = mock->decision;
    es_rank_problem_deinit(&problem);
}

static void mock_free_results(es_results *r) {
    free(r->is);
    free(r->se);
    free(r->h_cond);
    free(r->seconds);
    free(r->state);
    free(r->reason);
    free(r->null);
}

static inline void mock_free(es_mock *mock) {
    es_results *r = &mock->results;
    for (size_t i = 0; i < r->m * r->m; i++)
        free(r->reason[i]);
    for (size_t i = 0; i < r->m * r->m && r->pmi != NULL; i++)
        free(r->pmi[i]);
    free(r->pmi);
    free(r->model);
    free(r->name);
    free(r->dim);
    free(r->dim_used);
    free(r->family);
    mock_free_results(r);
    if (mock->refined != NULL)
        mock_free_results(mock->refined);
    free(mock->refined);
    es_decision_free(mock->decision);
    es_correlation_work_free(mock->correlation);
    es_communities_free(mock->families);
    es_free(mock->means);
    es_linkage_free(mock->dendrogram);
    es_force_free(mock->places);
    void *const blocks[] = {mock->model,
                            mock->name,
                            mock->score_row,
                            mock->baseline,
                            mock->source.model,
                            mock->source.score_row,
                            mock->source.scores.model,
                            mock->source.scores.value};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]);
    free(mock);
}

/* ---- Driving an app ---- */

/* Themes to choose from. */
static inline void mock_themes(es_app *app, const char *const *names, size_t count,
                               const char *current) {
    es_words words = {0};
    for (size_t i = 0; i < count; i++)
        (void)es_words_add(&words, names[i], NULL);
    es_app_themes(app, &words, current);
}

/* What the loop does about ES_FX_FAMILIES, ES_FX_DENDROGRAM and ES_FX_PLACES, and the workers at
 * once or, where they are slow, never. */
static void mock_find(es_app *app, const es_effect *effect) {
    es_mock *mock = app->source->context;
    bool families = effect->kind == ES_FX_FAMILIES;
    bool places = effect->kind == ES_FX_PLACES;
    es_structure_look *look = families ? &mock->source.families
                              : places ? &mock->source.places
                                       : &mock->source.dendrogram;
    es_louvain problem = es_app_families(app);
    look->busy = mock->slow;
    if (mock->slow)
        return;
    if (families) {
        es_communities_free(mock->families);
        es_free(mock->means);
        mock->families = NULL;
        mock->means = NULL;
        if (es_communities_new(&problem, NULL, &mock->families, NULL) != ES_OK)
            return;
        const es_communities *found = mock->families;
        mock->means =
            es_alloc(found->listed + found->groups * found->groups + 1, sizeof *mock->means);
        if (mock->means == NULL || es_communities_means(problem.is, found, mock->means,
                                                        mock->means + found->listed, NULL) != ES_OK)
            return;
    } else if (places) {
        es_force_free(mock->places);
        mock->places = NULL;
        if (es_force_of(problem.is, problem.m, 0, NULL, &mock->places, NULL) != ES_OK)
            return;
        (void)es_force_move(mock->places, ES_FORCE_STEPS);
    } else {
        es_linkage_free(mock->dendrogram);
        mock->dendrogram = NULL;
        if (es_linkage_cluster(problem.is, problem.m, NULL, &mock->dendrogram, NULL) != ES_OK)
            return;
    }
    look->tag = effect->number;
}

static es_communities *mock_take_families(void *context, double **means) {
    es_mock *mock = context;
    es_communities *found = mock->families;
    *means = mock->means;
    mock->families = NULL;
    mock->means = NULL;
    return found;
}

static es_linkage *mock_take_dendrogram(void *context) {
    es_mock *mock = context;
    es_linkage *found = mock->dendrogram;
    mock->dendrogram = NULL;
    return found;
}

static es_force *mock_take_places(void *context) {
    es_mock *mock = context;
    es_force *found = mock->places;
    mock->places = NULL;
    return found;
}

/* What the loop does about ES_FX_CORRELATE, and the workers at once or, where they are late, when
 * the test has them end. */
static void mock_correlate(es_app *app, const es_effect *effect) {
    es_mock *mock = app->source->context;
    es_correlation_work *work = NULL;
    mock->source.correlation.busy = mock->late;
    if (mock->late || es_corr_work(app, effect->flag, &work, NULL) != ES_OK)
        return;
    if (es_correlation_work_run(work, NULL, NULL) == ES_OK) {
        es_correlation_work_free(mock->correlation);
        mock->correlation = work;
        mock->source.correlation.set = work->set;
        mock->source.correlation.tag = effect->number;
    }
}

/* Does so about the effects from `begin` on. The next message takes it up; true: which is to come
 * at once. */
static bool mock_serve(es_app *app, const es_effects *effects, size_t begin) {
    bool news = false;
    for (size_t k = begin; k < effects->count; k++) {
        es_effect_kind kind = effects->items[k].kind;
        if (kind == ES_FX_FAMILIES || kind == ES_FX_DENDROGRAM || kind == ES_FX_PLACES)
            mock_find(app, &effects->items[k]);
        if (kind == ES_FX_CORRELATE)
            mock_correlate(app, &effects->items[k]);
        news = news || kind == ES_FX_CORRELATE;
    }
    return news;
}

/* Effects are appended to *effects. */
static void mock_send(es_app *app, es_msg msg, es_effects *effects) {
    size_t before = effects->count;
    es_app_update(app, &msg, effects);
    if (mock_serve(app, effects, before))
        mock_send(app, (es_msg){.kind = ES_MSG_CLOCK, .now = app->now}, effects);
}

/* The same for a bench that has sent a message: decisions that were asked for come at once. */
static inline void mock_decide(es_mock *mock, es_app *app, es_effects *effects) {
    for (size_t i = effects->count; i-- > 0;)
        if (effects->items[i].kind == ES_FX_INTERVALS &&
            mock->source.decision.tag != effects->items[i].number) {
            mock_compute(mock, app, effects->items[i].number);
            mock_send(app, (es_msg){.kind = ES_MSG_SESSION, .now = app->now}, effects);
            return;
        }
}

/* Keys as text: characters are keys, names in angle brackets as in commands.def ("<Enter>"). */
static inline void mock_keys(es_app *app, const char *keys, es_effects *effects) {
    while (*keys != '\0') {
        uint32_t key[ES_COMMAND_KEYS] = {(unsigned char)*keys};
        const char *end = *keys == '<' ? strchr(keys, '>') : NULL;
        if (end != NULL && end > keys + 1) {
            char name[16];
            snprintf(name, sizeof name, "%.*s", (int)(end - keys - 1), keys + 1);
            es_command_parse(name, key);
            keys = end;
        }
        keys++;
        mock_send(app, (es_msg){.kind = ES_MSG_KEY, .now = app->now + 0.01, .key = key[0]},
                  effects);
    }
}

/* Where tests begin: at Pool, on its first line. */
static inline void mock_at_pool(es_app *app) {
    const es_list *list = &app->list[ES_LIST_POOL];
    app->view = ES_VIEW_POOL;
    app->cursor = list->count > 0 ? list->item[0] : ES_NONE;
}

#endif
