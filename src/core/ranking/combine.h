/* One ranking over several data sets (Darrin et al. 2024, Appendix C.3.6, combine embedders over
 * data sets in the same spirit). Within a data set an embedder's share is that of the others it is
 * before, where two that are not told apart there count as half; so a data set in which nothing is
 * settled moves nobody. Two embedders are compared over the data sets that both are in, and the
 * combined share is the mean over the others: with nothing missing, the mean of the shares. */
#ifndef ES_CORE_COMBINE_H
#define ES_CORE_COMBINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run.h"
#include "embedscope/status.h"

/** It takes so many data sets to say something of another one. */
enum { ES_COMBINE_SETS = 5 };

/** One data set, over the embedders of all. */
typedef struct es_data_set {
    const double *score; /* (m) higher is better; NaN: not in it */
    const bool *ahead;   /* (m, m) the first is told apart in it, as the better one, from the
                            second; NULL: that is not known, and every difference counts */
} es_data_set;

typedef struct es_combined {
    size_t m, sets;
    double *within;        /* (sets, m) share within each; NaN: not in it */
    double *share;         /* (m) 0..1; NaN: in none with others */
    double *low, *high;    /* (m) 95 %: the error by resampled data sets, widened for as few as they
                              are (Hesterberg 2015), within 0..1; NaN: fewer than two */
    uint32_t *rank;        /* (m) by share, 1 the best, equal ones alike; 0: none */
    uint32_t *order;       /* (m) best first, equal ones in the given order */
    uint32_t *in, *first;  /* (m) data sets it is in; in which nobody is told apart from it as the
                              better one, and some two are told apart */
    uint32_t *told;        /* (m) data sets it is in that tell some two apart */
    size_t telling;        /* data sets in which some two are told apart */
    uint32_t needed, lead; /* who is in fewer data sets is not said to be the best: more than half
                              of them, or as many as anybody is in; the first of those who are */
    bool *best;            /* (m) may be the best on another data set: not surely behind the lead.
                              All where that is not said */
    bool said;             /* there are ES_COMBINE_SETS or more */
    double *agreement; /* (sets, sets) Spearman of the scores over common embedders; NaN below 3 */
} es_combined;

/** Seeded. ES_EINVAL: no data set. Draws: 2,000; O(sets m^2), and as much a draw. */
es_status es_combine(const es_data_set *sets, size_t count, size_t m, uint64_t seed,
                     const es_run *run, es_combined **out, es_error *err);
void es_combined_free(es_combined *combined);

#endif
