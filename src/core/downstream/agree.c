/* Correlations between columns of measures with bootstrap intervals over embedders. */
#include "core_downstream.h"

#include <math.h>
#include <string.h>

#include "embedscope/ranking.h"
#include "core_numerics.h"

void es_agreement_free(es_agreement *a) {
    if (!a)
        return;
    es_free(a->cell);
    es_free(a->against);
    es_free(a->ahead);
    es_free(a->rank);
    es_free(a);
}

/* Draws of embedders and of families, and room to look at columns through them. */
typedef struct work {
    const double *columns, *downstream;
    size_t k, n, draws;
    uint32_t *row;     /* (draws, n) embedders */
    size_t families;   /* of the embedders that have a downstream value */
    uint32_t *family;  /* (n) 0 .. families - 1; UINT32_MAX: no downstream value */
    uint32_t *copies;  /* (draws, families) how often each is drawn */
    double *x, *y;     /* (most) */
    double *drawn;     /* (draws) */
    double *predicted; /* (k, draws) Spearman with downstream; NULL: none */
} work;

static void work_deinit(work *w) {
    es_free(w->row);
    es_free(w->family);
    es_free(w->copies);
    es_free(w->x);
    es_free(w->drawn);
    es_free(w->predicted);
}

/* Families drawn with replacement. *most: embedders of the largest resample. */
static es_status draw_families(work *w, const uint32_t *family, uint64_t seed, size_t *most,
                               es_error *err) {
    bool *keep = es_alloc(w->n + 1, sizeof *keep);
    w->family = es_alloc(w->n + 1, sizeof *w->family);
    if (!keep || !w->family) {
        es_free(keep);
        return es_no_memory(err);
    }
    for (size_t i = 0; i < w->n; i++)
        keep[i] = isfinite(w->downstream[i]);
    w->families = es_independent_families(family, keep, w->n, w->family);
    es_free(keep);
    w->copies = es_alloc_zero(w->draws * w->families + 1, sizeof *w->copies);
    if (!w->copies)
        return es_no_memory_for(err, "%zu resamples", w->draws);
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_BOOTSTRAP, w->families));
    for (size_t d = 0; d < w->draws; d++) {
        uint32_t *copies = w->copies + d * w->families;
        size_t count = 0;
        for (size_t f = 0; f < w->families; f++)
            copies[es_rng_below(&rng, w->families)]++;
        for (size_t i = 0; i < w->n; i++)
            count += w->family[i] == UINT32_MAX ? 0 : copies[w->family[i]];
        *most = count > *most ? count : *most;
    }
    return ES_OK;
}

static es_status work_init(work *w, const es_correlate_options *options, es_error *err) {
    size_t most = w->n;
    es_status st =
        w->downstream ? draw_families(w, options->family, options->seed, &most, err) : ES_OK;
    if (st != ES_OK)
        return st;
    w->row = es_alloc(w->draws, w->n * sizeof *w->row);
    w->x = es_alloc(2 * most, sizeof *w->x);
    w->y = w->x ? w->x + most : NULL;
    w->drawn = es_alloc(w->draws, sizeof *w->drawn);
    w->predicted = w->downstream ? es_alloc(w->k, w->draws * sizeof *w->predicted) : NULL;
    if (!w->row || !w->x || !w->drawn || (w->downstream && !w->predicted))
        return es_no_memory_for(err, "%zu resamples", w->draws);
    es_rng rng;
    es_rng_init(&rng, options->seed, es_rng_stream(ES_STREAM_BOOTSTRAP, w->n));
    for (size_t i = 0; i < w->draws * w->n; i++)
        w->row[i] = (uint32_t)es_rng_below(&rng, w->n);
    return ES_OK;
}

static double look(const double *column, const uint32_t *row, size_t i) {
    return column[row ? row[i] : i];
}

/* A correlation of the n values in x and y, if there are three. */
static es_status correlate_taken(work *w, es_correlation kind, size_t n, es_stat *out,
                                 es_error *err) {
    if (n >= 3)
        return es_correlate(kind, w->x, w->y, n, out, err);
    *out = es_stat_undefined(ES_WHY_FEW);
    return ES_OK;
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
    return correlate_taken(w, kind, n, out, err);
}

/* Spearman with downstream over a draw of families. */
static es_status predict(work *w, const double *column, const uint32_t *copies, es_stat *out,
                         es_error *err) {
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++) {
        if (w->family[i] == UINT32_MAX || !isfinite(column[i]))
            continue;
        for (uint32_t c = copies[w->family[i]]; c > 0; c--) {
            w->x[n] = column[i];
            w->y[n++] = w->downstream[i];
        }
    }
    return correlate_taken(w, ES_SPEARMAN, n, out, err);
}

/* 95 % of the values that are defined; NaN unless more than half are, and of few embedders. */
static void interval(double *drawn, size_t draws, es_agreement_cell *out) {
    size_t n = es_stat_finite(drawn, draws, drawn);
    out->low = out->high = NAN;
    if (2 * n <= draws || out->n < ES_CORRELATE_ENOUGH)
        return;
    out->low = es_stat_quantile(drawn, n, 0.025);
    out->high = es_stat_quantile(drawn, n, 0.975);
}

