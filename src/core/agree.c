#include "embedscope/agree.h"

#include <math.h>
#include <string.h>

#include "embedscope/alloc.h"
#include "embedscope/ranking.h"
#include "embedscope/rng.h"

void es_agreement_free(es_agreement *a) {
    if (!a)
        return;
    es_free(a->cell);
    es_free(a->against);
    es_free(a->ahead);
    es_free(a->rank);
    es_free(a);
}

size_t es_mean_score(const double *scores, size_t n, size_t tasks, double *out) {
    size_t complete = 0;
    for (size_t i = 0; i < n; i++) {
        out[i] = tasks > 0 ? 0 : (double)NAN;
        for (size_t t = 0; t < tasks; t++)
            out[i] += scores[i * tasks + t] / (double)tasks; /* NaN stays */
        complete += isfinite(out[i]) ? 1 : 0;
    }
    return complete;
}

/* Draws of embedders, and room to look at columns through them. */
typedef struct work {
    const double *columns, *downstream;
    size_t k, n, draws;
    uint32_t *row;     /* (draws, n) */
    double *x, *y;     /* (n) */
    double *drawn;     /* (draws) */
    double *predicted; /* (k, draws) Spearman with downstream; NULL: none */
} work;

static void work_deinit(work *w) {
    es_free(w->row);
    es_free(w->x);
    es_free(w->drawn);
    es_free(w->predicted);
}

static es_status work_init(work *w, uint64_t seed, es_error *err) {
    w->row = es_alloc(w->draws, w->n * sizeof *w->row);
    w->x = es_alloc(2 * w->n, sizeof *w->x);
    w->y = w->x ? w->x + w->n : NULL;
    w->drawn = es_alloc(w->draws, sizeof *w->drawn);
    w->predicted = w->downstream ? es_alloc(w->k, w->draws * sizeof *w->predicted) : NULL;
    if (!w->row || !w->x || !w->drawn || (w->downstream && !w->predicted))
        return es_fail(err, ES_ENOMEM, "out of memory for %zu resamples", w->draws);
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_BOOTSTRAP, w->n));
    for (size_t i = 0; i < w->draws * w->n; i++)
        w->row[i] = (uint32_t)es_rng_below(&rng, w->n);
    return ES_OK;
}

static double look(const double *column, const uint32_t *row, size_t i) {
    return column[row ? row[i] : i];
}

/* A correlation over the listed embedders (NULL: all); how many have both. */
static es_status correlate(work *w, es_correlation kind, const double *a, const double *b,
                           const uint32_t *row, es_stat *out, size_t *both, es_error *err) {
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++) {
        double x = look(a, row, i), y = look(b, row, i);
        if (isfinite(x) && isfinite(y)) {
            w->x[n] = x;
            w->y[n++] = y;
        }
    }
    *both = n;
    if (n >= 3)
        return es_correlate(kind, w->x, w->y, n, out, err);
    *out = es_stat_undefined(ES_WHY_FEW);
    return ES_OK;
}

/* 95 % of the values that are defined; NaN unless more than half are. */
static void interval(double *drawn, size_t draws, es_agreement_cell *out) {
    size_t n = es_stat_finite(drawn, draws, drawn);
    out->low = out->high = NAN;
    if (2 * n <= draws)
        return;
    out->low = es_stat_quantile(drawn, n, 0.025);
    out->high = es_stat_quantile(drawn, n, 0.975);
}

static es_status compare(work *w, size_t i, size_t j, es_agreement_cell *out, es_error *err) {
    const double *a = w->columns + i * w->n, *b = w->columns + j * w->n;
    size_t both = 0;
    es_status st = correlate(w, ES_KENDALL, a, b, NULL, &out->tau, &out->n, err);
    for (size_t d = 0; st == ES_OK && d < w->draws; d++) {
        es_stat tau = {0};
        st = correlate(w, ES_KENDALL, a, b, w->row + d * w->n, &tau, &both, err);
        w->drawn[d] = tau.why ? (double)NAN : tau.value;
    }
    if (st == ES_OK)
        interval(w->drawn, w->draws, out);
    return st;
}

static es_status compare_all(work *w, es_agreement *a, const es_run *run, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < w->k; i++)
        for (size_t j = i; j < w->k; j++) {
            es_agreement_cell *cell = &a->cell[i * w->k + j];
            ES_TRY(es_run_check(run, err));
            ES_TRY(compare(w, i, j, cell, err));
            a->cell[j * w->k + i] = *cell;
        }
done:
    return st;
}

/* Column i's Spearman with downstream in every resample. */
static es_status predict(work *w, size_t i, es_error *err) {
    es_status st = ES_OK;
    size_t both = 0;
    for (size_t d = 0; st == ES_OK && d < w->draws; d++) {
        es_stat rho = {0};
        st = correlate(w, ES_SPEARMAN, w->columns + i * w->n, w->downstream, w->row + d * w->n,
                       &rho, &both, err);
        w->predicted[i * w->draws + d] = rho.why ? (double)NAN : rho.value;
    }
    return st;
}

static es_status against_downstream(work *w, es_agreement *a, const es_correlate_options *options,
                                    const es_run *run, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < w->k; i++) {
        ES_TRY(es_correlate_task(w->columns + i * w->n, w->downstream, NULL, w->n, options, run,
                                 NULL, &a->against[i], err));
        ES_TRY(predict(w, i, err));
        es_stat own = a->against[i].value[ES_SPEARMAN], first = a->against[0].value[ES_SPEARMAN];
        es_agreement_cell *ahead = &a->ahead[i];
        ahead->n = a->against[i].n;
        ahead->tau = own.why || first.why ? es_stat_undefined(own.why ? own.why : first.why)
                                          : es_stat_of(own.value - first.value);
        for (size_t d = 0; d < w->draws; d++)
            w->drawn[d] = w->predicted[i * w->draws + d] - w->predicted[d];
        interval(w->drawn, w->draws, ahead);
    }
done:
    return st;
}

es_status es_agreement_new(const double *columns, size_t k, const double *downstream, size_t n,
                           const es_correlate_options *options, const es_run *run,
                           es_agreement **out, es_error *err) {
    work w = {.columns = columns,
              .downstream = downstream,
              .k = k,
              .n = n,
              .draws = options->draws > 0 ? options->draws : 1000};
    es_status st = ES_OK;
    es_agreement *a = es_alloc_zero(1, sizeof *a);
    if (!a)
        return es_fail(err, ES_ENOMEM, "out of memory for an agreement");
    a->k = k;
    a->n = n;
    a->cell = es_alloc_zero(k, k * sizeof *a->cell);
    a->rank = es_alloc(k, n * sizeof *a->rank);
    a->against = downstream ? es_alloc_zero(k, sizeof *a->against) : NULL;
    a->ahead = downstream ? es_alloc_zero(k, sizeof *a->ahead) : NULL;
    if (!a->cell || !a->rank || (downstream && (!a->against || !a->ahead))) {
        st = es_fail(err, ES_ENOMEM, "out of memory for an agreement");
        goto done;
    }
    ES_TRY(work_init(&w, options->seed, err));
    for (size_t i = 0; i < k; i++)
        ES_TRY(es_rank_competition(columns + i * n, n, false, a->rank + i * n, err));
    ES_TRY(compare_all(&w, a, run, err));
    if (downstream)
        ES_TRY(against_downstream(&w, a, options, run, err));
    *out = a;
    a = NULL;
done:
    es_agreement_free(a);
    work_deinit(&w);
    return st;
}
