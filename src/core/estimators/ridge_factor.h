/* The two halves of ridge regression: the factor of a source (ridge_factor.c) and fits on it
 * (ridge_fit.c). */
#ifndef ES_CORE_RIDGE_FACTOR_H
#define ES_CORE_RIDGE_FACTOR_H

#include <stdbool.h>

#include "ridge.h"

enum { ES_RIDGE_MEAN_ALONE = ES_RIDGE_GRID, ES_RIDGE_GAINS = ES_RIDGE_GRID + 1 };

struct es_ridge {
    size_t n_train, n_val, n_test, rank;
    double *s;      /* (rank) variance along each direction */
    double *weight; /* (GRID, rank) of the grid's penalties, as es_ridge_weigh lays them out */
    double rest[ES_RIDGE_GRID]; /* es_ridge_mean_rest of each */
    float *z_train; /* (n_train, rank) coordinates of the centred rows; val and test follow */
    float *z_val, *z_test;
    double *outside; /* (n_val + n_test) squared length of a row outside all directions, if the
                        source has more columns than training rows; NULL: 0 */
    float *leverage; /* (n_val + n_test, GRID) h of validation and test rows; NULL: not asked for */
    float *loo_gain; /* (n_train, GAINS) 1 / (1 - h_ii) at each penalty; last: the mean alone */
    /* of a streamed source, which has no z: */
    const es_fold_data *source;
    float *basis; /* (d, rank) */
    float *shift; /* (rank) coordinates of the mean */
};

/** A mean residual's share, or a row's, that is too close to 0 to divide by. */
double es_ridge_rest(double rest);

/** 1 - df / n of a fit with this penalty: what is left to a row's residual on average. */
double es_ridge_mean_rest(const es_ridge *ridge, double lambda);
/** Directions whose squares are summed at once, and of the block from direction k on how many. */
enum { ES_RIDGE_DIRECTIONS = 64 };
size_t es_ridge_block(const es_ridge *ridge, size_t k);
/** Are sums of squares made of what a penalty leaves, in place of what it explains? */
bool es_ridge_is_left(const es_ridge *ridge, double rest);
/** weight (count, rows of the block): what the square of each direction from k on counts under each
 *  penalty, with its `rest`. */
void es_ridge_weigh(const es_ridge *ridge, const double *lambda, const double *rest, size_t count,
                    size_t k, double *weight);

/** Reads blocks of coordinates, kept or made again from streamed rows. One thread each. */
typedef struct es_ridge_reader {
    const es_ridge *ridge;
    es_fold_reader source;
    float *z; /* (ES_FOLD_BLOCK, rank); NULL when coordinates are kept */
} es_ridge_reader;

es_status es_ridge_reader_init(es_ridge_reader *reader, const es_ridge *ridge, es_arena *arena,
                               es_error *err);
/** *out (count, rank), count <= ES_FOLD_BLOCK, until the next call. */
es_status es_ridge_reader_read(es_ridge_reader *reader, es_part part, size_t start, size_t count,
                               es_run *run, const float **out, es_error *err);

#endif