/* ---- all of it ---- */

static es_agreement *agreement_new(size_t k, size_t n, bool downstream) {
    es_agreement *a = es_alloc_zero(1, sizeof *a);
    if (!a)
        return NULL;
    a->k = k;
    a->n = n;
    a->cell = es_alloc_zero(k, k * sizeof *a->cell);
    a->rank = es_alloc(k, n * sizeof *a->rank);
    a->against = downstream ? es_alloc_zero(k, sizeof *a->against) : NULL;
    a->ahead = downstream ? es_alloc_zero(k, sizeof *a->ahead) : NULL;
    if (a->cell && a->rank && (!downstream || (a->against && a->ahead)))
        return a;
    es_agreement_free(a);
    return NULL;
}

/* Kendall of columns i and j, with an interval or without. */
static es_status fill_cell(work *w, es_agreement *a, size_t i, size_t j, bool with_interval,
                           es_error *err) {
    const double *x = w->columns + i * w->n, *y = w->columns + j * w->n;
    es_agreement_cell *cell = &a->cell[i * w->k + j];
    es_status st = correlate(w, ES_KENDALL, x, y, NULL, &cell->tau, &cell->n, err);
    cell->low = cell->high = (double)NAN;
    for (size_t d = 0; with_interval && d < w->draws && st == ES_OK; d++) {
        size_t both = 0;
        es_stat tau = {0};
        st = correlate(w, ES_KENDALL, x, y, w->row + d * w->n, &tau, &both, err);
        w->drawn[d] = tau.why ? (double)NAN : tau.value;
    }
    if (with_interval && st == ES_OK)
        interval(w->drawn, w->draws, cell);
    a->cell[j * w->k + i] = *cell;
    return st;
}

/* How far column i is ahead of the first, over the draws that both were looked at through. */
static void fill_ahead(work *w, es_agreement *a, size_t i) {
    es_stat own = a->against[i].value[ES_SPEARMAN], first = a->against[0].value[ES_SPEARMAN];
    es_agreement_cell *ahead = &a->ahead[i];
    ahead->n = a->against[i].n;
    ahead->tau = own.why || first.why ? es_stat_undefined(own.why ? own.why : first.why)
                                      : es_stat_of(own.value - first.value);
    for (size_t d = 0; d < w->draws; d++)
        w->drawn[d] = w->predicted[i * w->draws + d] - w->predicted[d];
    interval(w->drawn, w->draws, ahead);
    if (w->families < ES_AGREE_FAMILIES)
        ahead->low = ahead->high = (double)NAN;
}

/* Column i with downstream, in all and in every resample. */
static es_status set_against(work *w, const es_correlate_options *options, es_agreement *a,
                             size_t i, const es_run *run, es_error *err) {
    es_correlate_options by_family = *options;
    by_family.family = w->family; /* those without a downstream value are left out anyhow */
    es_status st = es_correlate_task(w->columns + i * w->n, w->downstream, NULL, w->n, &by_family,
                                     run, NULL, &a->against[i], err);
    for (size_t d = 0; d < w->draws && st == ES_OK; d++) {
        es_stat rho = {0};
        st = predict(w, w->columns + i * w->n, w->copies + d * w->families, &rho, err);
        w->predicted[i * w->draws + d] = rho.why ? (double)NAN : rho.value;
    }
    if (st == ES_OK)
        fill_ahead(w, a, i);
    return st;
}

/* Correlates k columns of scores with the downstream one, and with each other unless only_against.
 */
static es_status compute_agreement(const double *columns, size_t k, const double *downstream,
                                   size_t n, const es_correlate_options *options, bool only_against,
                                   const es_run *run, es_agreement **out, es_error *err) {
    es_status st = ES_OK;
    work w = {.columns = columns,
              .downstream = downstream,
              .k = k,
              .n = n,
              .draws = options->draws > 0 ? options->draws : 1000};
    es_agreement *a = agreement_new(k, n, downstream != NULL);
    ES_FAIL_IF(!a, es_no_memory(err));
    ES_TRY(work_init(&w, options, err));
    for (size_t i = 0; i < k; i++) {
        ES_TRY(es_rank_competition(columns + i * n, n, false, a->rank + i * n, err));
        for (size_t j = i; j < k; j++) {
            ES_TRY(es_run_check(run, err));
            ES_TRY(fill_cell(&w, a, i, j, !only_against, err));
        }
    }
    for (size_t i = 0; downstream && i < k; i++)
        ES_TRY(set_against(&w, options, a, i, run, err));
    *out = a;
    a = NULL;
done:
    es_agreement_free(a);
    work_deinit(&w);
    return st;
}

es_status es_agreement_new(const double *columns, size_t k, const double *downstream, size_t n,
                           const es_correlate_options *options, const es_run *run,
                           es_agreement **out, es_error *err) {
    return compute_agreement(columns, k, downstream, n, options, false, run, out, err);
}

es_status es_agreement_of_downstream(const double *columns, size_t k, const double *downstream,
                                     size_t n, const es_correlate_options *options,
                                     es_agreement **out, es_error *err) {
    return compute_agreement(columns, k, downstream, n, options, true, NULL, out, err);
}
