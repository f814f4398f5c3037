/* Which kernel parts answers from other documents best? A least-squares support vector machine
 * (Suykens and Vandewalle 1999) a query, cross-validated: the paper of retmmd.h chooses kernels by
 * a support vector machine; this is a linear system in its place, and is called so. */
#ifndef EMBEDSCOPE_LSSVM_H
#define EMBEDSCOPE_LSSVM_H

#include "retmmd.h"

typedef struct es_lssvm {
    double f1[ES_KERNELS]; /* mean over queries of the F1 of answers, over all folds together */
    es_kernel best;        /* the first of equals */
    size_t count, skipped; /* queries; those with fewer than `folds` documents of a kind */
} es_lssvm;

/** On reduced rows (es_retmmd_reduce), as many answers as other documents of each query, the first
 * of its lists; (K + I / c) a = y without a bias, y = 1 for answers and -1 for others. Kernels as
 *  rules say, one width of RBF for all. ES_EEMPTY: every query is skipped. */
es_status es_lssvm_of(const es_matrix *reduced, const es_query_set *queries,
                      const es_retmmd_rules *rules, double c, size_t folds, const es_run *run,
                      es_lssvm *out, es_error *err);

#endif
