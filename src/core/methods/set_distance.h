/* How different two data sets are to one embedder, judged by what answers their queries:
 * "Evaluating Transferability in Retrieval Tasks: An Approach Using MMD and Kernel Methods", CVPR
 * 2025, equations 12 and 13. Data sets that are close may be expected to rank embedders alike. */
#ifndef EMBEDSCOPE_SET_DISTANCE_H
#define EMBEDSCOPE_SET_DISTANCE_H

#include <stdint.h>

#include "matrix.h"
#include "queries.h"
#include "run.h"
#include "stats.h"

enum { ES_SET_MATCHED = 512 /* queries that w1 takes of each side at most */ };

typedef struct es_set_distance {
    double mmd2;   /* unbiased squared MMD of the queries' mean answers, RBF; may be negative */
    double biased; /* never negative, so hides "no difference" */
    double sigma2; /* s^2 of the kernel: the pooled median distance; 0: all are one point, mmd2 0 */
    double w1;     /* 1-Wasserstein distance, Euclidean, each query of a side weighing the same */
    size_t matched, matched_other; /* queries of a and of b that it is of */
} es_set_distance;

/** Queries of a over its rows, and of b. Of a side larger than ES_SET_MATCHED w1 takes a
 * sample by seed; sides of different sizes are as exact as others. ES_EINVAL: different numbers of
 * columns. ES_EEMPTY: fewer than 2 queries on a side. O((queries)^2 d + matched^3). */
es_status es_set_distance_of(const es_matrix *a, const es_query_set *in_a, const es_matrix *b,
                             const es_query_set *in_b, uint64_t seed, const es_run *run,
                             es_set_distance *out, es_error *err);

/** The same of the rows themselves, at most `count` of each side, drawn by seed: what data sets
 * look like without anybody's judgement. ES_EINVAL: different numbers of columns; ES_EEMPTY: fewer
 * than 2 rows on a side. O(count^2 d + count^3). */
es_status es_set_distance_of_rows(const es_matrix *a, const es_matrix *b, size_t count,
                                  uint64_t seed, const es_run *run, es_set_distance *out,
                                  es_error *err);

/** 1-Wasserstein distance of the rows of a and of b, where each row of a side weighs the same: of
 *  equally many the mean over the match for which it is smallest. Exact; O(n^3). */
es_status es_wasserstein(const es_matrix *a, const es_matrix *b, const es_run *run, double *out,
                         es_error *err);

/** Equation 12: what is lost (negative) or won when an embedder made for one data set answers the
 * queries of another, of the loss that there is to a perfect recall: (transferred - own) / (1 -
 * own). Undefined ("recall is 1") where own is 1. */
es_stat es_transferability(double transferred, double own);

#endif
