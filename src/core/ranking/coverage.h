/* How many embedders are enough: to trust a ranking, and to cover a pool. */
#ifndef EMBEDSCOPE_COVERAGE_H
#define EMBEDSCOPE_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/ranking.h"
#include "run.h"
#include "embedscope/status.h"

/** Mean over the draws and interval between quantiles; NaN where nothing was defined. */
typedef struct es_band {
    double mean, low, high;
} es_band;

/** Scores by `size` random targets. */
typedef struct es_pool_size {
    size_t size;
    es_band agreement;   /* Spearman with `against`, or with the scores by all targets */
    es_band reliability; /* Spearman between the scores by two sets of targets that share none: what
                            another pool of this size would have said. NaN above half of them */
    es_band deviation;   /* mean over embedders of |score - score by all targets|, nats */
} es_pool_size;

typedef struct es_pool_curve {
    es_pool_size *point; /* (points) ascending sizes */
    size_t points;
    size_t targets; /* that vote: all, or the judges of the rule */
    size_t sources; /* that have a score */
    size_t enough; /* smallest size from which on the low end of agreement is at least 0.9; 0: none.
                      Without `against` all targets do not count: they agree with themselves */
} es_pool_curve;

/** Is there an agreement at any size? None is defined of scores that are all equal. */
bool es_pool_curve_agrees(const es_pool_curve *curve);

typedef struct es_pool_curve_options {
    es_score_rule rule;
    const uint32_t *order; /* as in es_bootstrap */
    const double
        *against; /* (m) downstream results instead of the full ranking, NaN where missing; NULL */
    unsigned draws; /* per size; 0: 100 */
    size_t points;  /* sizes evenly spread over 2 .. targets; 0: 24 */
    double level;   /* 0: 0.95 */
    uint64_t seed;
} es_pool_curve_options;

/** The published question (Figures 22 and 23) asked of targets only: all m sources are ranked by
 * random subsets of the targets that vote. Needs 4 of them, and 3 that have a score, else no
 * points. O(points draws m^2 log m). */
es_status es_pool_curve_new(const double *is, size_t m, const es_pool_curve_options *options,
                            const es_run *run, es_pool_curve **out, es_error *err);
void es_pool_curve_free(es_pool_curve *curve);

/** One embedder taken into the subset. */
typedef struct es_cover_step {
    size_t model;
    double gain;    /* what it adds to the sum over targets of min(share, best cover so far) */
    size_t covered; /* targets that have reached the share by now */
    double mean;    /* mean over targets of the best cover by now */
} es_cover_step;

/** A small subset that together covers at least `share` (in (0, 1]) of every target; cover(i->j) is
 * IS(i->j) over IS(j->j); an embedder covers itself entirely, and where IS(j->j) is not known
 * nobody else is taken to cover j. Greedy: each step takes the largest gain (ties: fewer dimensions
 * where dim is given, then `order`), which is within a factor ln m + 1 of the smallest (Wolsey
 * 1982). step (m); *steps is how many were needed. order, dim (m) or NULL. O(m^2 steps). */
es_status es_cover_greedy(const double *is, size_t m, double share, const size_t *dim,
                          const uint32_t *order, es_cover_step *step, size_t *steps, es_error *err);

#endif
