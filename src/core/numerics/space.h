/* Points prepared for exact comparison of distances, whichever way they are tiled.
 *
 * Squared distances come in blocks from one matrix product, |x|^2 + |y|^2 - 2 x.y on centred rows;
 * that is off by about 1e-16 (|x|^2 + |y|^2), so whatever a comparison could hang on is computed
 * again by direct difference. Cosine is the same thing on rows of length 1: |x - y|^2 = 2 - 2 cos,
 * where a zero row has cosine 0, so 2, with every row. */
#ifndef ES_CORE_SPACE_H
#define ES_CORE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "matrix.h"
#include "run.h"

enum { ES_SPACE_BLOCK = 256 }; /* rows of a block: memory is 256 n doubles */
#define ES_SPACE_TIE 1e-12     /* distances are tied within so much of mean2 */

typedef struct es_space {
    size_t n, d;
    double *x;     /* (n, d) centred for l2, of length 1 for cosine */
    double *norm2; /* (n) squared lengths; 1 for a zero row under cosine */
    bool *zero;    /* (n) zero rows under cosine, else all false */
    double mean2;  /* mean squared distance of two rows, about: the scale of ties */
} es_space;

/** ES_ENOMEM. The matrix is copied. */
es_status es_space_new(const es_matrix *m, es_metric metric, es_space *out, es_error *err);
void es_space_free(es_space *space);

/** out (count, n): squared distances of the listed rows, count <= ES_SPACE_BLOCK, to all rows,
 * never negative. scratch (count, d). */
void es_space_block(const es_space *space, const uint32_t *rows, size_t count, double *scratch,
                    double *out);
/** One squared distance by direct difference. */
double es_space_exact(const es_space *space, size_t i, size_t j);
/** How far a value of es_space_block may be off, generously. */
double es_space_slack(const es_space *space, size_t i, size_t j);
/** Whether two exact squared distances count as equal: within 1e-12 of the larger of the first and
 *  the mean squared distance. */
bool es_space_tied(const es_space *space, double a, double b);

/** Called with the approximate squared distances d2 (n) of row i to all rows. */
typedef void es_space_visit(void *context, const es_space *space, size_t i, const double *d2);
/** Visits every row, in order. O(n^2 d). */
es_status es_space_each(const es_space *space, const es_run *run, es_space_visit *visit,
                        void *context, es_error *err);

/** out (n (n - 1) / 2): squared distances of all pairs i < j, in rows; the small ones exact. */
es_status es_space_all(const es_space *space, const es_run *run, double *out, es_error *err);

/** A row at a squared distance. */
typedef struct es_near {
    double d2;
    uint32_t row;
} es_near;

/** By distance; those at the very same one by row. */
void es_near_sort(es_near *list, size_t count);

#endif
