/* Whether a ranking on some of the rows is that on all of them, fitted anew each time, and whether
 * it stays so beside a member with heavy tails, whose variance a few rows decide. */
#include "calibrating.h"

#include <math.h>
#include <string.h>

#include "base.h"
#include "embedscope/stat.h"
#include "engine_pool.h"
#include "report_answer.h"

enum { HEAVY_COLUMNS = 32, HEAVY_DF = 3 };

/* The embedders of a pool, all rows in use. */
typedef struct matrices {
    size_t m, rows;
    size_t *dim;    // (m)
    double **value; // (m) of (rows, dim)
} matrices;

static matrices matrices_new(const pool_values *pool) {
    const es_pool *from = es_session_pool(pool->session);
    matrices x = {pool->m, es_pool_rows(from), calibrate_alloc(pool->m, sizeof *x.dim),
                  calibrate_alloc(pool->m, sizeof *x.value)};
    for (size_t i = 0; i < x.m; i++) {
        es_rows rows;
        es_error err = {0};
        uint32_t *all = calibrate_alloc(x.rows, sizeof *all);
        for (size_t r = 0; r < x.rows; r++)
            all[r] = (uint32_t)r;
        if (es_pool_whole_rows_of(from, pool->results->model[i], &rows, &err) != ES_OK)
            calibrate_die(pool->results->name[i], &err);
        x.dim[i] = rows.d;
        x.value[i] = calibrate_alloc(x.rows * rows.d, sizeof **x.value);
        if (rows.read(rows.context, all, x.rows, x.value[i], &err) != ES_OK)
            calibrate_die(pool->results->name[i], &err);
        es_free(all);
    }
    return x;
}

static void matrices_free(matrices *x) {
    for (size_t i = 0; i < x->m; i++)
        es_free(x->value[i]);
    es_free(x->value);
    es_free(x->dim);
}

static double student(es_rng *rng) {
    double z = es_rng_normal(rng), chi = 0;
    for (int k = 0; k < HEAVY_DF; k++) {
        double e = es_rng_normal(rng);
        chi += e * e;
    }
    return z / sqrt(chi / HEAVY_DF);
}

static double *heavy_new(es_rng *rng, size_t rows) {
    double *value = calibrate_alloc(rows * HEAVY_COLUMNS, sizeof *value);
    for (size_t k = 0; k < rows * HEAVY_COLUMNS; k++) {
        double t = student(rng);
        value[k] = t * t * t;
    }
    return value;
}

/* out (count, d): listed rows of value. */
static double *take_rows(const double *value, size_t d, const uint32_t *row, size_t count) {
    double *out = calibrate_alloc(count * d, sizeof *out);
    for (size_t r = 0; r < count; r++)
        memcpy(out + r * d, value + row[r] * d, d * sizeof *out);
    return out;
}

/* heavy: one more member than the pool has, its last, without a family; NULL: none. */
static es_array_view *views_new(const pool_values *pool, const matrices *x, const uint32_t *row,
                                size_t count, const double *heavy) {
    es_array_view *view = calibrate_alloc(pool->m + 1, sizeof *view);
    for (size_t i = 0; i < pool->m; i++)
        view[i] = (es_array_view){.name = pool->results->name[i],
                                  .family = pool->results->family ? pool->results->family[i] : NULL,
                                  .data = take_rows(x->value[i], x->dim[i], row, count),
                                  .rows = count,
                                  .dim = x->dim[i],
                                  .element = ES_ELEMENT_FLOAT64};
    if (heavy)
        view[pool->m] = (es_array_view){.name = "cubes of t",
                                        .data = take_rows(heavy, HEAVY_COLUMNS, row, count),
                                        .rows = count,
                                        .dim = HEAVY_COLUMNS,
                                        .element = ES_ELEMENT_FLOAT64};
    return view;
}

static void views_free(es_array_view *view, size_t count) {
    for (size_t i = 0; i < count; i++)
        es_free((void *)(uintptr_t)view[i].data);
    es_free(view);
}

/* A ranking of its own of some rows. */
typedef struct fitted {
    es_session *session;
    es_rank_report *report;
} fitted;

static fitted fit(const es_array_view *view, size_t count, const char *settings) {
    const char *const set[] = {settings, NULL};
    const es_session_options options = {.estimator = ES_PREDICTIVE_ESTIMATOR,
                                        .preset = ES_PREDICTIVE_PRESET,
                                        .settings = set,
                                        .with_pmi = true};
    const es_rank_choices how = {.score = ES_SCORE_PREDICTIVE, .with_intervals = true};
    fitted f = {0};
    es_error err = {0};
    if (es_session_open_arrays(view, count, &options, &f.session, &err) != ES_OK)
        calibrate_die("matrices in memory", &err);
    calibrate_estimate(f.session);
    if (es_rank_report_new(es_session_results(f.session, 0), &how, &f.report, &err) != ES_OK)
        calibrate_die("ranking", &err);
    return f;
}

