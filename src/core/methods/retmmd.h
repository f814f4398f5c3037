/* RetMMD: how far apart does an embedder put the documents that answer a query and those that do
 * not? Maximum mean discrepancy between the two groups, averaged over queries (RetMMD-M), and how
 * often a permutation test finds them different (RetMMD-C). "Evaluating Transferability in
 * Retrieval Tasks: An Approach Using MMD and Kernel Methods", CVPR 2025. Constants that the paper
 * leaves open are chosen here and said so: the mean over queries, kernels' constants, centring by
 * the PCA. */
#ifndef EMBEDSCOPE_RETMMD_H
#define EMBEDSCOPE_RETMMD_H

#include <stdbool.h>

#include "kernel.h"
#include "matrix.h"
#include "queries.h"
#include "run.h"

typedef struct es_retmmd_rules {
    double variance;       /* reduce to the axes with this share of the variance; 0: 0.9; 1 or more:
                              the vectors as they are, not centred */
    size_t axes;           /* or to this many axes; 0: by variance */
    unsigned permutations; /* 0: 499 */
    double level;          /* of the test; 0: 0.05 */
    unsigned power;        /* of ES_KERNEL_POLY3, 2 to 6; 0: 3 */
    bool per_query;        /* s of the RBF kernel from each query's documents, not from all */
    uint64_t seed;         /* of permutations, the same for all kernels and embedders */
    /* (permutations, width): given ones instead, each naming documents 0..width-1 in a new order;
     * for queries with exactly `width` documents. NULL: drawn. */
    const uint32_t *given;
    size_t width;
} es_retmmd_rules;

typedef struct es_retmmd_kernel {
    double mean, sum;   /* RetMMD-M: sum of w M over queries, divided by sum w or not */
    double biased_mean; /* of the biased statistic, weighted as mean: hides "no difference" */
    double share;       /* sum of w [p < level] / sum w */
    double count;       /* sum of w [p < level] */
} es_retmmd_kernel;

typedef struct es_retmmd {
    size_t count;     /* queries */
    size_t axes;      /* dimension after reduction */
    double sigma2;    /* s^2; 0: all documents are one point, every M is 0 */
    size_t documents; /* different ones, of which s is made */
    es_retmmd_kernel by[ES_KERNELS];
    es_kernel best;          /* with the largest count; the first of equals */
    bool saturated;          /* best share is 0.95 or more: use M */
    double (*m)[ES_KERNELS]; /* (count) unbiased, may be negative */
    double (*p)[ES_KERNELS]; /* (count) */
} es_retmmd;

/** ES_EEMPTY: no queries. ES_EINVAL: a row is not below m->n, or given permutations do not fit.
 * Cost: a PCA, then queries * documents^2 * axes. */
es_status es_retmmd_of(const es_matrix *m, const es_query_set *queries,
                       const es_retmmd_rules *rules, const es_run *run, es_retmmd *out,
                       es_error *err);
void es_retmmd_free(es_retmmd *result);

/** The first step alone, for several draws of queries on one embedder: reduced rows, to be given to
 *  es_retmmd_of with variance 1 and axes 0. */
es_status es_retmmd_reduce(const es_matrix *m, const es_retmmd_rules *rules, es_matrix *out,
                           es_error *err);

#endif
