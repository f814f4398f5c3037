/* What following a ranking would have cost downstream. */
#ifndef ES_REPORT_DOWNSTREAM_H
#define ES_REPORT_DOWNSTREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "decision.h"
#include "embedscope/correlate.h"
#include "results.h"
#include "scores.h"

/** Of one way to rank: agreement with the mean percentile over tasks, and how many points of it one
 *  loses against the best by taking the first, or the best of the first five. NaN: not known. */
typedef struct es_downstream_rank {
    es_stat spearman;
    double low, high; /* 95 %, embedders resampled */
    double regret_first, regret_five;
} es_downstream_rank;

typedef struct es_downstream {
    size_t n, tasks;    /* embedders with a score and a rank; tasks that compare two of them */
    size_t controls;    /* of the family "control", left out */
    double *percentile; /* (m) mean over tasks of the percentile among those with the task, 100 =
                           best; NaN: no downstream score */
    size_t best;        /* downstream, of equal ones that of the higher score; SIZE_MAX: none */
    size_t equal;       /* others that are as good downstream */
    size_t best_tasks;  /* that the best has a score on */
    bool weighted;      /* the mean is, by unequal weights of tasks.csv */
    size_t unscored;    /* without a downstream score, and before the fifth that has one: what is
                           lost by taking the first is not theirs */
    es_downstream_rank ranking, dimension;
    es_correlator *draws[2]; /* for their intervals; NULL: drawn */
} es_downstream;

/** score (m): higher is better, NaN: none. Joined by equal names. *out NULL when fewer than three
 *  embedders have both. */
es_status es_downstream_new(const es_results *results, const double *score, const es_scores *scores,
                            uint64_t seed, es_downstream **out, es_error *err);
/** The same without intervals (NaN), which es_downstream_step draws, for an owner that must not
 * wait: O(m^2 tasks). */
es_status es_downstream_begin(const es_results *results, const double *score,
                              const es_scores *scores, uint64_t seed, es_downstream **out,
                              es_error *err);
/** At most so many of the resamples of each. True when all are drawn. */
bool es_downstream_step(es_downstream *downstream, unsigned draws);
void es_downstream_free(es_downstream *downstream); /* NULL is allowed */

/** Percentile of value i among the known ones of n, 100 = highest; NaN: it is not known, or no
 * other one differs, so that nobody is compared. */
double es_downstream_percentile(const double *value, size_t n, size_t i);
/** percentile (m): mean over tasks, as above; NaN for controls and where there is none. */
es_status es_downstream_percentiles(const es_results *results, const es_scores *scores,
                                    double *percentile, es_error *err);
/** A weighted mean of percentiles, to nine decimals: equal ones are equal whatever they were added
 *  up from, and their ranks are those of a tie. */
double es_percentile_mean(double sum, double weights);
/** What is lost of percentile (m) by the best of the first `count` by score (m), higher is better,
 *  against the best of all that have both: of equal scores, what is lost on average over their
 *  orders. NaN: none has. O(m^2). */
double es_downstream_regret(const double *score, const double *percentile, size_t m, size_t count);

/** "Taking the first", or of whom that is, where some before them have no downstream scores. */
const char *es_downstream_taking(const es_downstream *downstream);
/** " (by 1 of the 16 tasks), among those that may be the best here (1 more is as good)": what
 * follows the name of the downstream best; the first part where the decision says something, the
 * second where it holds. */
void es_downstream_beside(const es_downstream *downstream, const es_decision *decision, char *out,
                          size_t capacity);
/** "Downstream (15 tasks, 22 embedders): ...", to follow the bottom line. best: the name of the
 *  downstream best. */
void es_downstream_put(const es_downstream *downstream, const char *best,
                       const es_decision *decision, es_buf *out);

#endif