static void fitted_free(fitted *f) {
    es_rank_report_free(f->report);
    es_session_close(f->session);
}

/* Scores of the pool's own embedders (m): the member beside them may come before some by name. */
static void scores_of(const pool_values *pool, const fitted *f, double *score) {
    const es_results *results = f->report->results;
    for (size_t i = 0; i < pool->m; i++)
        for (size_t k = 0; k < results->m; k++)
            if (strcmp(results->name[k], pool->results->name[i]) == 0)
                score[i] = f->report->ranking->score[k];
}

sides cover_refits(const pool_values *pool, size_t draws, uint64_t seed) {
    sides out = {.draws = draws};
    matrices x = matrices_new(pool);
    uint32_t *deck = calibrate_alloc(x.rows, sizeof *deck);
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_SAMPLE, 4));
    for (size_t r = 0; r < x.rows; r++)
        deck[r] = (uint32_t)r;
    for (size_t k = 0; k < draws; k++) {
        fitted side[2];
        es_array_view *view[2];
        es_rng_shuffle(&rng, deck, x.rows);
        for (size_t s = 0; s < 2; s++) {
            view[s] = views_new(pool, &x, deck + s * (x.rows / 2), x.rows / 2, NULL);
            side[s] = fit(view[s], pool->m, NULL);
        }
        cover_sides(side[0].report->decision, side[1].report->decision, &out);
        for (size_t s = 0; s < 2; s++) {
            fitted_free(&side[s]);
            views_free(view[s], pool->m);
        }
    }
    es_free(deck);
    matrices_free(&x);
    return out;
}

/* One draw: how far `score` agrees with `all` (m), which `decision` is about. */
static void add_draw(const es_decision *decision, const double *all, const double *score,
                     steadiness *out) {
    es_stat tau = {0};
    es_error err = {0};
    size_t m = decision->m;
    if (es_correlate(ES_KENDALL, all, score, m, &tau, &err) != ES_OK)
        calibrate_die("correlating", &err);
    out->lowest = out->draws == 0 ? tau.value : fmin(out->lowest, tau.value);
    out->mean = (out->mean * (double)out->draws + tau.value) / (double)(out->draws + 1);
    out->draws++;
    for (size_t a = 0; a < m; a++)
        for (size_t b = a + 1; b < m; b++) {
            bool ahead = decision->ahead[a * m + b] || decision->ahead[b * m + a];
            out->turned.of += ahead;
            out->turned.hits += ahead && decision->delta[a * m + b] * (score[a] - score[b]) < 0;
        }
}

void steady_rows(const pool_values *pool, size_t rows, size_t draws, const char *settings,
                 uint64_t seed, steadiness out[3]) {
    const es_rank_choices how = {.score = ES_SCORE_PREDICTIVE, .with_intervals = true};
    size_t m = pool->m;
    matrices x = matrices_new(pool);
    double *alone = calibrate_alloc(m, sizeof *alone), *beside = calibrate_alloc(m, sizeof *beside);
    uint32_t *deck = calibrate_alloc(x.rows, sizeof *deck);
    es_rank_report *report = NULL;
    es_rng rng;
    es_error err = {0};
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_SAMPLE, 3));
    if (es_rank_report_new(pool->results, &how, &report, &err) != ES_OK)
        calibrate_die("ranking", &err);
    const double *all = report->ranking->score;
    memset(out, 0, 3 * sizeof *out);
    for (size_t r = 0; r < x.rows; r++)
        deck[r] = (uint32_t)r;
    for (size_t k = 0; k < draws; k++) {
        es_rng_shuffle(&rng, deck, x.rows);
        double *heavy = heavy_new(&rng, x.rows);
        es_array_view *view = views_new(pool, &x, deck, rows, heavy);
        fitted fits[2] = {fit(view, m, settings), fit(view, m + 1, settings)};
        scores_of(pool, &fits[0], alone);
        scores_of(pool, &fits[1], beside);
        add_draw(report->decision, all, alone, &out[0]);
        add_draw(report->decision, all, beside, &out[1]);
        add_draw(report->decision, alone, beside, &out[2]);
        fitted_free(&fits[0]);
        fitted_free(&fits[1]);
        views_free(view, m + 1);
        es_free(heavy);
    }
    es_rank_report_free(report);
    es_free(alone);
    es_free(beside);
    es_free(deck);
    matrices_free(&x);
}
