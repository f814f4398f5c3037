/* What following a ranking would have cost downstream. */
#ifndef ES_REPORT_DOWNSTREAM_H
#define ES_REPORT_DOWNSTREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
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
    size_t n, tasks;    /* embedders with a score and a rank; tasks */
    size_t controls;    /* of the family "control", left out */
    double *percentile; /* (m) mean over tasks of the percentile among those with the task, 100 =
                           best; NaN: no downstream score */
    size_t best;        /* downstream; SIZE_MAX: none */
    es_downstream_rank ranking, dimension;
} es_downstream;

/** score (m): higher is better, NaN: none. Joined by equal names. *out NULL when fewer than three
 *  embedders have both. */
es_status es_downstream_new(const es_results *results, const double *score, const es_scores *scores,
                            uint64_t seed, es_downstream **out, es_error *err);
void es_downstream_free(es_downstream *downstream);

/** " Downstream (15 tasks, 22 embedders): ...", to follow the bottom line. in_set: is the
 * downstream best among those that may be the best? */
void es_downstream_put(const es_downstream *downstream, const char *const *name, bool in_set,
                       es_buf *out);

#endif
