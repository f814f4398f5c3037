/* Columns of a source in blocks, and how often they repeat each other. */
#ifndef ES_CORE_RIDGE_COPIES_H
#define ES_CORE_RIDGE_COPIES_H

#include <stddef.h>

#include "fold_data.h"

/** Columns of a source with more of them than training rows, at once. */
enum { ES_RIDGE_COLUMNS = 256 };
/** Fills block (result, n_train) with the centred training columns from j on, each times its weight
 *  (NULL: 1), at most ES_RIDGE_COLUMNS. The source is kept. */
size_t es_ridge_columns(const es_fold_data *source, const double *mean, const double *weight,
                        size_t j, double *block);

/** Weights weight (d) of columns, m^-1/2 for the multiplicity m_j = sum_k |r_jk|^16 over
 *  correlations of training columns: a column that is there ten times counts once.
 *  From the lower triangle of the covariance, which becomes that of the weighted columns. O(d^2).
 */
void es_ridge_count_once(size_t d, double *covariance, double *weight);
/** The same weights without room for (d, d), in blocks of columns. O(n d^2). */
es_status es_ridge_count_columns(const es_fold_data *source, const double *mean, double *weight,
                                 es_run *run, es_error *err);

#endif
