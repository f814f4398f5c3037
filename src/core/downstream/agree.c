/* Correlations between columns of measures with bootstrap intervals over embedders. Cell by cell
 * and draw by draw, so that a caller can stop in between. */
#include "agree.h"

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "embedscope/ranking.h"
#include "independent.h"
#include "rng.h"
#include "stats.h"

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

/* ---- step by step ---- */

/* What is done next: Kendall of columns i and j, i <= j, then each column i against downstream. */
typedef enum stage { STAGE_CELLS, STAGE_REPORT, STAGE_PREDICT, STAGE_DONE } stage;

struct es_agreer {
    work w;
    es_agreement *a;
    es_correlate_options options;
    double *own; /* (k + 1, n) copies of the columns, then of downstream */
    stage stage;
    size_t i, j, d;            /* d: draws made of this one */
    es_correlator *correlator; /* of column i and downstream */
};

void es_agreer_free(es_agreer *g) {
    if (!g)
        return;
    es_correlator_free(g->correlator);
    es_agreement_free(g->a);
    work_deinit(&g->w);
    es_free(g->own);
    es_free(g);
}

const es_agreement *es_agreer_report(const es_agreer *g) {
    return g->a;
}

/* Values without intervals. */
static es_status first_look(es_agreer *g, es_error *err) {
    work *w = &g->w;
    es_status st = ES_OK;
    size_t n = w->n, k = w->k;
    for (size_t i = 0; i < k; i++) {
        ES_TRY(es_rank_competition(w->columns + i * n, n, false, g->a->rank + i * n, err));
        for (size_t j = i; j < k; j++) {
            es_agreement_cell *cell = &g->a->cell[i * k + j];
            ES_TRY(correlate(w, ES_KENDALL, w->columns + i * n, w->columns + j * n, NULL,
                             &cell->tau, &cell->n, err));
            cell->low = cell->high = NAN;
            g->a->cell[j * k + i] = *cell;
        }
    }
done:
    return st;
}

static es_status make_room(es_agreer *g, size_t k, size_t n, bool downstream, es_error *err) {
    es_agreement *a = g->a = es_alloc_zero(1, sizeof *g->a);
    g->own = es_alloc(k + 1, n * sizeof *g->own);
    if (!a || !g->own)
        return es_no_memory(err);
    a->k = k;
    a->n = n;
    a->cell = es_alloc_zero(k, k * sizeof *a->cell);
    a->rank = es_alloc(k, n * sizeof *a->rank);
    a->against = downstream ? es_alloc_zero(k, sizeof *a->against) : NULL;
    a->ahead = downstream ? es_alloc_zero(k, sizeof *a->ahead) : NULL;
    if (!a->cell || !a->rank || (downstream && (!a->against || !a->ahead)))
        return es_no_memory(err);
    return ES_OK;
}

es_status es_agreer_new(const double *columns, size_t k, const double *downstream, size_t n,
                        const es_correlate_options *options, es_agreer **out, es_error *err) {
    es_status st = ES_OK;
    es_agreer *g = es_alloc_zero(1, sizeof *g);
    if (!g)
        return es_no_memory(err);
    ES_TRY(make_room(g, k, n, downstream != NULL, err));
    memcpy(g->own, columns, k * n * sizeof *g->own);
    if (downstream)
        memcpy(g->own + k * n, downstream, n * sizeof *g->own);
    g->options = *options;
    g->w = (work){.columns = g->own,
                  .downstream = downstream ? g->own + k * n : NULL,
                  .k = k,
                  .n = n,
                  .draws = options->draws > 0 ? options->draws : 1000};
    ES_TRY(work_init(&g->w, options, err));
    ES_TRY(first_look(g, err));
    *out = g;
    g = NULL;
done:
    es_agreer_free(g);
    return st;
}

void es_agreer_only_against(es_agreer *g) {
    g->i = g->j = 0;
    g->stage = g->w.downstream && g->w.k > 0 ? STAGE_REPORT : STAGE_DONE;
}

static void next_cell(es_agreer *g) {
    g->d = 0;
    if (++g->j < g->w.k)
        return;
    g->j = ++g->i;
    if (g->i < g->w.k)
        return;
    g->i = 0;
    g->stage = g->w.downstream && g->w.k > 0 ? STAGE_REPORT : STAGE_DONE;
}

