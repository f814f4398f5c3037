/* How a ranking by some of the rows will agree with that by all: scores are moved by errors as
 * large as what more rows have moved so far, and the rankings compared. */
#include "core_ranking.h"

#include <math.h>
#include <stdlib.h>

#include "core_numerics.h"

enum { DRAWS = 400, LOOK_EVERY = 16 };

/* One embedder with a score. */
typedef struct ranked {
    double score, step; /* since half the rows, from the median step */
    double sd;          /* of its error */
    size_t at;          /* in the problem */
} ranked;

static int compare_scores(const void *a, const void *b) {
    double x = ((const ranked *)a)->score, y = ((const ranked *)b)->score;
    return (x < y) - (x > y);
}

/* Best first: what is drawn does not depend on how embedders are numbered. */
static size_t list_ranked(const es_growth_problem *p, ranked *out) {
    size_t n = 0;
    for (size_t i = 0; i < p->m; i++)
        if (isfinite(p->score[i]) && (!p->before || isfinite(p->before[i])))
            out[n++] = (ranked){.score = p->score[i], .at = i};
    if (n > 1)
        qsort(out, n, sizeof *out, compare_scores);
    return n;
}

/* Kendall's tau-a of the ranking of r with that by other (n). */
static double agreement(const ranked *r, const double *other, size_t n) {
    long long sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            int here = (r[i].score > r[j].score) - (r[i].score < r[j].score);
            int there = (other[i] > other[j]) - (other[i] < other[j]);
            sum += here == there ? 1 : here * there;
        }
    return n > 1 ? (double)sum / ((double)n * (double)(n - 1) / 2) : 1;
}

/* v_i of v_i + v_j = var_ij by least squares: without the covariance, which moves no ranks when it
 * is common to all. */
static void find_row_variances(const es_growth_problem *p, const ranked *r, size_t n, double *v) {
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        v[i] = 0;
        for (size_t j = 0; j < n; j++) {
            double both = p->var && j != i ? p->var[r[i].at * p->m + r[j].at] : 0;
            v[i] += isfinite(both) ? both : 0;
        }
        total += v[i];
    }
    for (size_t i = 0; i < n; i++)
        v[i] = n > 2 ? fmax(0, (v[i] - total / (2 * (double)(n - 1))) / (double)(n - 2)) : v[i] / 2;
}

/* Estimates how far each score may still move, from its last step and the variance of its rows. */
static void find_errors(const es_growth_problem *p, ranked *r, size_t n, double *scratch) {
    double share = (double)p->rows / (double)p->of, mean = 0;
    for (size_t i = 0; i < n; i++)
        scratch[i] = r[i].step = r[i].score - p->before[r[i].at];
    double middle = es_stat_median(scratch, n);
    for (size_t i = 0; i < n; i++) {
        r[i].step -= middle;
        mean += r[i].step * r[i].step / (double)n;
    }
    find_row_variances(p, r, n, scratch);
    for (size_t i = 0; i < n; i++)
        r[i].sd =
            sqrt(fmax((r[i].step * r[i].step + mean) / 2 * (1 - share), scratch[i] * (1 + share)));
}

/* Draws rankings with the error that n rows would leave, and correlates them with the present one.
 */
static es_status simulate_growth(const es_growth_problem *p, const ranked *r, size_t n,
                                 double *moved, const es_run *run, es_growth *out, es_error *err) {
    double *tau = es_alloc(DRAWS, sizeof *tau);
    es_rng rng;
    es_status st = tau ? ES_OK : es_no_memory(err);
    es_rng_init(&rng, p->seed, es_rng_stream(ES_STREAM_ROWS, p->rows));
    for (size_t k = 0; st == ES_OK && k < DRAWS; k++) {
        for (size_t i = 0; i < n; i++)
            moved[i] = r[i].score + r[i].sd * es_rng_normal(&rng);
        tau[k] = agreement(r, moved, n);
        if (k % LOOK_EVERY == 0)
            st = es_run_check(run, err);
    }
    if (st == ES_OK) {
        out->expected = es_stat_mean(tau, DRAWS);
        /* a mean may lie beyond a quantile where nearly all draws are alike */
        out->low = fmin(es_stat_quantile(tau, DRAWS, (1 - ES_GROWTH_LEVEL) / 2), out->expected);
        out->high = fmax(es_stat_quantile(tau, DRAWS, (1 + ES_GROWTH_LEVEL) / 2), out->expected);
    }
    es_free(tau);
    return st;
}

es_status es_growth_judge(const es_growth_problem *p, const es_run *run, es_growth *out,
                          es_error *err) {
    es_growth growth = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    ranked *r = es_alloc(p->m, sizeof *r);
    double *moved = es_alloc(p->m, sizeof *moved);
    es_status st = r && moved ? ES_OK : es_no_memory(err);
    size_t n = st == ES_OK ? list_ranked(p, r) : 0;
    for (size_t i = 0; p->before && i < n; i++)
        moved[i] = p->before[r[i].at];
    if (p->before && n > 1)
        growth.since = agreement(r, moved, n);
    if (p->rows >= p->of)
        growth.expected = growth.low = growth.high = 1;
    else if (st == ES_OK && p->before && n > 1) {
        find_errors(p, r, n, moved);
        st = simulate_growth(p, r, n, moved, run, &growth, err);
    }
    es_free(r);
    es_free(moved);
    if (st == ES_OK)
        *out = growth;
    return st;
}
