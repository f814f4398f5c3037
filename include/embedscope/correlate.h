/* A score against downstream results: how well it predicts, how sure that is, and for whom not. */
#ifndef EMBEDSCOPE_CORRELATE_H
#define EMBEDSCOPE_CORRELATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/stat.h"
#include "embedscope/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Embedders from which on intervals are given. Of fewer, resamples agree by chance: with a true
 *  coefficient of 0.9, intervals of 5 hold it in 76 % of cases, since a quarter of them is [1, 1];
 *  of 6 it is 89 %, of 7 93 % (tests/reference/ranking/few_pairs.py). */
enum { ES_CORRELATE_ENOUGH = 7, ES_CORRELATE_DRAWS = 1000, ES_CORRELATE_PERMUTATIONS = 4999 };
#define ES_CORRELATE_LEVEL 0.95

typedef struct es_correlate_options {
    unsigned draws;        /* of the bootstrap; 0: 1,000 */
    unsigned permutations; /* 0: 4,999 */
    double level;          /* 0: 0.95 */
    uint64_t seed;
    const uint32_t *family; /* of each embedder: equal numbers belong together. NULL: each alone */
    bool without_draws;     /* leave out what is drawn: all intervals except Spearman's, and p */
} es_correlate_options;

typedef struct es_correlation_report {
    size_t n; /* embedders with both values */
    bool few; /* fewer than ES_CORRELATE_ENOUGH: show, but do not lean on it */
    es_stat value[ES_CORRELATIONS];                     /* undefined: "n < 3", "constant" */
    double low[ES_CORRELATIONS], high[ES_CORRELATIONS]; /* percentile interval over resampled
                                  embedders; NaN when undefined in more than half of the draws,
                                  and of few. Spearman's is Fisher's, by n_effective */
    /* The rest is about Spearman's coefficient. */
    size_t families;    /* among the n embedders */
    double n_effective; /* number of independent embedders that they count as, from the intraclass
                           correlations of both rankings; NaN: undefined */
    double p_effective; /* two-sided, Student's t with n_effective - 2 degrees of freedom; NaN */
    es_stat p;          /* two-sided permutation test, (1 + as extreme) / (1 + permutations) */
    es_stat partial; /* given the covariate, all three as ranks; undefined also for "no covariate",
                        "constant covariate", "covariate decides" */
    double leave_one_low, leave_one_high; /* range when one embedder is left out; NaN: undefined */
    size_t leave_one_low_at, leave_one_high_at; /* which, in the caller's arrays; SIZE_MAX */
    es_stat top_half; /* among the ceil(n / 2) best downstream (and ties with the last) */
    size_t n_top;
    es_stat slope, intercept; /* least squares, y = intercept + slope x */
} es_correlation_report;

/** x (n): score; y (n): one task, or the mean rank negated; both "higher is better" (negate what is
 * not), aligned by embedder, NaN where missing: a missing value leaves that embedder out of this
 * task. covariate (n), such as log dimension, or NULL. residual (n) or NULL: y minus the fitted
 * line, NaN where missing: above 0, better downstream than the score says. Nothing depends on the
 * embedders' order. O((draws + n) n log n + permutations n). */
es_status es_correlate_task(const double *x, const double *y, const double *covariate, size_t n,
                            const es_correlate_options *options, const es_run *run,
                            double *residual, es_correlation_report *out, es_error *err);

/** Mean over tasks of the rank within each task (1 = best, ties share the mean), over the embedders
 *  that have every task: the others get NaN, as ranks among different sets do not average.
 *  scores (n, tasks) row-major; lower_is_better (tasks) or NULL; out (n). Returns in *complete how
 *  many have a rank (NULL allowed). */
es_status es_mean_rank(const double *scores, size_t n, size_t tasks, const bool *lower_is_better,
                       double *out, size_t *complete, es_error *err);

#ifdef __cplusplus
}
#endif
#endif
