/* A source with made-up embedders and a run that goes as the test wants, for the explorer's tests.
 */
#ifndef ES_TEST_MOCK_H
#define ES_TEST_MOCK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_state.h"
#include "ranking_intervals.h"
#include "update.h"
#include "app.h"

typedef struct es_mock {
    es_source source;
    size_t n, threads, scores;
    es_model *model;
    char (*name)[64];
    char (*score_row)[64]; /* (score_rows) names in scores.csv */
    size_t score_rows;
    bool measures, lists; /* lists: two measures more, that have lists of what is worst */
    es_results results;
    bool have_results, read_only, lower, constant;
    bool costs;              /* the first task is an error: lower is better */
    es_results *refined;     /* a second plan entry, which refines the first; NULL: none */
    es_intervals *intervals; /* what the workers have computed; NULL: nothing */
    uint64_t intervals_tag;
    bool sure_busy;
    double sure_seconds;
    const uint8_t *urgency;      /* (m) as ES_FX_PRIORITISE has it; NULL: all alike */
    bool no_texts;               /* no rows.csv */
    es_source_worst worst;       /* what ES_FX_WORST has found */
    es_source_baseline baseline; /* what ES_FX_BASELINE has */
    es_phase phase;
    es_progress progress;
    es_error problem, store_problem;
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

static double mock_noise(size_t a, size_t b) {
    double x = sin((double)(a * 37 + b * 101 + 11)) * 43758.5453;
    return x - floor(x);
}

static const char *mock_name(void *c) {
    (void)c;
    return "mteb-en";
}
static const char *mock_path(void *c) {
    (void)c;
    return "~/emb/mteb-en";
}
static const char *mock_modality(void *c) {
    (void)c;
    return "text";
}
static size_t mock_count(void *c) {
    return ((es_mock *)c)->n;
}
static const es_model *mock_model(void *c, size_t i) {
    return &((es_mock *)c)->model[i];
}
static size_t mock_rows(void *c) {
    (void)c;
    return 20000;
}
static es_phase mock_phase(void *c) {
    return ((es_mock *)c)->phase;
}
static es_status mock_report(const es_error *from, es_error *err) {
    if (from->code != ES_OK && err != NULL)
        *err = *from;
    return from->code;
}
static es_status mock_problem(void *c, es_error *err) {
    return mock_report(&((es_mock *)c)->problem, err);
}
static es_status mock_store_problem(void *c, es_error *err) {
    return mock_report(&((es_mock *)c)->store_problem, err);
}
static const char *mock_store(void *c) {
    (void)c;
    return "~/emb/mteb-en/.embedscope/results.sqlite";
}
__attribute__((unused)) static size_t mock_no_rows(void *c) {
    (void)c;
    return 0;
}
__attribute__((unused)) static const char *mock_no_store(void *c) {
    (void)c;
    return NULL;
}
static void mock_progress(void *c, es_progress *out) {
    *out = ((es_mock *)c)->progress;
}
static unsigned mock_threads(void *c) {
    return (unsigned)((es_mock *)c)->threads;
}
static bool mock_read_only(void *c) {
    return ((es_mock *)c)->read_only;
}
static size_t mock_plan(void *c) {
    return ((es_mock *)c)->refined != NULL ? 2 : 1;
}
static size_t mock_best(void *c) {
    const es_mock *mock = c;
    if (mock->refined != NULL && mock->refined->done == mock->refined->m * mock->refined->m)
        return 1;
    return mock->have_results ? 0 : SIZE_MAX;
}
static const es_results *mock_results(void *c, size_t e) {
    es_mock *mock = c;
    return !mock->have_results ? NULL : e == 1 ? mock->refined : &mock->results;
}
static const char *mock_title(void *c, size_t e) {
    return ((es_mock *)c)->refined != NULL && e == 0 ? "linear" : "knife default";
}
static bool mock_lower(void *c, size_t e) {
    (void)e;
    return ((es_mock *)c)->lower;
}
static const es_intervals *mock_intervals(void *c, uint64_t *tag, bool *busy) {
    *tag = ((es_mock *)c)->intervals_tag;
    *busy = ((es_mock *)c)->sure_busy;
    return ((es_mock *)c)->intervals;
}
static double mock_intervals_seconds(void *c) {
    return ((es_mock *)c)->sure_seconds;
}
static const char *mock_score_file(void *c) {
    (void)c;
    return "scores.csv";
}
static size_t mock_score_columns(void *c) {
    return ((es_mock *)c)->scores;
}
static const char *mock_score_name(void *c, size_t i) {
    static const char *const n[] = {"MTEB", "Retrieval", "STS"};
    return ((es_mock *)c)->costs && i == 0 ? "RMSE ↓" : n[i];
}
static double mock_score(void *c, size_t item, size_t i) {
    const es_mock *mock = c;
    if (strcmp(mock->score_row[item], mock->name[item]) != 0)
        return (double)NAN;
    if (mock->constant)
        return 50;
    return item % 7 == 3 ? (double)NAN : 50 + 20 * mock_noise(item, i + 5);
}
static bool mock_score_lower(void *c, size_t i) {
    return ((es_mock *)c)->costs && i == 0;
}

enum { MOCK_ROWS = 60 };
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
/* Per-row values for every known pair. */
__attribute__((unused)) static void mock_pmi(es_mock *mock) {
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

/* Two columns and one matrix where `measures` says so. */
static size_t mock_measures(void *c, bool pairwise) {
    const es_mock *mock = c;
    return !mock->measures ? 0 : (pairwise ? 1 : 2) + (size_t)mock->lists;
}
static const char *mock_measure_name(void *c, bool pairwise, size_t k) {
    static const char *const names[2][3] = {{"evalrank", "uniformity", "retmmd"},
                                            {"cka", "knn-overlap"}};
    (void)c;
    return names[pairwise][k];
}
static double mock_measure_value(void *c, bool pairwise, size_t k, size_t a, size_t b) {
    (void)c;
    return pairwise ? 1 / (1 + fabs((double)a - (double)b)) : k == 0 ? 0.1 * (double)a : -(double)a;
}
static const char *mock_measure_caveat(void *c, bool pairwise, size_t k) {
    (void)c;
    (void)k;
    return pairwise ? "about 0, or below, for unrelated ones" : "higher is better";
}
static const char *mock_measure_doubt(void *c, size_t k, size_t a, size_t b) {
    (void)c;
    (void)k;
    return a + b > 9 && a != b ? "n <= d1 + d2" : NULL;
}
static void mock_worst(void *c, es_source_worst *out) {
    *out = ((es_mock *)c)->worst;
}
static es_worst_kind mock_measure_worst(void *c, bool pairwise, size_t k) {
    (void)c;
    return pairwise ? k == 1 ? ES_WORST_ROWS : ES_WORST_NONE
           : k == 0 ? ES_WORST_PAIRS
           : k == 2 ? ES_WORST_QUERIES
                    : ES_WORST_NONE;
}
/* Nothing came between the last. */
enum { MOCK_PAIRS = 12 };
static const es_worst_line *mock_worst_line(void *c, size_t k) {
    static es_worst_line line;
    uint32_t row = (uint32_t)k;
    double near = ((es_mock *)c)->lists ? (double)NAN : 0; /* lists of other measures have none */
    line = (es_worst_line){
        .value = 1 + 11.5 * (double)(MOCK_PAIRS - 1 - k),
        .beside = 0.02 * (double)k,
        .count = k / 4,
        .of = 10,
        .row = {2 * row, 2 * row + 1, k + 1 < MOCK_PAIRS ? 7 * row + 3 : UINT32_MAX},
        .similarity = {NAN, near + 0.1 + 0.05 * (double)k, near + 0.8 - 0.01 * (double)k}};
    return &line;
}
static void mock_baseline(void *c, es_source_baseline *out) {
    *out = ((es_mock *)c)->baseline;
}
static double mock_baseline_score(void *c, size_t item) {
    const es_mock *mock = c;
    return mock->baseline.known > 0 ? -1 - mock_noise(item, 77) : (double)NAN;
}
static size_t mock_score_rows(void *c) {
    return ((es_mock *)c)->score_rows;
}
static const char *mock_score_model(void *c, size_t row) {
    return ((es_mock *)c)->score_row[row];
}
static double mock_score_value(void *c, size_t row, size_t i) {
    (void)c;
    return row % 7 == 3 ? (double)NAN : 50 + 20 * mock_noise(row, i + 5);
}

static bool mock_activity(void *c, unsigned worker, es_activity *out) {
    es_mock *mock = c;
    *out = (es_activity){0};
    if (worker >= mock->threads)
        return false;
    if (mock->phase != ES_PHASE_RUNNING || !mock->have_results || mock->results.m < 3)
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
    if (mock->phase != ES_PHASE_RUNNING || !mock->have_results)
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
    mock->progress.total = total;
    mock->progress.done = r->done;
    mock->progress.failed = r->failed;
    mock->progress.running = mock->phase == ES_PHASE_RUNNING ? mock->threads : 0;
    size_t rest = total - r->done - r->failed;
    mock->progress.queued = rest > mock->progress.running ? rest - mock->progress.running : 0;
    mock->progress.rate = mock->phase == ES_PHASE_RUNNING ? 4.7 : 0;
    mock->progress.eta = mock->phase == ES_PHASE_RUNNING ? (double)rest / 4.7 : (double)NAN;
    mock->progress.elapsed = 172;
    mock->progress.checked = mock->progress.to_check = mock->n;
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

__attribute__((unused)) static void mock_fail(es_mock *mock, size_t s, size_t t,
                                              const char *reason) {
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
static void mock_fill(es_mock *mock, double share) {
    size_t m = mock->results.m;
    for (size_t s = 0; s < m; s++)
        for (size_t t = 0; t < m; t++)
            if (mock_noise(s * 3 + 1, t * 7 + 2) < share)
                mock_put(mock, s, t);
}

/* `names` NULL: the usual ones; excluded: that many of the last are left out with a reason. */
static es_mock *mock_new(size_t n, const char *const *names, size_t excluded) {
    es_mock *mock = calloc(1, sizeof *mock);
    size_t m = n - excluded, known = sizeof mock_names / sizeof *mock_names;
    *mock =
        (es_mock){.n = n, .threads = 4, .scores = 2, .phase = ES_PHASE_IDLE, .have_results = true};
    mock->model = calloc(n + 1, sizeof *mock->model);
    mock->name = calloc(n + 1, sizeof *mock->name);
    mock->score_row = calloc(n + 1, sizeof *mock->score_row);
    mock->score_rows = n;
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
    for (size_t i = 0; i < m; i++)
        r->model[i] = i;
    for (size_t i = 0; i < cells; i++)
        r->is[i] = r->se[i] = r->h_cond[i] = r->seconds[i] = (double)NAN;
    mock->source = (es_source){mock,
                               mock_name,
                               mock_path,
                               mock_modality,
                               mock_count,
                               mock_model,
                               mock_rows,
                               mock_phase,
                               mock_problem,
                               mock_store_problem,
                               mock_store,
                               mock_progress,
                               mock_threads,
                               mock_activity,
                               mock_queue,
                               mock_read_only,
                               mock_plan,
                               mock_best,
                               mock_results,
                               mock_title,
                               mock_lower,
                               mock_intervals,
                               mock_intervals_seconds,
                               mock_score_file,
                               mock_score_columns,
                               mock_score_name,
                               mock_score,
                               mock_score_lower,
                               mock_row,
                               mock_row_texts,
                               mock_score_rows,
                               mock_score_model,
                               mock_score_value,
                               mock_measures,
                               mock_measure_name,
                               mock_measure_value,
                               mock_measure_caveat,
                               mock_measure_doubt,
                               mock_measure_worst,
                               mock_worst,
                               mock_worst_line,
                               mock_baseline,
                               mock_baseline_score};
    mock_count_progress(mock);
    return mock;
}

/* A second plan entry, of which `share` of the pairs are done. Diagonals do not count here. */
__attribute__((unused)) static void mock_refine(es_mock *mock, double share) {
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

/* The zero line of the last plan entry. */
__attribute__((unused)) static void mock_measure_null(es_mock *mock) {
    es_results *r = mock->refined != NULL ? mock->refined : &mock->results;
    r->null = calloc(r->m + 1, sizeof *r->null);
    for (size_t t = 0; t < r->m; t++)
        r->null[t] = (es_null_line){0.004 * mock_noise(t, 41) - 0.001, 0.003, ES_PAIR_DONE, NULL};
    r->null_done = r->m;
}

/* What the loop does about ES_FX_INTERVALS, and the workers at once. */
__attribute__((unused)) static void mock_compute(es_mock *mock, const es_app *app, uint64_t tag) {
    es_bootstrap problem = es_app_bootstrap(app);
    es_intervals_free(mock->intervals);
    mock->intervals = NULL;
    if (es_intervals_new(&problem, NULL, &mock->intervals, NULL) == ES_OK)
        mock->intervals_tag = tag;
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

__attribute__((unused)) static void mock_free(es_mock *mock) {
    es_results *r = &mock->results;
    for (size_t i = 0; i < r->m * r->m; i++)
        free(r->reason[i]);
    for (size_t i = 0; i < r->m * r->m && r->pmi != NULL; i++)
        free(r->pmi[i]);
    free(r->pmi);
    free(r->model);
    mock_free_results(r);
    if (mock->refined != NULL)
        mock_free_results(mock->refined);
    free(mock->refined);
    es_intervals_free(mock->intervals);
    free(mock->model);
    free(mock->name);
    free(mock->score_row);
    free(mock);
}

/* ---- Driving an app ---- */

/* Effects are appended to *effects. */
static void mock_send(es_app *app, es_msg msg, es_effects *effects) {
    es_app_update(app, &msg, effects);
}

/* Keys as text: characters are keys, names in angle brackets as in commands.def ("<Enter>"). */
__attribute__((unused)) static void mock_keys(es_app *app, const char *keys, es_effects *effects) {
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

#endif