static es_status draw_cell(es_agreer *g, es_error *err) {
    work *w = &g->w;
    size_t both = 0;
    es_stat tau = {0};
    es_status st = correlate(w, ES_KENDALL, w->columns + g->i * w->n, w->columns + g->j * w->n,
                             w->row + g->d * w->n, &tau, &both, err);
    w->drawn[g->d] = tau.why ? (double)NAN : tau.value;
    if (st != ES_OK || ++g->d < w->draws)
        return st;
    es_agreement_cell *cell = &g->a->cell[g->i * w->k + g->j];
    interval(w->drawn, w->draws, cell);
    g->a->cell[g->j * w->k + g->i] = *cell;
    next_cell(g);
    return ES_OK;
}

static es_status draw_report(es_agreer *g, unsigned draws, es_error *err) {
    work *w = &g->w;
    if (!g->correlator) {
        g->options.family = w->family; /* those without a downstream value are left out anyhow */
        es_status st = es_correlator_new(w->columns + g->i * w->n, w->downstream, NULL, w->n,
                                         &g->options, &g->correlator, err);
        if (st != ES_OK)
            return st;
    }
    bool whole = es_correlator_step(g->correlator, draws);
    g->a->against[g->i] = *es_correlator_report(g->correlator);
    if (!whole)
        return ES_OK;
    es_correlator_free(g->correlator);
    g->correlator = NULL;
    g->stage = STAGE_PREDICT;
    g->d = 0;
    return ES_OK;
}

/* How far column i is ahead of the first, over the draws that both were looked at through. */
static void fill_ahead(es_agreer *g) {
    work *w = &g->w;
    size_t i = g->i;
    const es_correlation_report *against = g->a->against;
    if (against == NULL || g->a->ahead == NULL)
        return; /* nothing downstream */
    es_stat own = against[i].value[ES_SPEARMAN], first = against[0].value[ES_SPEARMAN];
    es_agreement_cell *ahead = &g->a->ahead[i];
    ahead->n = against[i].n;
    ahead->tau = own.why || first.why ? es_stat_undefined(own.why ? own.why : first.why)
                                      : es_stat_of(own.value - first.value);
    for (size_t d = 0; d < w->draws; d++)
        w->drawn[d] = w->predicted[i * w->draws + d] - w->predicted[d];
    interval(w->drawn, w->draws, ahead);
    if (w->families < ES_AGREE_FAMILIES)
        ahead->low = ahead->high = (double)NAN;
}

/* Column i's Spearman with downstream in one more resample. */
static es_status draw_prediction(es_agreer *g, es_error *err) {
    work *w = &g->w;
    es_stat rho = {0};
    es_status st = predict(w, w->columns + g->i * w->n, w->copies + g->d * w->families, &rho, err);
    w->predicted[g->i * w->draws + g->d] = rho.why ? (double)NAN : rho.value;
    if (st != ES_OK || ++g->d < w->draws)
        return st;
    fill_ahead(g);
    g->d = 0;
    g->stage = ++g->i < w->k ? STAGE_REPORT : STAGE_DONE;
    return ES_OK;
}

es_status es_agreer_step(es_agreer *g, size_t draws, bool *whole, es_error *err) {
    es_status st = ES_OK;
    if (g->w.k == 0)
        g->stage = STAGE_DONE;
    while (st == ES_OK && draws > 0 && g->stage != STAGE_DONE) {
        if (g->stage == STAGE_REPORT) {
            st = draw_report(g, draws < 1000 ? (unsigned)draws : 1000, err);
            draws = draws > 1000 ? draws - 1000 : 0;
        } else {
            st = g->stage == STAGE_CELLS ? draw_cell(g, err) : draw_prediction(g, err);
            draws--;
        }
    }
    *whole = g->stage == STAGE_DONE;
    return st;
}

static es_status settle(const double *columns, size_t k, const double *downstream, size_t n,
                        const es_correlate_options *options, bool only_against, const es_run *run,
                        es_agreement **out, es_error *err) {
    es_status st = ES_OK;
    es_agreer *g = NULL;
    bool whole = false;
    ES_TRY(es_agreer_new(columns, k, downstream, n, options, &g, err));
    if (only_against)
        es_agreer_only_against(g);
    while (!whole) {
        ES_TRY(es_run_check(run, err));
        ES_TRY(es_agreer_step(g, 1000, &whole, err));
    }
    *out = g->a;
    g->a = NULL;
done:
    es_agreer_free(g);
    return st;
}

es_status es_agreement_new(const double *columns, size_t k, const double *downstream, size_t n,
                           const es_correlate_options *options, const es_run *run,
                           es_agreement **out, es_error *err) {
    return settle(columns, k, downstream, n, options, false, run, out, err);
}

es_status es_agreement_of_downstream(const double *columns, size_t k, const double *downstream,
                                     size_t n, const es_correlate_options *options,
                                     es_agreement **out, es_error *err) {
    return settle(columns, k, downstream, n, options, true, NULL, out, err);
}
