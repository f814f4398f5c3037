/* Intrinsic dimension: how many directions the rows really vary in, judged by how fast neighbours
 * move away. Equal rows count once. */
#ifndef EMBEDSCOPE_INTRINSIC_H
#define EMBEDSCOPE_INTRINSIC_H

#include "matrix.h"
#include "run.h"

typedef struct es_intrinsic {
    size_t rows;   /* different rows that were used */
    size_t equal;  /* rows left out because they equal another */
    size_t tied;   /* rows of which the nearest two are equally far: r2 / r1 is 1 */
    double two_nn; /* TwoNN (Facco et al. 2017): slope without the largest tenth of r2 / r1 */
    double two_nn_mle, two_nn_unbiased; /* N / sum log(r2 / r1), and with N - 1 */
    double levina_bickel; /* Levina and Bickel 2004, k - 2, mean over rows and k = 10..20 */
    double mackay; /* MacKay and Ghahramani 2005: inverse of the mean inverse, k - 1; steadier */
} es_intrinsic;

/** Of at most 10,000 rows, drawn by seed. ES_EEMPTY: fewer than 25 different rows. O(n^2 d). */
es_status es_intrinsic_of(const es_matrix *m, uint64_t seed, const es_run *run, es_intrinsic *out,
                          es_error *err);

#endif
