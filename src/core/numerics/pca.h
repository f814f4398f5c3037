/* Principal axes, by the smaller of the two Gram matrices. */
#ifndef ES_CORE_PCA_H
#define ES_CORE_PCA_H

#include <stddef.h>
#include <stdint.h>

#include "matrix.h"

typedef struct es_pca {
    size_t rank; /* axes with more than 1e-10 of the largest variance */
    size_t axes; /* of which there are vectors */
    size_t d;
    double *var;  /* (rank) descending: sum of squares along the axis / (n - 1), or of a single row
                     the square */
    double *axis; /* (axes, d) orthonormal rows */
    double total; /* of all variances, dropped ones included */
} es_pca;

/** Of the rows as they are: centre them first for a PCA. most: so many axes at most are wanted, 0
 *  for variances alone, ES_PCA_ALL for all; of few axes among thousands (ES_PCA_LARGE) neither the
 *  other axes nor their variances are worked out, and rank counts those that are. O(n d min(n, d)).
 *  ES_ENOMEM, ES_ENOCONV, and ES_EINVAL above 30,000 rows and columns. */
#define ES_PCA_ALL SIZE_MAX
enum { ES_PCA_LARGE = 1000, ES_PCA_FEW = 50 /* a fiftieth of them is few */ };
es_status es_pca_new(const es_matrix *m, size_t most, es_pca *out, es_error *err);
/** The same of n rows of d columns, n >= d, of which the products of columns are known: gram (d,
 * d), its lower triangle, is overwritten. */
es_status es_pca_of_columns(size_t n, size_t d, double *gram, size_t most, es_pca *out,
                            es_error *err);
void es_pca_free(es_pca *pca);

/** The smallest number of axes that explain this share of the variance, 1e-12 less being enough; at
 * least 1 when there are any. */
size_t es_pca_axes(const es_pca *pca, double share);

/** out (n, k): the rows of m along the first k axes, k <= pca->axes. */
es_status es_pca_project(const es_pca *pca, const es_matrix *m, size_t k, es_matrix *out,
                         es_error *err);

#endif
